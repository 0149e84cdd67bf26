"""What becomes of each packet: received, or lost on the way, and to what."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pybuzz.radio import Links, Occluder, Radio
from pybuzz.recording import LOST_BY_LOSS, LOST_BY_OCCLUSION, RECEIVED, MessageRows
from pybuzz.sim.sensors import Sensors
from pybuzz.swarm.packets import Packet
from pybuzz.swarm.wire import used_bytes

__all__ = ["MessageTrace"]


class MessageTrace:
    """Listens in the place of who else would, and notes every packet that was in range of a receiver."""

    def __init__(self) -> None:
        self._rows = _no_rows()

    def listen(self, sensors: Sensors, radio: Radio, packets: Sequence[Packet], *, check_occlusions: bool) -> Links:
        """`sensors.listen`, noted."""
        tap = _Tap(radio)
        links = sensors.listen(tap, check_occlusions=check_occlusions)
        carried = _directions(tap.links)
        heard = np.isin(_keys(carried), _keys(_directions(links)))
        pairs = np.concatenate([tap.occluded, carried])
        status = np.concatenate(
            [np.full(len(tap.occluded), LOST_BY_OCCLUSION), np.where(heard, RECEIVED, LOST_BY_LOSS)]
        ).astype(np.uint8)
        order = np.lexsort((pairs[:, 0], pairs[:, 1]))
        senders, receivers = pairs[order].T
        sizes = np.array([used_bytes(packet.data) for packet in packets], dtype=np.int32)
        self._rows = MessageRows(senders.astype(np.int32), receivers.astype(np.int32), sizes[senders], status[order])
        return links

    def take(self) -> MessageRows:
        """What was noted in this tick, by receiver, then by sender: indices in order of creation."""
        rows, self._rows = self._rows, _no_rows()
        return rows


class _Tap(Radio):
    """A radio whose links are kept before any is lost, with those that something blocks."""

    def __init__(self, radio: Radio) -> None:
        self.height_m = radio.height_m
        self.links: Links
        self.occluded: NDArray[np.int64] = np.zeros((0, 2), dtype=np.int64)
        """int64[k, 2]: sender and receiver."""
        self._radio = radio

    @property
    def ranges_m(self) -> NDArray[np.float64]:
        return self._radio.ranges_m

    def silence(self, robot: int) -> None:
        self._radio.silence(robot)

    def exchange(self, poses: NDArray[np.float64], occluder: Occluder | None = None) -> Links:
        def look(antennas: NDArray[np.float64], pairs: NDArray[np.int64]) -> NDArray[np.bool_]:
            assert occluder is not None
            blocked = occluder(antennas, pairs)
            both = np.concatenate([pairs[blocked], pairs[blocked][:, ::-1]])
            apart = np.linalg.norm(antennas[both[:, 0]] - antennas[both[:, 1]], axis=1)
            self.occluded = both[apart < self.ranges_m[both[:, 0]]]
            return blocked

        self.links = self._radio.exchange(poses, None if occluder is None else look)
        return self.links


def _directions(links: Links) -> NDArray[np.int64]:
    """int64[m, 2]: sender and receiver of each link."""
    receivers = np.repeat(np.arange(len(links.starts) - 1), np.diff(links.starts))
    return np.stack([links.senders, receivers], axis=1)


def _keys(directions: NDArray[np.int64]) -> NDArray[np.int64]:
    return directions[:, 0] << 32 | directions[:, 1]


def _no_rows() -> MessageRows:
    none = np.zeros(0, dtype=np.int32)
    return MessageRows(none, none, none, np.zeros(0, dtype=np.uint8))
