"""What the passes before code generation found out about a program."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pybuzz.buzz.compilation.library import LIBRARY_NAMES, RESULTS, callback_of, neighbors_method
from pybuzz.buzz.compilation.types import ANY, CLOSURE, FLOAT, INTEGER, NIL, NUMBER, STRING, TABLE, Types, type_bit
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
from pybuzz.buzz.values import Value, type_name

__all__ = ["HOST_ARGUMENTS", "ROW", "Arguments", "Facts", "ListRead", "Repeat", "is_quiet"]

ROW = "row"
"""The field that stands for the one list of a table that is read as a row."""

HOST_ARGUMENTS = 4
"""Hosts call closures with at most this many arguments; script functions ignore what they do not name."""

Arguments = tuple[Expression | Types, ...]
"""What a call gives: expressions of the script, or the types of what a built-in gives."""

_ALWAYS: Mapping[type, Types] = {
    Nil: NIL, Integer: INTEGER, Float: FLOAT, String: STRING, Lambda: CLOSURE, TableConstructor: TABLE, Not: INTEGER,
    Logic: INTEGER,
}  # fmt: skip
_INTEGER_RESULTS = frozenset(("==", "!=", "<", "<=", ">", ">=", "&", "|", "<<", ">>"))


class Repeat(NamedTuple):
    """An expression whose value is kept in a Python local, or read from there."""

    name: str
    is_first: bool


class ListRead(NamedTuple):
    """A read of `table[key].field` or `table.some.name` from a list.

    entry: `table[key]`, if its key tells the place in the list; else `place` does.
    """

    table: str
    field: str
    place: int = 0
    entry: Index | None = None

    @property
    def operands(self) -> tuple[Expression, ...]:
        """What is evaluated for it."""
        return () if self.entry is None else (self.entry.key,)


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything the generators may rely on. The defaults know nothing and are always right.

    string_ids     ids of the program's strings
    host_names     globals that the host may set to anything
    assigned       globals and paths that the script assigns
    tampered       built-ins ("size", "math.sin", all of "math") that may have been replaced; None: all
    relied_on      globals that must stay what they are: the library's, `neighbors`, tables that paths lead through
    columns        globals of the host that are read as lists of floats, one for each of these fields of their entries
    rows           those of them that have one list for all, of which these paths are the items
    knows_neighbors  whether `neighbors` is what the swarm makes it
    variables      types a local may have when it is read
    counters       least and greatest value of locals that surely are small integers
    globals        types a global may have when it is read; what is missing may be anything
    results        types a named function may return
    named          functions that are reached by calling a global's name, or a path: "math.vec2.add"
    callers        the arguments of every call of a function; only functions whose every call is known and gives all
                   arguments
    counted        functions whose calls count against the budget, because they may call themselves; None: all
    apart          parameters for data of neighbours that are taken apart: how many arguments come before the last two
    joined         those that may also get a table: what was `apart` before assumptions were given up
    walks_tables   whether any table may ever be walked, so that the order of stores matters
    longest_call   most arguments in any call of the script
    repeats        expressions that compute what was computed just before, and those that did
    settled        whether inference has ended; before, a name without types is one not reached yet
    """

    scopes: Scopes
    single_precision: bool = False
    string_ids: Mapping[str, int] = field(default_factory=dict)
    host_names: frozenset[str] = frozenset()
    assigned: frozenset[str] = frozenset()
    tampered: frozenset[str] | None = None
    relied_on: frozenset[str] = frozenset()
    columns: Mapping[str, Collection[str]] = field(default_factory=dict)
    rows: Mapping[str, Sequence[str]] = field(default_factory=dict)
    knows_neighbors: bool = False
    variables: Mapping[Variable, Types] = field(default_factory=dict)
    counters: Mapping[Variable, tuple[int, int]] = field(default_factory=dict)
    globals: Mapping[str, Types] = field(default_factory=dict)
    results: Mapping[Function, Types] = field(default_factory=dict)
    named: Mapping[str, Function] = field(default_factory=dict)
    callers: Mapping[Function, tuple[Arguments, ...]] = field(default_factory=dict)
    counted: frozenset[Function] | None = None
    apart: Mapping[Variable, int] = field(default_factory=dict)
    joined: Mapping[Variable, int] = field(default_factory=dict)
    walks_tables: bool = True
    longest_call: int = HOST_ARGUMENTS
    repeats: Mapping[Expression, Repeat] = field(default_factory=dict)
    settled: bool = True

    def types_of(self, node: Expression) -> Types:
        """The types that an expression may have."""
        found = _ALWAYS.get(node.__class__)
        if found is not None:
            return found
        if isinstance(node, Name):
            variable = self.scopes.variables.get(node)
            return self.globals.get(node.name, ANY) if variable is None else self.variables.get(variable, ANY)
        if isinstance(node, Binary):
            return self._operation(node.operator, self.types_of(node.left), self.types_of(node.right))
        if isinstance(node, Unary):
            return self._unary(node.operator, self.types_of(node.operand))
        if isinstance(node, Call):
            return self._result(node)
        is_float = self.list_read(node) or self.data_field(node) or self.built_in(node) == "math.pi"
        return FLOAT if is_float else ANY

    def _operation(self, operator: str, left: Types, right: Types) -> Types:
        if operator in _INTEGER_RESULTS:
            return INTEGER
        if operator == "^":
            return FLOAT
        both = left & right & INTEGER
        mixed = FLOAT if (left | right) & FLOAT and left & NUMBER and right & NUMBER else 0
        # Operands that never work give nothing; the operation still needs some type.
        return both | mixed or (NUMBER if self.settled else 0)

    def _unary(self, operator: str, types: Types) -> Types:
        if operator == "!":
            return INTEGER
        return types if operator == "+" else types & NUMBER or (NUMBER if self.settled else 0)

    def _result(self, node: Call) -> Types:
        function = self.callee(node)
        if function is not None:
            return self.results.get(function, ANY)
        name = self.built_in(node.function)
        return ANY if name is None else RESULTS.get(name, ANY)

    def callee(self, node: Call) -> Function | None:
        """The function of the script that a call by name or path reaches, if there is only one that it can be."""
        return self.function_at(node.function)

    def function_at(self, node: Expression) -> Function | None:
        """The function of the script that a global's name or a path always stands for, or None."""
        path = self.scopes.path(node)
        return None if path is None else self.named.get(path)

    def list_read(self, node: Expression) -> ListRead | None:
        """The list that a field is read from, if it is not in a table."""
        if not self.columns or not isinstance(node, Field):
            return None
        if isinstance(node.table, Index):
            name = self._with_columns(node.table.table)
            return None if name is None else ListRead(name, node.name, entry=node.table)
        table, _, path = (self.scopes.path(node) or "").partition(".")
        row = self.rows.get(table, ())
        return ListRead(table, ROW, row.index(path)) if path in row else None

    def _with_columns(self, node: Expression) -> str | None:
        name = self.scopes.path(node)
        return name if name in self.columns and name not in self.rows else None

    def sized_columns(self, node: Call) -> str | None:
        """The table that is not there whose size a call asks for."""
        if self.built_in(node.function) != "size" or len(node.arguments) != 1:
            return None
        [table] = node.arguments
        return self._with_columns(table)

    def callback(self, node: Call) -> Expression | None:
        """The argument of a call that it calls in turn, as what surely is a built-in."""
        target = node.function
        is_of_neighbors = self.knows_neighbors and neighbors_method(target, self.scopes) is not None
        return callback_of(node, self.scopes) if is_of_neighbors or self.built_in(target) is not None else None

    def called_by(self, node: Call) -> Function | None:
        """The function that `callback` surely is."""
        callback = self.callback(node)
        if isinstance(callback, Lambda):
            return self.scopes.function_of[callback]
        return None if callback is None else self.function_at(callback)

    def built_in(self, node: Expression) -> str | None:
        """The name ("size", "math.sin") of the built-in that an expression surely is, or None."""
        path = self.scopes.path(node)
        return path if path is not None and path in RESULTS and self._is_untouched(path) else None

    def data_field(self, node: Expression) -> tuple[Variable, str] | None:
        """The parameter and the field, where an expression is a field of data that are taken apart."""
        if not isinstance(node, Field) or not self.apart:
            return None
        variable = self.scopes.variables.get(node.table)
        return (variable, node.name) if variable is not None and variable in self.apart else None

    def is_reading(self, node: Expression) -> bool:
        """Whether an expression surely is a number that the host read, or a parameter that is given nothing else."""
        if self.list_read(node) is not None or self.data_field(node) is not None:
            return True
        variable = self.scopes.variables.get(node)
        if variable is None or not variable.is_parameter or variable.assigned:
            return False
        place = variable.function.parameters.index(variable)
        given = [arguments[place] for arguments in self.callers.get(variable.function, ())]
        return bool(given) and all(not isinstance(one, int | Name) and self.is_reading(one) for one in given)

    def _is_untouched(self, name: str) -> bool:
        return self.tampered is not None and name not in self.tampered and name.split(".")[0] not in self.tampered

    def allows(self, name: str, value: Value) -> bool:
        """Whether the host may give a global this value without breaking what the code relies on."""
        if name in self.named or name in self.relied_on or name in self.columns:
            return False
        types = self.globals.get(name, ANY)
        return types == ANY or bool(types & type_bit(type_name(value)))

    def without_assumptions(self) -> Facts:
        """What holds whatever the host does."""
        return Facts(
            self.scopes,
            single_precision=self.single_precision,
            string_ids=self.string_ids,
            assigned=self.assigned,
            counted=self.counted,
            joined=self.apart,
            walks_tables=self.walks_tables,
            longest_call=self.longest_call,
        )

    def spare_arguments(self, function: Function) -> int:
        """How many arguments a function may be given beyond its parameters."""
        calls = self.callers.get(function)
        apart = [self.joined[variable] + 2 for variable in function.parameters if variable in self.joined]
        longest = max(self.longest_call, HOST_ARGUMENTS, *apart)
        given = max(map(len, calls), default=0) if calls is not None else longest
        return max(given - len(function.parameters), 0)

    def is_counted(self, function: Function) -> bool:
        return self.counted is None or function in self.counted

    def is_set_from_outside(self, name: str) -> bool:
        """Whether a global may have a value that does not come from an assignment in the script."""
        return name in self.host_names or name in LIBRARY_NAMES


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
