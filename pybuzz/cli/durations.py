"""Durations on the command line."""

from __future__ import annotations

import math

from pybuzz.errors import InputError

__all__ = ["checked_seconds"]


def checked_seconds(seconds: float | None) -> float | None:
    """For options that mean a real time, s. Raises InputError for what is no number."""
    if seconds is not None and not math.isfinite(seconds):
        hint = "give a number of seconds, or leave it out for no end"
        raise InputError.at("--seconds", f"{seconds:g} is no time", hint=hint)
    return seconds
