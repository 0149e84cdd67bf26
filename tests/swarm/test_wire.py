"""The wire format, byte for byte. The hex strings are the examples of the Buzz reference's chapter on messages."""

from __future__ import annotations

from math import inf, nan
from struct import pack, unpack
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybuzz.buzz.strings import StringIds
from pybuzz.buzz.tables import Table
from pybuzz.buzz.values import Userdata
from pybuzz.swarm.packets import OTHERS, Packet
from pybuzz.swarm.wire import (
    DEEPEST_TABLE,
    SWARM_JOIN,
    SWARM_LEAVE,
    SWARM_LIST,
    VSTIG_PUT,
    VSTIG_QUERY,
    Broadcast,
    StigmergyMessage,
    SwarmMessage,
    UnsendableError,
    WireClosure,
    WireTable,
    Writer,
    decode_float,
    decode_message,
    encode_float,
    encode_swarm,
    encode_swarm_list,
    pack_messages,
    read_plain,
    split_messages,
)

writer = Writer(StringIds(), lambda function: WireClosure(True, 7) if function is print else None)

integers = st.integers(-(2**31), 2**31 - 1)
singles = st.floats(width=32, allow_nan=False, allow_infinity=False)
doubles = st.floats(-1e308, 1e308)
strings = st.text(st.characters(max_codepoint=255), max_size=20)
keys = integers | singles | strings


def tables_of(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Table]:
    return st.dictionaries(keys, values, max_size=6).map(lambda entries: Table.of(entries.items()))


values = st.recursive(integers | singles | strings, tables_of, max_leaves=20)


def plain(value: Any) -> Any:
    """Tables and wire tables as dicts, for comparison."""
    if isinstance(value, WireTable):
        return {key: plain(item) for key, item in value.entries}
    if isinstance(value, Table):
        return {key: plain(item) for key, item in value.items()}
    return value


def broadcast(data: bytes) -> bytes:
    """The payload of a broadcast of an encoded value."""
    return writer.broadcast("", None)[:-1] + data


def read(data: bytes, *, single: bool = False) -> Any:
    message = decode_message(broadcast(data), single=single)
    assert isinstance(message, Broadcast)
    return message.value


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (1.5, "4000000100000001"),
        (unpack(">f", pack(">f", -0.1))[0], "b33332fffffffffd"),
        (0.0, "0000000000000000"),
        (-0.0, "0000000000000000"),
    ],
)
def test_floats_have_the_codes_of_the_reference(number: float, code: str) -> None:
    assert encode_float(number).hex() == code


@given(singles)
def test_a_single_precision_float_survives_exactly(number: float) -> None:
    assert decode_float(*unpack(">ii", encode_float(number))) == number


@given(doubles)
def test_a_double_keeps_32_significant_bits(number: float) -> None:
    once = decode_float(*unpack(">ii", encode_float(number)))
    assert once == pytest.approx(number, rel=2.0**-31, abs=0.0)
    assert encode_float(once) == encode_float(number)


@pytest.mark.parametrize("number", [inf, -inf, nan])
def test_what_is_not_finite_arrives_as_minus_one(number: float) -> None:
    assert decode_float(*unpack(">ii", encode_float(number))) == -1.0


@given(integers, integers)
def test_any_two_numbers_decode_to_a_float(mantissa: int, exponent: int) -> None:
    assert isinstance(decode_float(mantissa, exponent), float)


def test_decoding_for_single_precision_rounds() -> None:
    tenth = unpack(">f", pack(">f", 0.1))[0]
    data = writer.value(0.1)

    assert read(data, single=True) == tenth
    assert read(data) == pytest.approx(0.1, rel=2.0**-31, abs=0.0)


@given(values)
def test_values_survive_the_wire(value: Any) -> None:
    assert plain(read(writer.value(value))) == plain(value)


def test_a_table_travels_in_walking_order() -> None:
    ids = StringIds({"a": 2})
    table = Table.of([("a", 1), (2, 0.0)])
    after_a = Table.of([(2, 0.0), ("a", 1)])

    to_bytes = Writer(ids, lambda function: None).value

    assert to_bytes(table).hex() == "0402" + "03000161" + "0100000001" + "0100000002" + "020000000000000000"
    assert to_bytes(after_a).hex() == "0402" + "0100000002" + "020000000000000000" + "03000161" + "0100000001"


def test_a_function_travels_as_its_place_in_the_program() -> None:
    assert writer.value(print).hex() == "050100000007"
    assert read(bytes.fromhex("050100000007")) == WireClosure(True, 7)


def test_messages_have_the_codes_of_the_reference() -> None:
    assert writer.broadcast("t", 1).hex() == "00030001740100000001"
    put = StigmergyMessage(VSTIG_PUT, 1, "a", 5, 1, 0)
    assert writer.stigmergy(put).hex() == "02" + "0001" + "03000161" + "0100000005" + "0001" + "0000"
    query = StigmergyMessage(VSTIG_QUERY, 1, "zz", None, 0, 0)
    assert writer.stigmergy(query).hex() == "03" + "0001" + "0300027a7a" + "00" + "0000" + "0000"
    assert encode_swarm(SWARM_JOIN, 300).hex() == "04012c"
    assert encode_swarm_list([1, 300]).hex() == "010002" + "0001" + "012c"


def test_messages_are_read_back() -> None:
    put = StigmergyMessage(VSTIG_PUT, 1, "a", 5, 1, 9)

    assert decode_message(writer.broadcast("topic", "text")) == Broadcast("topic", "text")
    assert decode_message(writer.stigmergy(put)) == put
    assert decode_message(encode_swarm(SWARM_LEAVE, 3)) == SwarmMessage(SWARM_LEAVE, (3,))
    assert decode_message(encode_swarm_list([4, 2])) == SwarmMessage(SWARM_LIST, (4, 2))


def test_bytes_after_a_message_do_not_matter() -> None:
    assert decode_message(writer.broadcast("t", 1) + b"\7\7") == Broadcast("t", 1)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (Userdata(None), "a userdata value can't be sent"),
        (lambda: None, "a closure that captured variables can't be sent"),
        ("x" * 65536, "a string of 65536 characters can't be sent, at most 65535"),
        (Table.of((key, 1) for key in range(256)), "a table of 256 entries can't be sent, at most 255"),
    ],
)
def test_what_cannot_travel_says_why(value: Any, reason: str) -> None:
    with pytest.raises(UnsendableError, match=reason):
        writer.broadcast("t", Table.of([("inner", value)]))


def test_a_table_that_contains_itself_cannot_travel() -> None:
    table = Table()
    table.store("self", table)

    with pytest.raises(UnsendableError, match="contains itself"):
        writer.value(table)


def nested(levels: int) -> bytes:
    return b"\4\1\1\0\0\0\0" * levels + b"\0"


def test_tables_may_be_nested_up_to_the_limit_only() -> None:
    assert isinstance(read(nested(DEEPEST_TABLE)), WireTable)
    assert decode_message(broadcast(nested(DEEPEST_TABLE + 1))) is None


@pytest.mark.parametrize(
    "payload",
    [
        "",
        "09",
        "00010000000100",
        "000300ff74",
        "000300017406",
        "00030001740401000001",
        "0200010300016b0100000005",
        "02000105010000000001000000010001",
        "0100050001",
    ],
    ids=[
        "nothing",
        "no such message",
        "topic is a number",
        "topic cut short",
        "value is userdata",
        "table key is nil",
        "no clock",
        "key is a closure",
        "list cut short",
    ],
)
def test_malformed_messages_are_none(payload: str) -> None:
    assert decode_message(bytes.fromhex(payload)) is None


@given(st.binary(max_size=60))
def test_any_bytes_decode_to_a_message_or_none(payload: bytes) -> None:
    message = decode_message(payload)
    assert message is None or isinstance(message, Broadcast | StigmergyMessage | SwarmMessage)


payloads = st.lists(st.binary(min_size=1, max_size=12), max_size=5)


@given(payloads, st.integers(0, 65535))
def test_a_packet_gives_its_messages_back(sent: list[bytes], robot: int) -> None:
    data = pack_messages(robot, sent, 100)

    assert len(data) == 100
    assert Packet(data).robot_id == robot
    assert split_messages(data) == sent


def test_a_length_beyond_the_rest_is_passed_over() -> None:
    data = bytes.fromhex("0001" + "00ff" + "0003" + "04012c" + "0000")
    assert split_messages(data) == [bytes.fromhex("04012c")]


@given(st.binary(max_size=60))
def test_any_bytes_are_a_packet(data: bytes) -> None:
    packet = Packet(data)

    assert 0 <= packet.robot_id < 65536
    assert not (packet.is_silent and packet.messages(single=False))


def test_messages_of_a_packet_are_processed_from_the_last_to_the_first() -> None:
    sent = [writer.broadcast("a", 1), encode_swarm(SWARM_JOIN, 3), writer.broadcast("b", 2)]
    packet = Packet(pack_messages(1, sent, 60))

    assert packet.messages(single=True) == (
        Broadcast("b", 2),
        SwarmMessage(SWARM_JOIN, (3,)),
        Broadcast("a", 1),
    )
    assert packet.plain_broadcasts(single=True) is OTHERS


def test_broadcasts_of_plain_values_are_shared() -> None:
    packet = Packet(pack_messages(1, [writer.broadcast("a", 1), writer.broadcast("b", "x")], 60))
    with_table = Packet(pack_messages(1, [writer.broadcast("a", Table())], 60))

    assert packet.plain_broadcasts(single=False) == [("b", "x"), ("a", 1)]
    assert with_table.plain_broadcasts(single=False) is OTHERS


def payloads() -> st.SearchStrategy[bytes]:
    """Broadcasts, whole, cut short and with bytes behind them; and any other bytes."""
    whole = st.builds(writer.broadcast, strings, st.none() | values)
    cut = st.builds(lambda payload, end: payload[:end], whole, st.integers(0, 40))
    return whole | cut | st.builds(bytes.__add__, whole, st.binary(max_size=3)) | st.binary(max_size=12)


@given(payloads(), st.booleans())
def test_the_short_way_to_plain_broadcasts_says_what_the_long_way_says(payload: bytes, single: bool) -> None:
    message = decode_message(payload, single=single)
    is_plain = isinstance(message, Broadcast) and not isinstance(message.value, WireTable | WireClosure)

    short = read_plain(payload, single=single)

    assert short == ((message.topic, message.value) if is_plain else None)


def test_a_packet_with_one_malformed_message_still_delivers_the_others() -> None:
    packet = Packet(pack_messages(1, [writer.broadcast("a", 1), b"\0\3"], 60))

    assert packet.plain_broadcasts(single=False) is OTHERS
    assert packet.messages(single=False) == (Broadcast("a", 1),)
