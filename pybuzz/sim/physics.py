"""What a physics engine must do for a world, and the parameters of ARGoS's dynamics2d."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pybuzz.sim.bodies import BOX, BodySpec

__all__ = ["BIAS_PER_SECOND", "FIXED_GRIP", "MOVABLE_GRIP", "PERSISTENCE", "SLOP", "PhysicsEngine", "PhysicsSettings"]

MOVABLE_GRIP = 0.7
FIXED_GRIP = 0.1
"""Contact friction is the product of the two bodies' grips."""
SLOP = float(np.float32(0.1))
"""Overlap in m that is never pushed out: a float in Chipmunk."""
BIAS_PER_SECOND = float(np.float32(0.9)) ** 60
"""Part of a deeper overlap that is left after a second."""
PERSISTENCE = 3
"""Sub-steps for which the impulses of a contact that ended are remembered."""


@dataclass(frozen=True, slots=True)
class PhysicsSettings:
    """Sub-steps per tick (also the solver's iterations in each); ground friction of movable objects in N and N m.

    robot_collision: false lets robots pass through each other.
    """

    iterations: int = 10
    box_linear_friction: float = 1.49
    box_angular_friction: float = 1.49
    cylinder_linear_friction: float = 1.49
    cylinder_angular_friction: float = 1.49
    robot_collision: bool = True

    def ground_limits(self, kind: int) -> tuple[float, float]:
        """Force (N) and torque (N m) with which the ground holds a movable box or cylinder."""
        if kind == BOX:
            return self.box_linear_friction, self.box_angular_friction
        return self.cylinder_linear_friction, self.cylinder_angular_friction


class PhysicsEngine(Protocol):
    """Moves the bodies of a `Bodies`: after each step it writes there where they are and how fast."""

    def add(self, spec: BodySpec) -> None:
        """Take over the body of the last row, just appended."""

    def remove(self, row: int) -> None:
        """Forget a row that is about to be deleted; the later ones move up."""

    def move(self, row: int) -> None:
        """Follow a body whose x, y or angle was set by hand."""

    def overlaps(self, spec: BodySpec) -> bool:
        """Whether a new body would overlap one that is there; heights do not count."""

    def fail_trial(self, spec: BodySpec) -> None:
        """Count a body that was tried and taken out again: in ARGoS that can change the order of contacts."""

    def step(self, wheel_speeds: NDArray[np.float64]) -> None:
        """Advance all bodies by one tick. wheel_speeds: float64[robots, 2], left and right, in m/s."""
