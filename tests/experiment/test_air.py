"""What the air hands to minds: everybody's readings and packets, in the orders in which minds go through them."""

import numpy as np
import pytest

from pybuzz.experiment.air import Air, Heard
from pybuzz.radio import Links
from pybuzz.swarm.packets import Packet
from pybuzz.swarm.wire import pack_messages

NUMBERS = (13, 3, 11, 1, 20)
SILENT = 3


def heard_by_the_first() -> Heard:
    """Robot 13 hears all others, and they hear 13."""
    air = Air(None, None, NUMBERS, check_occlusions=False, used=True, single=False)  # type: ignore[arg-type]
    payloads = [[] if number == SILENT else [b"x"] for number in NUMBERS]
    air.put([Packet(pack_messages(number, sent, 20)) for number, sent in zip(NUMBERS, payloads, strict=True)])
    links = 2 * (len(NUMBERS) - 1)
    air.links = Links(
        np.array([0, 4, 5, 6, 7, 8]),
        np.array([1, 2, 3, 4, 0, 0, 0, 0]),
        np.arange(links) * 0.1,
        np.zeros(links),
        np.zeros(links),
    )
    first, *others = air.heard()
    assert [[packet.robot_id for packet in packets] for _, _, packets, _ in others] == [[13]] * 4
    return first


def test_readings_come_by_id_modulo_10_among_equals_in_order_of_creation() -> None:
    robots, (distances, _, _), _, in_order = heard_by_the_first()
    assert in_order
    assert list(robots) == [20, 11, 1, 3]
    assert distances == pytest.approx([30.0, 10.0, 20.0, 0.0])


def test_packets_come_by_id_modulo_20_without_silent_ones() -> None:
    assert [packet.robot_id for packet in heard_by_the_first()[2]] == [20, 1, 11]
