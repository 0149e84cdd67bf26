"""The eight light sensors, as documented and as ARGoS 3 simulates them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import kernel, kernel_part
from pybuzz.khepera.model import Light
from pybuzz.sim.maps import Frame
from pybuzz.sim.rays import beams_to, first_hit, turn
from pybuzz.sim.sensors.mounts import Carriers, UniformNoise
from pybuzz.sim.sensors.surroundings import Surroundings

__all__ = ["ArgosLightSensor", "LightSensor"]


class LightSensor:
    """Sum over visible lights of (intensity / distance)^2, at most 1, times the angular fall-off; limited to [0, 1].

    Distance and sight count from the sensor. The fall-off is 1 - 2 delta/pi, delta the angle in the plane between the
    sensor's direction and the light. (Documentation of the Khepera IV in Buzz.)
    """

    def __init__(self, carriers: Carriers, ring: Light) -> None:
        self.robots = carriers.robots
        self.width = len(ring.angles)
        self._angles = np.radians(ring.angles)
        self._places = beams_to(self._angles, ring.radius, 0.0, ring.height)[:, :3].copy()
        self._noise = UniformNoise.of_levels(carriers, self.width)

    def before(self, around: Surroundings) -> float:
        return 0.0

    def measure(self, around: Surroundings) -> NDArray[np.float64]:
        lights, own = around.world.lights, around.world.robot_bodies[self.robots]
        poses = around.poses[self.robots]
        rays = (lights.positions, lights.intensities, self._places, self._angles)
        values = _documented(*around.scene, own, poses, *rays)
        self._noise.add_to(values, around.tick)
        return np.clip(values, 0.0, 1.0)


class ArgosLightSensor:
    """ARGoS 3: exp(-2 D) within D = 2.5, D the distance from the robot's centre over the intensity.

    Five sensors get a share, chosen in steps of 15 degrees although the sensors are 45 degrees apart.
    """

    def __init__(self, carriers: Carriers, ring: Light) -> None:
        self.robots = carriers.robots
        self.width = len(ring.angles)
        self._angles = np.radians(ring.angles)
        self._noise = UniformNoise.of_levels(carriers, self.width)

    def before(self, around: Surroundings) -> float:
        return 0.0

    def measure(self, around: Surroundings) -> NDArray[np.float64]:
        lights, own = around.world.lights, around.world.robot_bodies[self.robots]
        by_name = sorted(range(len(lights)), key=lambda light: lights.names[light])
        poses = around.yaw_poses[self.robots]
        rays = (lights.positions[by_name], lights.intensities[by_name], self._angles)
        values = _simulated(*around.scene, own, poses, *rays)
        self._noise.add_to(values, around.tick)
        return np.clip(values, 0.0, 1.0)


@kernel_part
def _turn_between(one: float, other: float) -> float:
    """The angle between two directions, in [0, pi]."""
    difference = abs(one - other) % (2.0 * math.pi)
    return min(difference, 2.0 * math.pi - difference)


@kernel
def _documented(
    lattice: NDArray[np.float64],
    tallest: NDArray[np.float64],
    starts: NDArray[np.int32],
    items: NDArray[np.int32],
    outlines: NDArray[np.float64],
    frame: Frame,
    cells: NDArray[np.uint8],
    own: NDArray[np.int64],
    poses: NDArray[np.float64],
    lights: NDArray[np.float64],
    intensities: NDArray[np.float64],
    places: NDArray[np.float64],
    angles: NDArray[np.float64],
) -> NDArray[np.float64]:
    """float64[k, m], not yet limited: sensors at places[m, 3] in the robot's frame, looking along angles[m]."""
    values = np.zeros((len(own), len(angles)))
    for i in range(len(own)):
        x, y, angle = poses[i]
        w, q = math.cos(0.5 * angle), math.sin(0.5 * angle)
        for j in range(len(angles)):
            ax, ay, az = turn(places[j, 0], places[j, 1], places[j, 2], w, q)
            ax, ay = ax + x, ay + y
            for light in range(len(lights)):
                bx, by, bz = lights[light]
                dx, dy, dz = bx - ax, by - ay, bz - az
                delta = _turn_between(math.atan2(dy, dx), angle + angles[j])
                fall_off = 1.0 - 2.0 * delta / math.pi
                if fall_off <= 0.0 or intensities[light] <= 0.0:
                    continue
                _, hit = first_hit(
                    lattice, tallest, starts, items, outlines, frame, cells, ax, ay, az, bx, by, bz, own[i]
                )
                if hit < 0:
                    square = dx * dx + dy * dy + dz * dz
                    values[i, j] += min(1.0, intensities[light] * intensities[light] / square) * fall_off
    return values


@kernel
def _simulated(
    lattice: NDArray[np.float64],
    tallest: NDArray[np.float64],
    starts: NDArray[np.int32],
    items: NDArray[np.int32],
    outlines: NDArray[np.float64],
    frame: Frame,
    cells: NDArray[np.uint8],
    own: NDArray[np.int64],
    poses: NDArray[np.float64],
    lights: NDArray[np.float64],
    intensities: NDArray[np.float64],
    angles: NDArray[np.float64],
) -> NDArray[np.float64]:
    """float64[k, m], not yet limited; poses with yaw, lights in the order in which ARGoS adds them up."""
    values = np.zeros((len(own), len(angles)))
    for i in range(len(own)):
        x, y, yaw = poses[i]
        for light in range(len(lights)):
            intensity = intensities[light]
            bx, by, bz = lights[light]
            if intensity <= 0.0:
                continue
            _, hit = first_hit(lattice, tallest, starts, items, outlines, frame, cells, x, y, 0.0, bx, by, bz, own[i])
            if hit >= 0:
                continue
            vx, vy, vz = (bx - x) / intensity, (by - y) / intensity, bz / intensity
            distance = math.sqrt(vx * vx + vy * vy + vz * vz)
            base = math.exp(-2.0 * distance) if distance <= 2.5 else 0.0
            direction = math.atan2(vy, vx) - yaw
            steps = direction / (math.pi / 12.0)
            nearest = int(steps + 0.5) if steps > 0.0 else int(steps - 0.5)
            for neighbor in range(nearest - 2, nearest + 3):
                j = neighbor % len(angles)
                values[i, j] += base * max(0.0, 1.0 - 2.0 * _turn_between(direction, angles[j]) / math.pi)
    return values
