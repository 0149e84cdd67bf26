"""The receiving end of the radio: lost packets, noisy bearings (ARGoS 3's range_and_bearing sensor)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import kernel
from pybuzz.radio import Links, Radio, antennas_of, bearings, facing
from pybuzz.sim.random_numbers import bernoulli_from, gaussian_from, uniform_from
from pybuzz.sim.sensors.mounts import Carriers
from pybuzz.sim.sensors.surroundings import Surroundings

__all__ = ["Hearing"]


class Hearing:
    """What the robots receive. Those without a noisy device hear what the radio carries, undisturbed."""

    def __init__(self, carriers: Carriers, robots: int) -> None:
        self._streams = carriers.streams()
        self._rows = np.full(robots, -1, dtype=np.int64)
        self._rows[carriers.robots[carriers.noisy()]] = np.arange(len(self._streams))
        devices = [carriers.mounts[place].device for place in carriers.noisy()]
        self._loss = np.array([device.noise.get("packet_drop_prob", 0.0) for device in devices], dtype=np.float64)
        self._deviation = np.array([device.noise.get("noise_std_dev", 0.0) for device in devices], dtype=np.float64)

    def take_over(self, other: Hearing, origins: Sequence[int | None]) -> None:
        """Go on with the random numbers of the robots that `other` served: robot i was origins[i] there."""
        for robot, origin in enumerate(origins):
            if origin is not None and self._rows[robot] >= 0:
                mine, theirs = self._rows[robot], other._rows[origin]
                self._streams.states[mine] = other._streams.states[theirs]
                self._streams.places[mine] = other._streams.places[theirs]

    def listen(self, radio: Radio, around: Surroundings, check_occlusions: bool) -> Links:
        """Exchange this tick's packets. To be called once per tick: every call draws."""
        links = radio.exchange(around.poses, around.blocked if check_occlusions else None)
        if not len(self._streams):
            return links
        antennas = antennas_of(around.poses, radio.heights_m)
        fields = (links.starts, links.senders, links.distance_m, links.azimuth_rad, links.elevation_rad)
        random = (self._streams.states, self._streams.places)
        return Links(*_disturbed(*fields, around.poses, antennas, self._rows, self._loss, self._deviation, *random))


@kernel
def _disturbed(
    starts: NDArray[np.int64],
    senders: NDArray[np.int64],
    distances: NDArray[np.float64],
    azimuths: NDArray[np.float64],
    elevations: NDArray[np.float64],
    poses: NDArray[np.float64],
    antennas: NDArray[np.float64],
    rows: NDArray[np.int64],
    losses: NDArray[np.float64],
    deviations: NDArray[np.float64],
    states: NDArray[np.uint32],
    places: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """The fields of Links after losses and noise. A noise vector is drawn as azimuth, inclination, length."""
    kept, count = starts.copy(), 0
    senders, distances, azimuths, elevations = senders.copy(), distances.copy(), azimuths.copy(), elevations.copy()
    for i in range(len(rows)):
        kept[i], row = count, rows[i]
        for link in range(starts[i], starts[i + 1]):
            if row >= 0 and losses[row] > 0.0 and bernoulli_from(states, places, row, losses[row]):
                continue
            j = senders[link]
            senders[count], distances[count] = j, distances[link]
            azimuths[count], elevations[count] = azimuths[link], elevations[link]
            if row >= 0 and deviations[row] > 0.0:
                azimuth = uniform_from(states, places, row, 0.0, 2.0 * math.pi)
                inclination = uniform_from(states, places, row, 0.0, math.pi)
                length = gaussian_from(states, places, row, deviations[row])
                vx = antennas[j, 0] - antennas[i, 0] + length * math.sin(inclination) * math.cos(azimuth)
                vy = antennas[j, 1] - antennas[i, 1] + length * math.sin(inclination) * math.sin(azimuth)
                vz = antennas[j, 2] - antennas[i, 2] + length * math.cos(inclination)
                w, q = facing(poses[i, 2])
                distances[count], azimuths[count], elevations[count] = bearings(vx, vy, vz, w, q)
            count += 1
    kept[len(rows)] = count
    return kept, senders[:count], distances[:count], azimuths[:count], elevations[:count]
