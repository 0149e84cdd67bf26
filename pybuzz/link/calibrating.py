"""Leads a person through the calibration of one robot: what to put where, then what the sensors say."""

from __future__ import annotations

import dataclasses
import math
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Final

from pybuzz.khepera import KheperaModel
from pybuzz.link import protocol
from pybuzz.link.calibration import (
    GROUND_ORDER,
    LEAST_LIGHT_SPAN,
    RING_ORDER,
    RobotCalibration,
    WheelFactors,
    reordered,
)
from pybuzz.link.protocol import Request
from pybuzz.link.session import Session

__all__ = ["Guide", "calibrate"]

_READINGS: Final = 50
_READING_S: Final = 0.02
_LEAST_SPAN: Final = 20.0
_PLACES: Final = ("ahead", "front left", "left", "back left", "behind", "back right", "right", "front right")
_DRIVE_ORDER: Final = 147
_DRIVE_M: Final = 2.0
_TURNS: Final = 10
_RAMP: Final = 30
_RAMP_S: Final = 0.1

Ask = Callable[[str], str]
"""Shows a text and returns what the person typed: "" goes on, "s" leaves this part out."""


class Guide:
    """One calibration. ask: see Ask; tell: shows a line; sleep: for tests."""

    def __init__(
        self,
        session: Session,
        model: KheperaModel,
        ask: Ask,
        tell: Callable[[str], None],
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._session = session
        self._model = model
        self._ask = ask
        self._tell = tell
        self._sleep = sleep

    def proximity(self, known: RobotCalibration) -> RobotCalibration:
        """Floor with noise, then paper at 4 cm before each of the eight sensors."""
        if self._skips("Put the robot on its floor, nothing within 40 cm."):
            return known
        rows = self._rows(protocol.proximity(), RING_ORDER)
        floor = _means(rows)
        noise = tuple(statistics.pstdev(column) for column in zip(*rows, strict=True))
        near = list(known.proximity_near)
        for index, place in enumerate(_PLACES):
            if self._skips(f"White paper, upright, 4 cm {place} (sensor {index})."):
                continue
            raw = _means(self._rows(protocol.proximity(), RING_ORDER))[index]
            if raw - floor[index] < _LEAST_SPAN:
                self._tell(f"  {raw:.0f} is hardly more than the floor's {floor[index]:.0f}: kept {near[index]:g}")
            else:
                near[index] = raw
        return dataclasses.replace(known, proximity_floor=floor, proximity_noise=noise, proximity_near=tuple(near))

    def light(self, known: RobotCalibration) -> RobotCalibration:
        """Dark, then an incandescent lamp (LED lamps emit hardly any infrared) at 20 cm before each sensor."""
        if self._skips("Shade the robot, or switch the light of the room off."):
            return known
        dark = _means(self._rows(protocol.ambient(), RING_ORDER))
        bright = list(known.light_bright)
        for index, place in enumerate(_PLACES):
            if self._skips(f"Incandescent lamp, 20 cm {place} (sensor {index})."):
                continue
            raw = _means(self._rows(protocol.ambient(), RING_ORDER))[index]
            if abs(raw - dark[index]) < LEAST_LIGHT_SPAN:
                self._tell(
                    f"  {raw:.0f} is hardly different from {dark[index]:.0f} in the dark: kept {bright[index]:g}"
                )
            else:
                bright[index] = raw
        return dataclasses.replace(known, light_dark=dark, light_bright=tuple(bright))

    def ground(self, known: RobotCalibration) -> RobotCalibration:
        """All four sensors over black, then over white."""
        if self._skips("Put the robot on the black of the floor."):
            return known
        black = _means(self._rows(protocol.proximity(), GROUND_ORDER))
        if self._skips("Put the robot on the white of the floor."):
            return known
        white = _means(self._rows(protocol.proximity(), GROUND_ORDER))
        if min(abs(one - other) for one, other in zip(black, white, strict=True)) < _LEAST_SPAN:
            self._tell("  black and white are hardly different: nothing was changed")
            return known
        return dataclasses.replace(known, ground_black=black, ground_white=white)

    def wheels(self, known: RobotCalibration) -> RobotCalibration:
        """2 m straight, measured by hand; then turns on the spot, counted by hand."""
        if self._skips(f"Free {_DRIVE_M:g} m ahead of the robot: it will drive them."):
            return known
        scale = self._scale()
        if self._skips(f"Mark where the robot looks: it will turn {_TURNS} times on the spot, to the left."):
            return dataclasses.replace(known, wheels=WheelFactors(scale, scale, known.wheels.axle))
        return dataclasses.replace(known, wheels=WheelFactors(scale, scale, self._axle(scale)))

    def _scale(self) -> float:
        """True over computed distance."""
        pulse = self._model.limits.pulse
        left, right = self._drive(1, 1, _DRIVE_M / pulse)
        driven = (left + right) / 2.0 * pulse
        return self._number(f"It counted {driven:.3f} m. How many metres did it really drive?", driven) / driven

    def _axle(self, scale: float) -> float:
        """True over nominal axle: b_new = b x (turn by odometry) / (true turn)."""
        pulse, axle = self._model.limits.pulse, self._model.body.axle
        left, right = self._drive(-1, 1, _TURNS * math.pi * axle / pulse)
        degrees = math.degrees((right - left) * pulse * scale / axle)
        true = self._number(f"It counted {degrees:.0f} degrees. How many degrees did it really turn?", degrees)
        return degrees / true

    def _drive(self, left: int, right: int, pulses: float) -> tuple[float, float]:
        """Drive until a wheel has counted so many pulses; how many both have."""
        session, order = self._session, 0
        start = session.ask(protocol.encoders()).values
        try:
            while True:
                now = session.ask(protocol.encoders()).values
                if max(abs(now[0] - start[0]), abs(now[1] - start[1])) >= pulses:
                    break
                order = min(order + _RAMP, _DRIVE_ORDER)
                session.ask(protocol.speed_order(left * order, right * order))
                self._sleep(_RAMP_S)
        finally:
            session.stop()
        self._sleep(5 * _RAMP_S)
        end = session.ask(protocol.encoders()).values
        return end[0] - start[0], end[1] - start[1]

    def _skips(self, text: str) -> bool:
        return self._ask(f"{text} [Enter: measure, s: skip] ").strip().lower().startswith("s")

    def _number(self, text: str, default: float) -> float:
        while True:
            answer = self._ask(f"{text} [Enter: {default:.4g}] ").strip()
            try:
                number = float(answer) if answer else default
            except ValueError:
                number = 0.0
            if 0.5 * default <= number <= 2.0 * default:
                return number
            self._tell("  that cannot be: a number near to what was counted is needed")

    def _rows(self, request: Request, order: Sequence[int]) -> list[tuple[float, ...]]:
        rows = []
        for _ in range(_READINGS):
            rows.append(reordered(self._session.ask(request).values, order))
            self._sleep(_READING_S)
        return rows


def calibrate(guide: Guide, known: RobotCalibration) -> RobotCalibration:
    """All parts, each of which can be left out."""
    for part in (guide.proximity, guide.ground, guide.light, guide.wheels):
        known = part(known)
    return known


def _means(rows: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    return tuple(statistics.fmean(column) for column in zip(*rows, strict=True))
