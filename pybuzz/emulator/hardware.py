"""One robot's electronics: raw readings as the hardware library gives them, lights, ultrasound, battery, motors."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from pybuzz.emulator.scene import STEP_S, Scene
from pybuzz.khepera import KheperaModel
from pybuzz.khepera.motors import Mode, Motors, SpeedProfile
from pybuzz.link.protocol import US_NOTHING, US_OFF, US_TOO_NEAR

__all__ = ["Hardware", "HardwareOptions"]

ALL_ULTRASOUND: Final = 31

_NOISE = 3
_FLOOR_SPREAD = 20
_LIGHT_DARK, _LIGHT_BRIGHT = 40, 980
_ULTRASOUND_TURN_S = 0.02
_FULL_MAH = 3400.0
_CURRENT_IDLE_MA, _CURRENT_MOTORS_MA = 485.0, 195.0
"""7 h with the motors idle, 5 h with them at full (Khepera IV user manual)."""
_CURRENT_LIGHTS_MA = 60.0
_MEAN_CURRENT_S = 28.0
_GYRO_RAD_S = 0.0011519
_GRAVITY = 9.80665
_RAW_PER_G = 16384
_INERTIAL_SAMPLES = 10
_AVOIDANCE_WEIGHTS = (0, 2, 4, 5, -4, -2, 0, 0)
"""What a near object at each infrared sensor adds to the left wheel and takes from the right one."""


@dataclass(frozen=True, slots=True)
class HardwareOptions:
    """`bright_is_high`: the polarity of ambient light, on which the manual contradicts itself. `stall`: a wheel of a
    blocked robot stands still instead of turning on the spot. `charge`: at the start, in [0, 1]."""

    bright_is_high: bool = True
    stall: bool = False
    charge: float = 0.95


class Hardware:
    """A robot of the scene by its index. `seed` decides the floor values and the noise of its sensors.

    `frozen`: sensors repeat their last readings. `stopped_charge`: what the gauge shows instead of the truth.
    """

    def __init__(
        self, scene: Scene, index: int, model: KheperaModel, seed: int, options: HardwareOptions | None = None
    ) -> None:
        self._scene = scene
        self._index = index
        self._calibration = model.calibration
        self._axle = model.body.axle
        self._options = options or HardwareOptions()
        self._random = Random(seed)
        floor = round(model.calibration.proximity_floor)
        self.floors = [floor + self._random.randint(-_FLOOR_SPREAD, _FLOOR_SPREAD) for _ in range(8)]
        self.motors = Motors(model.limits)
        self.charge = self._options.charge
        self.stopped_charge: float | None = None
        self.frozen = False
        self.avoidance = 0
        self._kept: dict[str, tuple[int, list[int]]] = {}
        self._echoes: list[tuple[float, int]] = [(-math.inf, US_OFF)] * 5
        self._mean_current = -_CURRENT_IDLE_MA
        self._motion: deque[tuple[float, float]] = deque([(0.0, 0.0)] * _INERTIAL_SAMPLES, _INERTIAL_SAMPLES)
        self._pose: Sequence[float] = (0.0, 0.0, 0.0)
        self._speed = 0.0
        self.start_up()

    def start_up(self) -> None:
        """As after switching on: lights off, ultrasound on."""
        self.lights = [0] * 9
        self.ultrasound_mask = ALL_ULTRASOUND

    def reset(self) -> None:
        """The micro-controller starts anew: encoders 0, motors idle, settings lost."""
        self.motors.reset()
        self.avoidance = 0
        self.start_up()

    # -- time passes -----------------------------------------------------------------------------------------------

    def wheel_speeds(self) -> tuple[float, float]:
        """How the wheels turn in the coming step, m/s."""
        if self.avoidance:
            self._avoid()
        return self.motors.advance(STEP_S)

    def moved(self, pose: Sequence[float], driven: tuple[float, float]) -> None:
        """The step is over and left the body at pose (m, rad); `driven`: how the wheels turned, m/s."""
        before, self._pose = self._pose, pose
        x, y, yaw = pose
        turned = math.remainder(yaw - before[2], 2.0 * math.pi)
        forward = (x - before[0]) * math.cos(yaw) + (y - before[1]) * math.sin(yaw)
        if self._options.stall:
            self._stall(forward, turned, driven)
        speed = forward / STEP_S
        self._motion.appendleft((turned / STEP_S, (speed - self._speed) / STEP_S))
        self._speed = speed
        self._discharge()

    def placed(self, pose: Sequence[float]) -> None:
        """The body was put there by hand."""
        self._pose, self._speed = pose, 0.0

    def _stall(self, forward: float, turned: float, driven: tuple[float, float]) -> None:
        """A wheel that turned more than the floor went by did not turn."""
        half = 0.5 * turned * self._axle
        for side, went in enumerate((forward - half, forward + half)):
            slip = driven[side] * STEP_S - went
            if abs(slip) > 0.2 * abs(driven[side]) * STEP_S:
                self.motors.encoders[side] -= slip / self.motors.pulse

    def _avoid(self) -> None:
        """The robot's own obstacle avoidance: a Braitenberg vehicle."""
        readings = self.proximity()[:8]
        turn = sum(weight * max(0, raw - 200) for weight, raw in zip(_AVOIDANCE_WEIGHTS, readings, strict=True)) // 10
        self.motors.order(Mode.PROFILE, 200 + turn, 200 - turn)

    def start_avoidance(self) -> None:
        self.avoidance += 1
        self.motors.profile = SpeedProfile(acc_inc=10)

    def end_avoidance(self) -> None:
        self.avoidance = 0
        self.motors.order(Mode.IDLE, 0, 0)

    # -- readings --------------------------------------------------------------------------------------------------

    def proximity(self) -> list[int]:
        """12 raw values, 0..1023: the ring from back left on, then the ground from left to right."""
        return self._fresh("proximity", self._measure_proximity)

    def ambient(self) -> list[int]:
        """12 raw values, 0..1023, in the same order."""
        return self._fresh("ambient", self._measure_ambient)

    def ultrasound(self) -> list[int]:
        """5 distances in cm, or codes; each active sensor measures anew when its turn has come."""
        active = self.ultrasound_mask.bit_count()
        now = self._scene.time_s
        distances = self._scene.distances("ultrasound", self._index)
        for sensor, (measured, _) in enumerate(self._echoes):
            if not self.ultrasound_mask >> sensor & 1:
                self._echoes[sensor] = (-math.inf, US_OFF)
            elif not self.frozen and now - measured >= _ULTRASOUND_TURN_S * active:
                self._echoes[sensor] = (now, self._echo(distances[sensor]))
        return [value for _, value in self._echoes]

    def laser(self) -> list[int]:
        """682 distances in mm, 0 for none."""
        distances = self._scene.distances("laser", self._index)
        return [0 if math.isinf(d) else max(20, round(d * 1000.0) + self._noise()) for d in distances]

    def gyroscope(self) -> list[int]:
        """Ten samples each of x, y, z, newest first."""
        level = [self._noise() for _ in range(2 * _INERTIAL_SAMPLES)]
        return [*level, *(round(rate / _GYRO_RAD_S) + self._noise() for rate, _ in self._motion)]

    def accelerometer(self) -> list[int]:
        """Ten samples each of x, y, z, newest first; twelve bits in the upper part of sixteen."""
        forward = [acceleration / _GRAVITY for _, acceleration in self._motion]
        still = [0.0] * _INERTIAL_SAMPLES
        down = [-1.0] * _INERTIAL_SAMPLES
        raw = [round(g * _RAW_PER_G) + 16 * self._noise() for g in (*forward, *still, *down)]
        return [min(max(value, -32768), 32767) & ~15 for value in raw]

    def battery(self, item: int) -> float:
        """What the gauge tells, by the numbers of the command `V`."""
        charge = self.charge if self.stopped_charge is None else self.stopped_charge
        empty, full = self._calibration.battery_empty, self._calibration.battery_full
        readings: Sequence[float] = (
            round(1000.0 * (empty + (full - empty) * charge)), round(-self._current()), round(self._mean_current),
            round(_FULL_MAH * charge), 27.0, math.floor(100.0 * charge + 1e-6), 0, 0,
        )  # fmt: skip
        return readings[item]

    def _fresh(self, kind: str, measure: Callable[[], list[int]]) -> list[int]:
        step, values = self._kept.get(kind, (-1, []))
        if step != self._scene.steps and not (self.frozen and values):
            values = measure()
            self._kept[kind] = (self._scene.steps, values)
        return values

    def _measure_proximity(self) -> list[int]:
        curve, calibration = self._calibration.proximity_curve, self._calibration
        ring = [
            _on_curve(curve, distance) + floor - calibration.proximity_floor
            for distance, floor in zip(self._scene.distances("infrared", self._index), self.floors, strict=True)
        ]
        span = calibration.ground_white - calibration.ground_black
        ground = [calibration.ground_black + span * value for value in self._scene.ground(self._index)]
        return [self._ten_bits(value) for value in (*ring, *ground)]

    def _measure_ambient(self) -> list[int]:
        span = _LIGHT_BRIGHT - _LIGHT_DARK
        values = [_LIGHT_DARK + span * value for value in (*self._scene.light(self._index), 0.0, 0.0, 0.0, 0.0)]
        if not self._options.bright_is_high:
            values = [1023.0 - value for value in values]
        return [self._ten_bits(value) for value in values]

    def _echo(self, distance: float) -> int:
        cm = round(100.0 * distance) + self._random.randint(-1, 1) if distance <= 2.0 else US_NOTHING
        return US_TOO_NEAR if cm < 25 else cm

    def _ten_bits(self, value: float) -> int:
        return min(max(round(value) + self._noise(), 0), 1023)

    def _noise(self) -> int:
        return self._random.randint(-_NOISE, _NOISE)

    # -- battery ---------------------------------------------------------------------------------------------------

    def _current(self) -> float:
        motors = sum(min(abs(speed) / 1200.0, 1.0) for speed in self.motors.speeds) / 2.0
        lights = sum(self.lights) / (9 * 63)
        return _CURRENT_IDLE_MA + _CURRENT_MOTORS_MA * motors + _CURRENT_LIGHTS_MA * lights

    def _discharge(self) -> None:
        current = self._current()
        self.charge = max(0.0, self.charge - current * STEP_S / 3600.0 / _FULL_MAH)
        self._mean_current += (-current - self._mean_current) * STEP_S / _MEAN_CURRENT_S


def _on_curve(curve: Sequence[tuple[float, float]], distance: float) -> float:
    """Raw value over distance (m), linear between the points; beyond the last one its value."""
    place = bisect_left(curve, (distance,))
    if place == 0:
        return curve[0][1]
    if place == len(curve):
        return curve[-1][1]
    (near, high), (far, low) = curve[place - 1], curve[place]
    return high + (low - high) * (distance - near) / (far - near)
