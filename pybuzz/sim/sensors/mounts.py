"""Devices as they are mounted on robots, and the uniform noise of all devices of one kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pybuzz.errors import InputError
from pybuzz.sim.random_numbers import Streams

__all__ = ["Carriers", "DeviceSpec", "Mount", "UniformNoise", "carriers_of", "needs_generator"]


class DeviceSpec(Protocol):
    """One device of a robot and its parameters, `noise` and `ranges` by their ARGoS names, `options` by its own."""

    @property
    def name(self) -> str: ...
    @property
    def noise(self) -> Mapping[str, float]: ...
    @property
    def ranges(self) -> Mapping[str, tuple[float, float]]: ...
    @property
    def num_readings(self) -> int: ...
    @property
    def options(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Mount:
    """A device on a robot; `seed` of its generator, needed if `needs_generator(device)`."""

    device: DeviceSpec
    seed: int | None = None


def needs_generator(device: DeviceSpec) -> bool:
    """Whether ARGoS would make a generator for this sensor, in the robot's order of devices: only for a noisy one."""
    if device.name == "radio":
        return any(device.noise.get(key, 0.0) > 0.0 for key in ("noise_std_dev", "packet_drop_prob"))
    return device.noise.get("noise_level", 0.0) > 0.0 or any(low != high for low, high in device.ranges.values())


@dataclass(frozen=True, slots=True)
class Carriers:
    """The robots that carry a device of one kind: robots int64[k], ascending, and each one's mount."""

    robots: NDArray[np.int64]
    mounts: tuple[Mount, ...]

    def __len__(self) -> int:
        return len(self.mounts)

    def noisy(self) -> list[int]:
        """Which of them need a generator, as places in `mounts`."""
        return [place for place, mount in enumerate(self.mounts) if needs_generator(mount.device)]

    def streams(self) -> Streams:
        """The generators of the noisy ones. Raises InputError if one has no seed."""
        return Streams([_seed_of(self.mounts[place]) for place in self.noisy()])

    def noise_levels(self) -> list[float]:
        """Of the noisy ones."""
        return [self.mounts[place].device.noise["noise_level"] for place in self.noisy()]


def _seed_of(mount: Mount) -> int:
    if mount.seed is None:
        raise InputError.at(mount.device.name, "a noisy sensor needs a seed", hint="draw one from the Seeder")
    return mount.seed


def carriers_of(name: str, mounts: Sequence[Sequence[Mount]]) -> Carriers:
    """Those of the robots, `mounts[robot]`, that carry a device of this name; a robot's last one of a name counts."""
    found = {
        robot: mount for robot, carried in enumerate(mounts) for mount in carried if mount.device.name == name
    }  # fmt: skip
    return Carriers(np.array(sorted(found), dtype=np.int64), tuple(found[robot] for robot in sorted(found)))


class UniformNoise:
    """What k noisy devices add to their readings: m uniform draws each per tick, low[k, m] to high[k, m].

    Ticks in which nobody looked have drawn as well: their numbers are passed over at the next look.
    """

    def __init__(self, places: Sequence[int], streams: Streams, low: NDArray[np.float64], high: NDArray[np.float64]):
        self.places = np.array(places, dtype=np.int64)
        self._streams = streams
        self._low, self._high = low, high
        self._drawn = 0

    @classmethod
    def of_levels(cls, carriers: Carriers, width: int) -> UniformNoise:
        """Noise in [-level, level] for each of `width` readings."""
        level = np.repeat(np.array(carriers.noise_levels()).reshape(-1, 1), width, axis=1)
        return cls(carriers.noisy(), carriers.streams(), -level, level)

    def draw(self, tick: int) -> NDArray[np.float64]:
        """float64[k, m]: the noise of this tick, to be asked for once per tick and in order."""
        missed = tick - self._drawn - 1
        self._drawn = tick
        return self._streams.uniform(self._low, self._high, missed * self._low.shape[1])

    def of_tick(self, tick: int) -> NDArray[np.float64]:
        """The same, at once if no device is noisy."""
        return self.draw(tick) if len(self.places) else self._low

    def add_to(self, values: NDArray[np.float64], tick: int) -> None:
        """Add this tick's noise to values[places]."""
        if len(self.places):
            values[self.places] += self.draw(tick)
