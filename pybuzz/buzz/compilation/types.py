"""Sets of types, one bit each."""

from __future__ import annotations

__all__ = ["ANY", "CLOSURE", "FLOAT", "INTEGER", "NIL", "NUMBER", "STRING", "TABLE", "USERDATA", "Types", "type_bit"]

Types = int

NIL, INTEGER, FLOAT, STRING, TABLE, CLOSURE, USERDATA = (1 << bit for bit in range(7))
NUMBER = INTEGER | FLOAT
ANY = NIL | NUMBER | STRING | TABLE | CLOSURE | USERDATA

_BITS = {
    "nil": NIL, "integer": INTEGER, "float": FLOAT, "string": STRING, "table": TABLE, "closure": CLOSURE,
    "userdata": USERDATA,
}  # fmt: skip


def type_bit(type_name: str) -> Types:
    """The set of the one type with this name."""
    return _BITS[type_name]
