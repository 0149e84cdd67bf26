"""Expressions other than operators: names, constants, calls, functions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from pybuzz.buzz.compilation.columns import column_size, list_item
from pybuzz.buzz.compilation.mathematics import inline_call
from pybuzz.buzz.compilation.neighbors import reduced_map
from pybuzz.buzz.compilation.python_nodes import call, constant, load
from pybuzz.buzz.compilation.templates import COMPARISONS, logical
from pybuzz.buzz.compilation.writer import Writer, python_global
from pybuzz.buzz.scopes import Variable
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
    Not,
    String,
    TableConstructor,
    Unary,
)

__all__ = ["EXPRESSIONS", "factory_name", "lambda_value"]


def _nil(writer: Writer, node: Nil) -> ast.expr:
    return constant(None)


def _constant(writer: Writer, node: Integer | String) -> ast.expr:
    return constant(node.value)


def _float(writer: Writer, node: Float) -> ast.expr:
    return writer.literal(node.value)


def _name(writer: Writer, node: Name) -> ast.expr:
    variable = writer.facts.scopes.variables.get(node)
    return load(python_global(node.name) if variable is None else writer.variable(variable))


def _fetch(writer: Writer, node: Field | Index) -> ast.expr:
    function = writer.facts.function_at(node)
    if function is not None:
        return load(factory_name(writer.numbers[function]))
    found = writer.facts.data_field(node)
    if found is not None:
        data, field = found
        return load(f"{writer.variable(data)}.{field}")
    read = writer.facts.list_read(node)
    return writer.templates.fetch(writer, node) if read is None else list_item(writer, read)


def _call(writer: Writer, node: Call) -> ast.expr:
    sized = writer.facts.sized_columns(node)
    if sized is not None:
        return column_size(writer, sized)
    in_line = inline_call(writer, node)
    if in_line is not None:
        return in_line
    mapped = reduced_map(node, writer.facts)
    if mapped is not None:
        return _reduction(writer, node, mapped)
    return call(writer.value(node.function), *(writer.value(argument) for argument in node.arguments))


def _reduction(writer: Writer, node: Call, mapped: Call) -> ast.expr:
    """`neighbors.map(f).reduce(g, start)` without the table between the two."""
    results = call(writer.value(mapped.function), *map(writer.value, mapped.arguments))
    assert isinstance(results, ast.Call)
    results.keywords = [ast.keyword("as_results", constant(True))]
    method = ast.Attribute(writer.places.at(mapped.span, results), "reduce", ast.Load())
    return call(writer.places.at(node.function.span, method), *map(writer.value, node.arguments))


def _unary(writer: Writer, node: Unary) -> ast.expr:
    # Unary plus does nothing in Buzz, whatever the type.
    return writer.value(node.operand) if node.operator == "+" else writer.templates.unary(writer, node)


def _binary(writer: Writer, node: Binary) -> ast.expr:
    return logical(writer, node) if node.operator in COMPARISONS else writer.templates.binary(writer, node)


def _lambda(writer: Writer, node: Lambda) -> ast.expr:
    return lambda_value(writer, node, None)


def _constructor(writer: Writer, node: TableConstructor) -> ast.expr:
    return writer.templates.constructor(writer, node)


def lambda_value(writer: Writer, node: Lambda, table: ast.expr | None) -> ast.expr:
    """A new closure: copies of what it captures, handed to its factory. `table`: its self, if it is stored in one."""
    function = writer.facts.scopes.function_of[node]
    name = factory_name(writer.numbers[function])
    if not function.captures:
        return load(name)
    return call(name, *(_captured(writer, copy, table) for copy in function.captures))


def factory_name(number: int) -> str:
    """What a lambda that captures nothing, or the maker of one that does, is called in Python."""
    return f"__function_{number}"


def _captured(writer: Writer, copy: Variable, table: ast.expr | None) -> ast.expr:
    if copy.name == "self" and table is not None:
        return table
    if copy.origin is None:
        return constant(None)
    if writer.may_be_missing(copy.origin) and not copy.origin.assigned:
        # What was not given is handed on as not given: it fails where it is read.
        return load(f"_{copy.origin.name}")
    return load(writer.variable(copy.origin))


EXPRESSIONS: Mapping[type[Expression], Callable[[Writer, Any], ast.expr]] = {
    Nil: _nil,
    Integer: _constant,
    String: _constant,
    Float: _float,
    Name: _name,
    Field: _fetch,
    Index: _fetch,
    Call: _call,
    Unary: _unary,
    Binary: _binary,
    Logic: logical,
    Not: logical,
    Lambda: _lambda,
    TableConstructor: _constructor,
}
