"""What the passes before code generation found out about a program, and the sets of types they speak in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pybuzz.buzz.scopes import Function, Scopes, Variable
from pybuzz.buzz.tree import (
    Binary,
    Call,
    Expression,
    Field,
    Float,
    Index,
    Integer,
    Lambda,
    Logic,
    Name,
    Nil,
    Node,
    Not,
    String,
    TableConstructor,
    Unary,
)

__all__ = [
    "ANY", "CLOSURE", "FLOAT", "INTEGER", "NIL", "NUMBER", "STRING", "TABLE", "USERDATA", "Facts", "Types", "is_quiet",
]  # fmt: skip

Types = int
"""A set of types, one bit each."""

NIL, INTEGER, FLOAT, STRING, TABLE, CLOSURE, USERDATA = (1 << bit for bit in range(7))
NUMBER = INTEGER | FLOAT
ANY = NIL | NUMBER | STRING | TABLE | CLOSURE | USERDATA

HOST_ARGUMENTS = 4
"""Hosts call closures with at most this many arguments; script functions ignore what they do not name."""

_ALWAYS: Mapping[type, Types] = {
    Nil: NIL, Integer: INTEGER, Float: FLOAT, String: STRING, Lambda: CLOSURE, TableConstructor: TABLE, Not: INTEGER,
    Logic: INTEGER,
}  # fmt: skip


@dataclass(slots=True)
class Facts:
    """Everything the generators may rely on. The defaults know nothing and are always right.

    string_ids     ids of the program's strings
    variables      types a local may have when it is read
    globals        types a global may have when it is read; what is missing may be anything
    results        types a function may return
    known_calls    functions that are only ever called by name, with all their arguments
    counted        functions whose calls count against the budget, because they may call themselves
    walks_tables   whether any table may ever be walked, so that the order of stores matters
    longest_call   most arguments in any call of the script
    """

    scopes: Scopes
    single_precision: bool = False
    string_ids: Mapping[str, int] = field(default_factory=dict)
    variables: Mapping[Variable, Types] = field(default_factory=dict)
    globals: Mapping[str, Types] = field(default_factory=dict)
    results: Mapping[Function, Types] = field(default_factory=dict)
    named: Mapping[str, Function] = field(default_factory=dict)
    known_calls: frozenset[Function] = frozenset()
    counted: frozenset[Function] | None = None
    walks_tables: bool = True
    longest_call: int = HOST_ARGUMENTS

    def types_of(self, node: Expression) -> Types:
        """The types that an expression may have."""
        found = _ALWAYS.get(node.__class__)
        if found is not None:
            return found
        if isinstance(node, Name):
            variable = self.scopes.variables.get(node)
            return self.globals.get(node.name, ANY) if variable is None else self.variables.get(variable, ANY)
        if isinstance(node, Binary):
            return result_types(node.operator, self.types_of(node.left), self.types_of(node.right))
        if isinstance(node, Unary):
            types = self.types_of(node.operand)
            return {"!": INTEGER, "+": types}.get(node.operator, types & NUMBER or NUMBER)
        if isinstance(node, Call):
            return self._result(node)
        return ANY

    def is_counted(self, function: Function) -> bool:
        return self.counted is None or function in self.counted

    def _result(self, node: Call) -> Types:
        function = self.callee(node)
        return ANY if function is None else self.results.get(function, ANY)

    def callee(self, node: Call) -> Function | None:
        """The function that a call by name reaches, if there is only one that it can be."""
        target = node.function
        if isinstance(target, Name) and target not in self.scopes.variables:
            return self.named.get(target.name)
        return None


def result_types(operator: str, left: Types, right: Types) -> Types:
    """The types that an operator may give; failing operands give nothing."""
    if operator in ("==", "!=", "<", "<=", ">", ">=", "&", "|", "<<", ">>"):
        return INTEGER
    if operator == "^":
        return FLOAT
    left, right = left & NUMBER or NUMBER, right & NUMBER or NUMBER
    types = FLOAT if (left | right) & FLOAT else 0
    return types | (INTEGER if left & right & INTEGER else 0)


def is_quiet(node: Node) -> bool:
    """Whether evaluating an expression runs no other code: it contains no call."""
    if isinstance(node, Call):
        return False
    if isinstance(node, Binary | Logic):
        return is_quiet(node.left) and is_quiet(node.right)
    if isinstance(node, Unary | Not):
        return is_quiet(node.operand)
    if isinstance(node, Field):
        return is_quiet(node.table)
    if isinstance(node, Index):
        return is_quiet(node.table) and is_quiet(node.key)
    if isinstance(node, TableConstructor):
        return all(is_quiet(entry.value) for entry in node.entries)
    return True
