"""Values of the language as Python sees them, and how host code makes and checks them.

nil is None, integers are int within 32 bits, floats are float, strings are str with one character per byte
(latin-1), closures are Python functions; tables and userdata have classes of their own. Knows nothing of programs.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from math import copysign, isnan
from types import CellType, FunctionType
from typing import Any

__all__ = [
    "MAX_INTEGER", "MIN_INTEGER", "Arity", "BuzzFailure", "Userdata", "Value", "arity_failure", "bind",
    "expect_closure", "expect_integer", "expect_number", "expect_string", "expect_table", "format_value",
    "format_value_stream", "host_arity", "host_function", "host_method", "is_host_function", "mismatch",
    "string_from", "text_of", "truth", "type_name", "wrap32",
]  # fmt: skip

Value = Any
"""None, int, float, str, Table, a Python function, or Userdata."""

Arity = int | tuple[int, int | None]
"""Number of arguments: exact, or least and most (None: any number)."""

MIN_INTEGER = -(2**31)
MAX_INTEGER = 2**31 - 1

_TYPE_NAMES: dict[type, str] = {
    type(None): "nil", int: "integer", float: "float", str: "string", FunctionType: "closure",
}  # fmt: skip
_SELF = "_self"
_HOST_MARK = re.compile(r"(\S+)<(\d+)(-(\d*))?>")
_serials = itertools.count(1)


class BuzzFailure(Exception):  # noqa: N818 - it is not an error of ours
    """A script did something wrong. Built-ins raise it; the machine adds place and stack, making a ScriptError.

    kind is one of the kinds of run-time errors ("type mismatch", "wrong number of local variables",
    "division by zero", ...), detail the text after it, hint what to do about it.
    """

    def __init__(self, kind: str, detail: str = "", hint: str = "") -> None:
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind
        self.detail = detail
        self.hint = hint


class Userdata:
    """A value that only the host understands. Compares by identity, in order of creation."""

    __slots__ = ("payload", "serial")

    def __init__(self, payload: object) -> None:
        self.payload = payload
        self.serial = next(_serials)


_TYPE_NAMES[Userdata] = "userdata"


# Types and texts


def type_name(value: Value) -> str:
    """The name that `type(value)` gives in a script."""
    name = _TYPE_NAMES.get(value.__class__)
    if name is None:
        name = "table" if isinstance(value, dict) else "userdata"
    return name


def truth(value: Value) -> bool:
    """False for nil and for the integer 0 only; 0.0, "" and an empty table are true."""
    return value is not None and not (value == 0 and value.__class__ is int)


def wrap32(number: int) -> int:
    """`number` modulo 2^32, as a signed 32-bit integer."""
    return ((number + 0x80000000) & 0xFFFFFFFF) - 0x80000000


def string_from(text: str) -> str:
    """A Buzz string (one character per byte of UTF-8) from readable text."""
    return text.encode("utf-8", "surrogateescape").decode("latin-1")


def text_of(value: Value) -> str:
    """Readable text: a string's bytes read as UTF-8, any other value as `log` prints it."""
    text = value if isinstance(value, str) else format_value(value)
    return text.encode("latin-1", "replace").decode("utf-8", "replace")


def format_value(value: Value) -> str:
    """A value as bzzrun's `log` and `io.fwrite` print it: floats as C's %f. Strings stay bytes (see text_of)."""
    return _with_sign_of_nan(value, f"{value:f}") if isinstance(value, float) else _format_other(value)


def format_value_stream(value: Value) -> str:
    """A value as ARGoS's `log` prints it: floats with six significant digits, as C++ streams do."""
    return _with_sign_of_nan(value, f"{value:g}") if isinstance(value, float) else _format_other(value)


def _with_sign_of_nan(value: float, text: str) -> str:
    return "-nan" if isnan(value) and copysign(1.0, value) < 0 else text


def _format_other(value: Value) -> str:
    if value is None:
        return "[nil]"
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return str(value)
    if isinstance(value, dict):
        return f"[table with {len(value)} elems]"
    if isinstance(value, FunctionType):
        letter, place = ("c", 0) if is_host_function(value) else ("n", value.__code__.co_firstlineno)
        return f"[{letter}-closure @{place}]"
    return f"[userdata @{value.serial}]"


# Checks of arguments


def mismatch(expected: str, value: Value) -> BuzzFailure:
    """The failure "expected T, got U"."""
    return BuzzFailure("type mismatch", f"expected {expected}, got {type_name(value)}")


def expect_table(value: Value) -> Value:
    """`value`, which must be a table. Raises BuzzFailure."""
    if not isinstance(value, dict):
        raise mismatch("table", value)
    return value


def expect_string(value: Value) -> str:
    """`value`, which must be a string. Raises BuzzFailure."""
    if not isinstance(value, str):
        raise mismatch("string", value)
    return value


def expect_integer(value: Value) -> int:
    """`value`, which must be an integer. Raises BuzzFailure."""
    if not isinstance(value, int):
        raise mismatch("integer", value)
    return value


def expect_number(value: Value) -> int | float:
    """`value`, which must be an integer or a float. Raises BuzzFailure."""
    if not isinstance(value, int | float):
        raise mismatch("float or integer", value)
    return value


def expect_closure(value: Value) -> Callable[..., Value]:
    """`value`, which must be a closure of a script or of the host. Raises BuzzFailure."""
    if not isinstance(value, FunctionType):
        raise mismatch("closure", value)
    return value


# Functions of the host


def host_function(name: str, arity: Arity, call: Callable[..., Value]) -> FunctionType:
    """A closure for scripts that runs `call(*arguments)`. The number of arguments is checked exactly.

    A plain function whose parameters agree with `arity` is taken as it is, so that a call costs nothing more.
    """
    least, most = _bounds(arity)
    if isinstance(call, FunctionType) and _takes(call, least, most):
        function = _copy(call, call.__closure__)
    else:

        def function(*arguments: Value) -> Value:  # type: ignore[misc]
            if len(arguments) < least or (most is not None and len(arguments) > most):
                raise arity_failure(arity, len(arguments))
            return call(*arguments)

    _mark(function, name, least, most)
    return function


def host_method(name: str, arity: Arity, call: Callable[..., Value]) -> FunctionType:
    """A closure that runs `call(self_table, *arguments)`; its self is the table that it was stored in last."""
    least, most = _bounds(arity)
    _self: Value = None

    def method(*arguments: Value) -> Value:
        if len(arguments) < least or (most is not None and len(arguments) > most):
            raise arity_failure(arity, len(arguments))
        return call(_self, *arguments)

    assert isinstance(method, FunctionType)
    _mark(method, name, least, most)
    return method


def bind(function: FunctionType, table: Value) -> FunctionType:
    """The copy of a closure that is stored into `table`: its `self` is the table. Itself if it has no self."""
    names = function.__code__.co_freevars
    if _SELF not in names:
        return function
    cells = list(function.__closure__ or ())
    cells[names.index(_SELF)] = CellType(table)
    return _copy(function, tuple(cells))


def is_host_function(function: FunctionType) -> bool:
    """Whether the host made this closure."""
    return _HOST_MARK.fullmatch(function.__qualname__) is not None


def host_arity(qualified_name: str) -> Arity | None:
    """The arity that host_function wrote into a function's qualified name, which Python's messages quote."""
    found = _HOST_MARK.match(qualified_name)
    if not found:
        return None
    least = int(found[2])
    if found[3] is None:
        return least
    return least, int(found[4]) if found[4] else None


def arity_failure(arity: Arity, given: int) -> BuzzFailure:
    """The failure of a built-in that got `given` arguments."""
    least, most = _bounds(arity)
    if least == most:
        expected = str(least)
    elif most is None:
        expected = f"at least {least}"
    elif most == least + 1:
        expected = f"{least} or {most}"
    else:
        expected = ", ".join(str(number) for number in range(least, most)) + f", or {most}"
    return BuzzFailure("wrong number of local variables", f"expected {expected} parameters, got {given}")


def _bounds(arity: Arity) -> tuple[int, int | None]:
    return (arity, arity) if isinstance(arity, int) else arity


def _takes(call: FunctionType, least: int, most: int | None) -> bool:
    code = call.__code__
    optional = len(call.__defaults__ or ())
    any_number = bool(code.co_flags & 0x04)
    fits = code.co_argcount - optional == least and (any_number if most is None else code.co_argcount == most)
    return fits and any_number == (most is None) and not code.co_kwonlyargcount and not code.co_flags & 0x08


def _copy(function: FunctionType, cells: tuple[CellType, ...] | None) -> FunctionType:
    copy = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__, cells)
    copy.__qualname__ = function.__qualname__
    return copy


def _mark(function: FunctionType, name: str, least: int, most: int | None) -> None:
    # Python quotes the qualified name when it is called with a wrong number of arguments.
    function.__name__ = name
    bounds = str(least) if least == most else f"{least}-{'' if most is None else most}"
    function.__qualname__ = f"{name}<{bounds}>"
