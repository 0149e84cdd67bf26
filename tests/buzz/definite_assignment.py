"""Whether generated code reads a name of its own only after the same piece of code has set it.

    names_read_too_early(program, facts) -> a line for each read that may come before its assignment

Names of values within a statement (`__t1`) are looked at statement by statement: what an earlier statement left under
the same name is another value. Those of repeated expressions (`__k1`) are looked at over a whole function.
"""

from __future__ import annotations

import ast
import re
from unittest.mock import patch

from pybuzz.buzz import Program
from pybuzz.buzz.compilation.assembly import _Assembly
from pybuzz.buzz.compilation.facts import Facts
from pybuzz.buzz.compilation.writer import Writer
from pybuzz.buzz.tree import Statement

_WITHIN_STATEMENTS = re.compile(r"__t\d+$")
_WITHIN_FUNCTIONS = re.compile(r"__k\d+$")


def names_read_too_early(program: Program, facts: Facts) -> list[str]:
    """What the code of a program, written with these facts, may read before it is set."""
    found: list[str] = []
    write = Writer.statement

    def looked_at(writer: Writer, statement: Statement) -> list[ast.stmt]:
        written = write(writer, statement)
        found.extend(_Reads(_WITHIN_STATEMENTS).of(written))
        return written

    with patch.object(Writer, "statement", looked_at):
        assembly = _Assembly(program.script, facts, program._templates)
        modules = [assembly.module(source) for source in program.script.sources]
    for module in modules:
        found += _Reads(_WITHIN_FUNCTIONS).of(module.body)
    return found


class _Reads:
    """Follows code in the order in which Python runs it, with the names that are set on every way there."""

    def __init__(self, names: re.Pattern[str]) -> None:
        self._names = names
        self._found: list[str] = []
        self._whole: ast.stmt | None = None

    def of(self, statements: list[ast.stmt]) -> list[str]:
        self._statements(statements, frozenset())
        return self._found

    def _statements(self, statements: list[ast.stmt], known: frozenset[str]) -> frozenset[str]:
        for statement in statements:
            known = self._statement(statement, known)
        return known

    def _statement(self, node: ast.stmt, known: frozenset[str]) -> frozenset[str]:
        self._whole = node
        match node:
            case ast.FunctionDef(body=body):
                self._statements(body, frozenset())
            case ast.If(test=test, body=body, orelse=otherwise):
                after, before = self._condition(test, known)
                return self._statements(body, after) & self._statements(otherwise, before)
            case ast.For(iter=iterated, body=body, orelse=otherwise):
                before = self._value(iterated, known)
                self._statements(body, before)
                self._statements(otherwise, before)
                return before
            case ast.Assign(targets=targets, value=value):
                known = self._value(value, known)
                for target in targets:
                    known = self._value(target, known)
            case ast.Return() | ast.Break():
                self._parts(node, known)
                # Nothing comes after it, so that all may be taken for set.
                return _Everything()
            case _:
                return self._parts(node, known)
        return known

    def _parts(self, node: ast.AST, known: frozenset[str]) -> frozenset[str]:
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.expr | ast.keyword):
                known = self._value(part, known)
        return known

    def _value(self, node: ast.AST, known: frozenset[str]) -> frozenset[str]:
        """What is set once an expression has been evaluated."""
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                if self._names.match(name) and name not in known:
                    assert self._whole is not None
                    self._found.append(f"{name} in {ast.unparse(self._whole)}")
            case ast.Name(id=name):
                return known | {name}
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                return self._value(value, known) | {name}
            case ast.BoolOp() | ast.UnaryOp(op=ast.Not()) | ast.IfExp():
                if_true, if_false = self._condition(node, known)
                return if_true & if_false
            case _:
                return self._parts(node, known)
        return known

    def _condition(self, node: ast.expr, known: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
        """What is set if an expression was true, and if it was false."""
        match node:
            case ast.Constant(value=value):
                return (known, _Everything()) if value else (_Everything(), known)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                if_true, if_false = self._condition(operand, known)
                return if_false, if_true
            case ast.BoolOp(op=operator, values=values):
                way_on, way_out = known, _Everything()
                for value in values:
                    if_true, if_false = self._condition(value, way_on)
                    on, out = (if_true, if_false) if isinstance(operator, ast.And) else (if_false, if_true)
                    way_on, way_out = on, way_out & out
                return (way_on, way_out) if isinstance(operator, ast.And) else (way_out, way_on)
            case ast.IfExp(test=test, body=body, orelse=otherwise):
                yes, no = self._condition(test, known)
                one, other = self._condition(body, yes), self._condition(otherwise, no)
                return one[0] & other[0], one[1] & other[1]
            case _:
                after = self._value(node, known)
                return (_Everything() if _is_false(node) else after), after


def _is_false(node: ast.expr) -> bool:
    """Whether Python takes the value for false: an empty table, or what filling one gives."""
    match node:
        case ast.NamedExpr(value=value):
            return _is_false(value)
        case ast.Call(func=ast.Name(id=name)):
            return name in {"__Table", "__Record", "__set_item", "__add_entry"}
    return False


class _Everything(frozenset[str]):
    """All names: what is set where no way leads."""

    def __and__(self, other: frozenset[str]) -> frozenset[str]:  # type: ignore[override]
        return other

    __rand__ = __and__

    def __or__(self, other: object) -> frozenset[str]:  # type: ignore[override]
        return self

    def __contains__(self, name: object) -> bool:
        return True
