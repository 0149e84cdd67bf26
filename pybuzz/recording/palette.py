"""The colours of plots and video frames. All can be told apart by colour-blind readers and in print."""

from __future__ import annotations

__all__ = ["FADED", "FEW_ROBOTS", "GROUND", "INK", "MOVABLE", "ROBOT_COLORS", "SOLID", "SOLID_EDGE"]

ROBOT_COLORS = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C510A", "#000000", "#7B4FA3", "#8A8D00",
)  # fmt: skip
"""Okabe and Ito 2008, and three more."""

FEW_ROBOTS = len(ROBOT_COLORS)
"""Up to so many robots have a colour each; no one tells apart more."""

INK, FADED, GROUND = "#333333", "#8C8C8C", "#FFFFFF"
SOLID, SOLID_EDGE, MOVABLE = "#B8B8B8", "#7A7A7A", "#EFEFEF"
