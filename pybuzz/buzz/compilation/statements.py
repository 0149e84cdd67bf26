"""Statements. Loops draw from the machine's budget: each turn takes one."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from pybuzz.buzz.compilation.python_nodes import assign, call, constant, load, negation, store, when
from pybuzz.buzz.compilation.writer import Writer, python_global
from pybuzz.buzz.tree import (
    Assignment,
    Block,
    CallStatement,
    Expression,
    Field,
    For,
    FunctionDefinition,
    If,
    Index,
    Name,
    Return,
    Statement,
    TableConstructor,
    VarDeclaration,
    While,
)

__all__ = ["STATEMENTS", "take_from_budget"]

_TURN = "__turn"


def _declaration(writer: Writer, node: VarDeclaration) -> list[ast.stmt]:
    before, value = _evaluated(writer, node.value)
    variable = writer.facts.scopes.variables.get(node)
    if variable is None:
        return [*before, _assign_global(writer, node.name, value)]
    name = writer.variable(variable)
    written = [*before, assign(name, value)]
    # The variable is visible in its own initialiser, and nil there.
    if any(_mentions(part, name) for part in (*before, value)):
        return [assign(name, constant(None)), *written]
    return written


def _evaluated(writer: Writer, node: Expression | None) -> tuple[list[ast.stmt], ast.expr]:
    """What a statement evaluates, if that is all: what to do first, and its value. None stands for nil."""
    if node is None:
        return [], constant(None)
    if isinstance(node, TableConstructor):
        before, table = writer.templates.constructor_first(writer, node)
        return writer.placed(node.span, before), writer.places.at(node.span, table)
    return [], writer.value(node)


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node))


def _definition(writer: Writer, node: FunctionDefinition) -> list[ast.stmt]:
    # Named functions are stored before any code runs.
    return []


def _if(writer: Writer, node: If) -> list[ast.stmt]:
    condition = writer.templates.condition(writer, node.condition)
    otherwise = writer.block(node.otherwise) if node.otherwise else []
    return [when(writer.places.at(node.condition.span, condition), _body(writer, node.then), otherwise)]


def _while(writer: Writer, node: While) -> list[ast.stmt]:
    return [_loop(writer, node.condition, lambda: writer.block(node.body))]


def _for(writer: Writer, node: For) -> list[ast.stmt]:
    before = writer.statement(node.initial)
    loop = _loop(writer, node.condition, lambda: [*writer.block(node.body), *writer.statement(node.update)])
    return [*before, loop]


def _loop(writer: Writer, condition: Expression, body: Callable[[], list[ast.stmt]]) -> ast.stmt:
    """`for _ in budget`, left when the condition fails; the budget ending by itself is a failure."""
    tested = writer.places.at(condition.span, negation(writer.templates.condition(writer, condition)))
    leave = writer.placed(condition.span, [when(tested, [ast.Break()])])
    return take_from_budget([*leave, *body()])


def take_from_budget(body: list[ast.stmt]) -> ast.stmt:
    """A loop over the machine's budget, which fails when that is used up."""
    return ast.For(store(_TURN), load("__budget"), body, [ast.Expr(call("__exhausted"))])


def _return(writer: Writer, node: Return) -> list[ast.stmt]:
    before, value = _evaluated(writer, node.value)
    if writer.function.node is None:
        return [*before, ast.Expr(value), ast.Return(constant(True))]
    return [*before, ast.Return(None if node.value is None else value)]


def _assignment(writer: Writer, node: Assignment) -> list[ast.stmt]:
    target = node.target
    if isinstance(target, Field | Index):
        return writer.templates.store(writer, target, node.value)
    assert isinstance(target, Name)
    before, value = _evaluated(writer, node.value)
    variable = writer.facts.scopes.variables.get(target)
    if variable is None:
        return [*before, _assign_global(writer, target.name, value)]
    return [*before, assign(writer.variable(variable), value)]


def _assign_global(writer: Writer, name: str, value: ast.expr) -> ast.stmt:
    name = python_global(name)
    writer.assigned_globals.add(name)
    return assign(name, value)


def _call_statement(writer: Writer, node: CallStatement) -> list[ast.stmt]:
    return [ast.Expr(writer.value(node.call))]


def _body(writer: Writer, block: Block) -> list[ast.stmt]:
    return writer.block(block) or [ast.Pass()]


STATEMENTS: Mapping[type[Statement], Callable[[Writer, Any], list[ast.stmt]]] = {
    VarDeclaration: _declaration,
    FunctionDefinition: _definition,
    If: _if,
    While: _while,
    For: _for,
    Return: _return,
    Assignment: _assignment,
    CallStatement: _call_statement,
}
