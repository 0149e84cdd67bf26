"""Batteries and how they run down: by time, by motion, or by both (ARGoS 3's discharge models)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import kernel
from pybuzz.errors import InputError
from pybuzz.spelling import did_you_mean

__all__ = ["Batteries", "BatterySpec"]

_FACTORS: dict[str, tuple[tuple[str, float], ...]] = {
    "time": (("delta", 1e-5), ("", 0.0), ("", 0.0)),
    "motion": (("", 0.0), ("pos_delta", 1e-3), ("orient_delta", 1e-3)),
    "time_motion": (("time_factor", 1e-5), ("pos_factor", 1e-3), ("orient_factor", 1e-3)),
}
"""For each model the parameter and default of: charge per tick, per m, per rad."""


class BatterySpec(Protocol):
    """One robot's battery: model `time`, `motion` or `time_motion`; `factors` by their ARGoS names."""

    @property
    def model(self) -> str: ...
    @property
    def start_charge(self) -> float: ...
    @property
    def full_charge(self) -> float: ...
    @property
    def factors(self) -> Mapping[str, float]: ...


class Batteries:
    """The charges of k robots, in units of their own. charge, full: float64[k]. None never runs down."""

    def __init__(self, specs: Sequence[BatterySpec | None], poses: NDArray[np.float64]) -> None:
        self.charge = np.array([1.0 if spec is None else spec.start_charge for spec in specs], dtype=np.float64)
        self.full = np.array([1.0 if spec is None else spec.full_charge for spec in specs], dtype=np.float64)
        self._factors = np.array([_factors_of(spec) for spec in specs], dtype=np.float64).reshape(-1, 3)
        self._before = np.column_stack((poses[:, :2], np.ones(len(specs)), np.zeros(len(specs))))

    def take_over(self, mine: Sequence[int], other: Batteries, theirs: Sequence[int]) -> None:
        """Go on with the charges of other batteries: mine[k] was theirs[k] there."""
        self.charge[mine] = other.charge[theirs]
        self._before[mine] = other._before[theirs]

    def step(self, poses: NDArray[np.float64]) -> None:
        """Pay for one tick that ended at these poses float64[k, 3]: x, y in m, unwrapped angle in rad."""
        _discharge(self.charge, self._factors, self._before, poses)


def _factors_of(spec: BatterySpec | None) -> tuple[float, ...]:
    if spec is None:
        return 0.0, 0.0, 0.0
    if spec.model not in _FACTORS:
        hint = did_you_mean(spec.model, list(_FACTORS)) or f"known models: {', '.join(_FACTORS)}"
        raise InputError.at("battery", f"there is no discharge model '{spec.model}'", hint=hint)
    return tuple(spec.factors.get(name, default) for name, default in _FACTORS[spec.model])


@kernel
def _discharge(
    charge: NDArray[np.float64],
    factors: NDArray[np.float64],
    before: NDArray[np.float64],
    poses: NDArray[np.float64],
) -> None:
    """before: float64[k, 4], x, y and quaternion (w, z) a tick ago; at first not turned, so that the first tick also
    pays for the initial yaw, as in ARGoS."""
    for i in range(len(charge)):
        w, z = math.cos(0.5 * poses[i, 2]), math.sin(0.5 * poses[i, 2])
        if charge[i] > 0.0:
            dx, dy = poses[i, 0] - before[i, 0], poses[i, 1] - before[i, 1]
            turned_w, turned_z = before[i, 2] * w + before[i, 3] * z, before[i, 2] * z - before[i, 3] * w
            angle = 2.0 * math.acos(min(max(turned_w, -1.0), 1.0)) if turned_z * turned_z > 0.0 else 0.0
            spent = factors[i, 0] + factors[i, 1] * math.sqrt(dx * dx + dy * dy) + factors[i, 2] * angle
            charge[i] = max(charge[i] - spent, 0.0)
        before[i, 0], before[i, 1], before[i, 2], before[i, 3] = poses[i, 0], poses[i, 1], w, z
