"""What is on the air: every robot's packet, and what the radio makes each robot hear of them."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from pybuzz.experiment.orders import Orders
from pybuzz.experiment.passages import MessageTrace, Passages
from pybuzz.radio import Links, Radio
from pybuzz.sim.sensors import Sensors
from pybuzz.swarm.neighbors import Readings
from pybuzz.swarm.packets import ROBOT_IDS, Packet

__all__ = ["Air", "Heard"]

Heard = tuple[Sequence[int], Readings, Sequence[Packet], bool]
"""Numbers of the robots that one robot hears in a tick, their readings, the packets of those who say anything, and
whether all this comes in the orders in which minds go through it."""

_SILENCE: Heard = ((), ((), (), ()), (), True)


class Air:
    """`sensors` listen to `radio` once per tick, if it is `used`: if anyone could tell what comes.

    single: readings rounded to single precision, for scripts that compute in it.
    """

    def __init__(
        self,
        sensors: Sensors,
        radio: Radio,
        numbers: Sequence[int],
        *,
        check_occlusions: bool,
        used: bool,
        single: bool,
    ) -> None:
        self.packets: list[Packet] = []
        """On the air in this tick, one of each robot, in order of creation."""
        self.links: Links | None = None
        self.used = used
        self._check_occlusions = check_occlusions
        self._single = single
        self._trace: MessageTrace | None = None
        self.change(sensors, radio, numbers)

    def change(self, sensors: Sensors, radio: Radio, numbers: Sequence[int]) -> None:
        """Robots came or went; these are their numeric ids now."""
        self._sensors, self._radio = sensors, radio
        self._robots = np.array(numbers, dtype=np.int64) % ROBOT_IDS
        self._orders: Orders | None = None
        self._all_differ = len(set(self._robots.tolist())) == len(numbers)

    def put(self, packets: list[Packet]) -> None:
        """The packets of the last step, sent in this tick."""
        self.packets = packets
        self.links = None

    def exchange(self) -> None:
        """Find out who hears whom, now that the robots have moved."""
        if self.used:
            self.links = self._sensors.listen(self._radio, check_occlusions=self._check_occlusions)
            if self._trace is not None:
                self._trace.note(self.passages(), self.packets)

    def trace(self) -> MessageTrace:
        """From now on, note what becomes of each packet, whether or not any script could tell."""
        self._trace = self._trace or MessageTrace()
        self.used = True
        return self._trace

    def passages(self) -> Passages:
        """Whose packet reached whom in this tick, and what kept it from the others in range; draws nothing."""
        count = len(self._robots)
        near = _pairs(self._sensors.reach(self._radio, check_occlusions=False), count)
        heard = near if self.links is None else _pairs(self.links, count)
        free = near
        if self._check_occlusions and len(heard) < len(near):
            free = _pairs(self._sensors.reach(self._radio, check_occlusions=True), count)
        return Passages(near % count, near // count, np.isin(near, heard), ~np.isin(near, free))

    @property
    def ranges_m(self) -> NDArray[np.float64]:
        """float64[robots]: how far each robot's packets go."""
        return self._radio.ranges_m

    def silence(self, robot: int) -> None:
        """Nobody hears the robot with this index any more."""
        self._radio.silence(robot)

    def heard(self) -> Iterator[Heard]:
        """What each robot hears, in order of creation."""
        links, packets = self.links, self.packets
        if links is None:
            yield from repeat(_SILENCE, len(packets))
            return
        orders = self._orders_of(links)
        robots, order, starts = orders.robots, orders.of_readings, orders.starts
        distances = self._numbers(links.distance_m[order] * 100.0)
        azimuths = self._numbers(links.azimuth_rad[order])
        # On one floor all antennas are equally high.
        level = not np.count_nonzero(links.elevation_rad)
        elevations = self._numbers(links.elevation_rad if level else links.elevation_rad[order])
        all_differ = self._all_differ
        first = 0
        for last, sent in zip(starts[1:], orders.sent(packets), strict=True):
            readings = (distances[first:last], azimuths[first:last], elevations[first:last])
            yield robots[first:last], readings, sent, all_differ
            first = last

    def _orders_of(self, links: Links) -> Orders:
        """Those of the last tick, while everybody hears the same robots as then."""
        orders = self._orders
        if orders is None or not orders.suit(links):
            orders = self._orders = Orders(links, self._robots)
        return orders

    def _numbers(self, values: NDArray[np.float64]) -> Sequence[float]:
        # Python's search for garbage passes arrays over; it would visit each of the ten thousand numbers in a list.
        return array("f", values.astype(np.float32).tobytes()) if self._single else array("d", values.tobytes())


def _pairs(links: Links, count: int) -> NDArray[np.int64]:
    """int64[m], ascending: receiver * count + sender of every link."""
    receivers = np.repeat(np.arange(count, dtype=np.int64), np.diff(links.starts))
    return receivers * count + links.senders
