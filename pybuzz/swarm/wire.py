"""Objects and messages as bytes, exactly as the C runtime puts them on the air.

All integers are big-endian. What arrives is first decoded to neutral parts that no robot owns: plain values,
`WireTable` and `WireClosure`; a receiver turns those into its own tables and functions. Any bytes can be decoded: what
is not a message gives None.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import frexp, inf, ldexp
from struct import Struct
from typing import Any, Final, NamedTuple, TypeAlias

from pybuzz.buzz.single import to_single
from pybuzz.buzz.strings import StringIds
from pybuzz.buzz.tables import Table
from pybuzz.buzz.values import type_name

__all__ = [
    "BROADCAST", "DEEPEST_TABLE", "SWARM_JOIN", "SWARM_LEAVE", "SWARM_LIST", "VSTIG_PUT", "VSTIG_QUERY", "Broadcast",
    "MalformedError", "Message", "StigmergyMessage", "SwarmMessage", "UnsendableError", "WireClosure", "WireTable",
    "Writer", "decode_float", "decode_message", "encode_float", "encode_swarm", "encode_swarm_list", "pack_messages",
    "read_plain", "split_messages", "used_bytes",
]  # fmt: skip

BROADCAST: Final = 0
SWARM_LIST: Final = 1
VSTIG_PUT: Final = 2
VSTIG_QUERY: Final = 3
SWARM_JOIN: Final = 4
SWARM_LEAVE: Final = 5

_NIL, _INTEGER, _FLOAT, _STRING, _TABLE, _CLOSURE = range(6)
_NIL_MARK, _INTEGER_MARK, _FLOAT_MARK, _STRING_MARK = (bytes((kind,)) for kind in range(4))
_TOPIC_MARKS = bytes((BROADCAST, _STRING))
_KEY_CLASSES = frozenset((int, float, str))
_LARGEST_TABLE = 255
_LONGEST_STRING = 0xFFFF
DEEPEST_TABLE: Final = 50
"""Tables nested deeper than this are neither sent nor accepted: it is how a cycle is found out."""

_U16 = Struct(">H")
_I32 = Struct(">i")
_INTEGER_VALUE = Struct(">Bi")
_FLOAT_PARTS = Struct(">ii")
_CLOSURE_PARTS = Struct(">BI")
_TIMESTAMP_AND_ROBOT = Struct(">HH")
_ZERO = bytes(8)
_LARGEST_UNITS = 2**31 - 2
_NOT_FINITE = _FLOAT_PARTS.pack(-(2**31), 0)


class UnsendableError(ValueError):
    """The value cannot be put on the air; the text says why."""


class MalformedError(ValueError):
    """The bytes are not what an encoder makes."""


class WireClosure(NamedTuple):
    """A function as it travels: its place in the list of the program's functions, or of the host's."""

    of_script: bool
    place: int


class WireTable(NamedTuple):
    """A table as it travels: its entries in Buzz's order."""

    entries: tuple[tuple[Any, Any], ...]


class Broadcast(NamedTuple):
    """What `neighbors.broadcast` sent."""

    topic: str
    value: Any


@dataclass(frozen=True, slots=True)
class StigmergyMessage:
    """A PUT or QUERY (`kind`) of one entry of the store with number `store`."""

    kind: int
    store: int
    key: Any
    value: Any
    timestamp: int
    robot: int


@dataclass(frozen=True, slots=True)
class SwarmMessage:
    """A JOIN or LEAVE of one swarm, or the LIST of all joined ones."""

    kind: int
    swarms: tuple[int, ...]


Message: TypeAlias = Broadcast | StigmergyMessage | SwarmMessage


# Values


def encode_float(value: float) -> bytes:
    """Eight bytes: i32 mantissa, i32 exponent.

    Exact for every value of single precision; a double keeps 32 significant bits, rounded to nearest. Infinities and
    nan have no code of their own in the C runtime and become what arrives there as -1.0.
    """
    if value == 0.0:
        return _ZERO
    if value - value != 0.0:
        return _NOT_FINITE
    fraction, exponent = frexp(abs(value))
    units = (fraction - 0.5) * 4294967296.0
    if units > _LARGEST_UNITS + 1:
        units, exponent = 0.0, exponent + 1
    mantissa = min(round(units), _LARGEST_UNITS) + 1
    return _FLOAT_PARTS.pack(-mantissa if value < 0.0 else mantissa, exponent)


def decode_float(mantissa: int, exponent: int) -> float:
    """The inverse of `encode_float`, defined for any two numbers."""
    if mantissa == 0:
        return 0.0
    fraction = 1.0 if mantissa == -(2**31) else (abs(mantissa) - 1) / 4294967296.0 + 0.5
    try:
        magnitude = ldexp(fraction, exponent)
    except OverflowError:
        magnitude = inf
    return -magnitude if mantissa < 0 else magnitude


class Writer:
    """Puts the values of one robot on the wire.

    ids: its string ids, for the order of tables; closure_code: the place of a function in the program, or None for
    one that cannot travel; spend_bytes: takes the bytes of each payload from the script's budget. The methods raise
    UnsendableError.
    """

    __slots__ = ("_closure_code", "_ids", "_spend_bytes")

    def __init__(
        self,
        ids: StringIds,
        closure_code: Callable[[Any], WireClosure | None],
        spend_bytes: Callable[[int], None] = lambda count: None,
    ) -> None:
        self._ids = ids
        self._closure_code = closure_code
        self._spend_bytes = spend_bytes

    def broadcast(self, topic: str, value: Any) -> bytes:
        """The payload of a broadcast."""
        payload = _head_of_broadcasts(topic) + self.value(value)
        self._spend_bytes(len(payload))
        return payload

    def stigmergy(self, message: StigmergyMessage) -> bytes:
        """The payload of a PUT or QUERY."""
        out = bytearray((message.kind,))
        out += _U16.pack(message.store)
        self._append(out, message.key, 0)
        self._append(out, message.value, 0)
        out += _TIMESTAMP_AND_ROBOT.pack(message.timestamp, message.robot)
        self._spend_bytes(len(out))
        return bytes(out)

    def value(self, value: Any) -> bytes:
        """A type byte and the value."""
        if value.__class__ is int:
            return _INTEGER_VALUE.pack(_INTEGER, value)
        out = bytearray()
        self._append(out, value, 0)
        return bytes(out)

    def _append(self, out: bytearray, value: Any, depth: int) -> None:
        kind = value.__class__
        if value is None:
            out.append(_NIL)
        elif kind is int:
            out.append(_INTEGER)
            out += _I32.pack(value)
        elif kind is float:
            out.append(_FLOAT)
            out += encode_float(value)
        elif kind is str:
            _append_string(out, value)
        elif isinstance(value, Table):
            self._append_table(out, value, depth)
        else:
            self._append_closure(out, value)

    def _append_table(self, out: bytearray, table: Table, depth: int) -> None:
        if len(table) > _LARGEST_TABLE:
            raise UnsendableError(f"a table of {len(table)} entries can't be sent, at most {_LARGEST_TABLE}")
        if depth >= DEEPEST_TABLE:
            raise UnsendableError(f"a table that contains itself, or over {DEEPEST_TABLE} levels, can't be sent")
        out.append(_TABLE)
        out.append(len(table))
        for key, value in table.ordered_items(self._ids):
            self._append(out, key, depth + 1)
            self._append(out, value, depth + 1)

    def _append_closure(self, out: bytearray, value: Any) -> None:
        code = self._closure_code(value)
        if code is None:
            kind = type_name(value)
            what = "a closure that captured variables" if kind == "closure" else f"a {kind} value"
            raise UnsendableError(f"{what} can't be sent")
        out.append(_CLOSURE)
        out += _CLOSURE_PARTS.pack(code.of_script, code.place)


@lru_cache(maxsize=100)
def _head_of_broadcasts(topic: str) -> bytes:
    """What is the same in all messages of a topic."""
    out = bytearray((BROADCAST,))
    _append_string(out, topic)
    return bytes(out)


def _append_string(out: bytearray, text: str) -> None:
    if len(text) > _LONGEST_STRING:
        raise UnsendableError(f"a string of {len(text)} characters can't be sent, at most {_LONGEST_STRING}")
    out.append(_STRING)
    out += _U16.pack(len(text))
    out += text.encode("latin-1")


def _read_value(data: bytes, at: int, single: bool, depth: int = 0) -> tuple[Any, int]:
    """The value that begins at a place, and the place after it: None, int, float, str, WireTable or WireClosure.

    This and the other readers raise MalformedError, or what Python raises where the bytes end too early.
    """
    kind = data[at]
    at += 1
    if kind == _INTEGER:
        return _I32.unpack_from(data, at)[0], at + 4
    if kind == _FLOAT:
        number = decode_float(*_FLOAT_PARTS.unpack_from(data, at))
        return to_single(number) if single else number, at + 8
    if kind == _STRING:
        return _read_string(data, at)
    if kind == _NIL:
        return None, at
    if kind == _TABLE:
        return _read_table(data, at, single, depth)
    if kind == _CLOSURE:
        of_script, index = _CLOSURE_PARTS.unpack_from(data, at)
        return WireClosure(bool(of_script), index), at + 5
    raise MalformedError(f"there is no type {kind}")


def _read_string(data: bytes, at: int) -> tuple[str, int]:
    """The string whose length begins at a place, and the place after it."""
    end = at + 2 + _U16.unpack_from(data, at)[0]
    if end > len(data):
        raise MalformedError("the message ends too early")
    return data[at + 2 : end].decode("latin-1"), end


def _read_table(data: bytes, at: int, single: bool, depth: int) -> tuple[WireTable, int]:
    if depth >= DEEPEST_TABLE:
        raise MalformedError("tables are nested too deeply")
    entries = []
    count = data[at]
    at += 1
    for _ in range(count):
        key, at = _read_value(data, at, single, depth + 1)
        if key.__class__ not in _KEY_CLASSES:
            raise MalformedError("a table key is neither a number nor a string")
        value, at = _read_value(data, at, single, depth + 1)
        entries.append((key, value))
    return WireTable(tuple(entries)), at


# Messages


def encode_swarm(kind: int, swarm: int) -> bytes:
    """The payload of a JOIN or LEAVE."""
    return bytes((kind,)) + _U16.pack(swarm)


def encode_swarm_list(swarms: list[int]) -> bytes:
    """The payload of a LIST."""
    return b"".join((bytes((SWARM_LIST,)), _U16.pack(len(swarms)), *map(_U16.pack, swarms)))


def read_plain(payload: bytes, *, single: bool = False) -> tuple[str, Any] | None:
    """Topic and value of a broadcast of a number, a string or nil, as most messages are. None: it is another one.

    What `decode_message` says of them, in a fifth of the time.
    """
    if payload[:2] != _TOPIC_MARKS:
        return None
    end = 4 + int.from_bytes(payload[2:4], "big")
    kind, room = payload[end : end + 1], len(payload) - end - 1
    value: Any = None
    if kind == _INTEGER_MARK and room >= _I32.size:
        (value,) = _I32.unpack_from(payload, end + 1)
    elif kind == _FLOAT_MARK and room >= _FLOAT_PARTS.size:
        value = decode_float(*_FLOAT_PARTS.unpack_from(payload, end + 1))
        value = to_single(value) if single else value
    elif kind == _STRING_MARK and room >= 2 + (length := int.from_bytes(payload[end + 1 : end + 3], "big")):
        value = payload[end + 3 : end + 3 + length].decode("latin-1")
    elif kind != _NIL_MARK:
        return None
    return payload[4:end].decode("latin-1"), value


def decode_message(payload: bytes, *, single: bool = False) -> Message | None:
    """The message of a payload, or None when it is malformed.

    Bytes after the message do not matter, as in the C runtime. single: floats are rounded to single precision, for
    programs that keep all theirs so.
    """
    try:
        return _read_message(payload, single)
    except (MalformedError, struct.error, IndexError):
        return None


def _read_message(data: bytes, single: bool) -> Message:
    kind = data[0]
    if kind == BROADCAST:
        return _read_broadcast(data, single)
    if kind in (VSTIG_PUT, VSTIG_QUERY):
        return _read_stigmergy(kind, data, single)
    if kind == SWARM_LIST:
        count = _U16.unpack_from(data, 1)[0]
        return SwarmMessage(kind, tuple(_U16.unpack_from(data, 3 + 2 * place)[0] for place in range(count)))
    if kind in (SWARM_JOIN, SWARM_LEAVE):
        return SwarmMessage(kind, _U16.unpack_from(data, 1))
    raise MalformedError(f"there is no message {kind}")


def _read_broadcast(data: bytes, single: bool) -> Broadcast:
    if data[1] != _STRING:
        raise MalformedError("there is no topic")
    topic, at = _read_string(data, 2)
    value, _ = _read_value(data, at, single)
    return Broadcast(topic, value)


def _read_stigmergy(kind: int, data: bytes, single: bool) -> StigmergyMessage:
    store = _U16.unpack_from(data, 1)[0]
    key, at = _read_value(data, 3, single)
    value, at = _read_value(data, at, single)
    if isinstance(key, WireTable | WireClosure):
        raise MalformedError("no two robots share a key that is a table or a closure")
    return StigmergyMessage(kind, store, key, value, *_TIMESTAMP_AND_ROBOT.unpack_from(data, at))


# Packets


def pack_messages(robot_id: int, payloads: list[bytes], size: int) -> bytes:
    """A packet of `size` bytes: sender, then each payload after its length, then zeros."""
    data = _U16.pack(robot_id & 0xFFFF)
    for payload in payloads:
        data += _U16.pack(len(payload)) + payload
    return data.ljust(size, b"\0")


def split_messages(data: bytes) -> list[bytes]:
    """The payloads of a packet in the order of sending.

    Reads until a length of 0, or until at most 2 bytes are left; a length beyond the rest is passed over.
    """
    payloads = []
    at, end = 2, len(data)
    while end - at > 2:
        length = int.from_bytes(data[at : at + 2], "big")
        at += 2
        if length == 0:
            break
        if length <= end - at:
            payloads.append(data[at : at + length])
            at += length
    return payloads


def used_bytes(data: bytes) -> int:
    """How many bytes of a packet are used: 2 for the robot's number, and those of its messages with their lengths."""
    return 2 + sum(len(payload) + 2 for payload in split_messages(data))
