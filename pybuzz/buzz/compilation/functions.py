"""Functions and the global part: parameters, what may be missing, what is captured.

A function that captures is made by a factory whose arguments are the captured values, which gives Buzz's exact copies
by value; `self` is one of them, and storing the closure makes a copy in which it is the table.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from pybuzz.buzz.apart import APART, DATA_FIELDS, DATA_POSITION
from pybuzz.buzz.compilation.expressions import factory_name
from pybuzz.buzz.compilation.python_nodes import (
    assign,
    both,
    call,
    compare,
    constant,
    define,
    is_class,
    load,
    spread,
    when,
)
from pybuzz.buzz.compilation.statements import take_from_budget
from pybuzz.buzz.compilation.writer import Writer, python_global
from pybuzz.buzz.scopes import Variable
from pybuzz.buzz.tree import Block, Call, FunctionDefinition, Lambda, Node, Statement, children

__all__ = ["write_function", "write_part"]

_MISSING = "__missing"


def write_function(writer: Writer) -> list[ast.stmt]:
    """The statements that define a named function, or the factory of a lambda, at the level of a module."""
    function = writer.function
    node = function.node
    assert node is not None
    body = _body(writer, node.body)
    body = [*_global_declaration(writer), *body]
    plain = python_global(function.name) if isinstance(node, FunctionDefinition) else factory_name(_number(writer))
    if not function.captures:
        written = [_definition(writer, plain, body)]
        return _finished(writer, node, written)
    inner = _definition(writer, function.name, body)
    free = [f"_{copy.name}" for copy in function.captures]
    factory = define(factory_name(_number(writer)), free, [], [inner, ast.Return(load(function.name))])
    written = [factory]
    if isinstance(node, FunctionDefinition):
        made = ast.Call(load(factory_name(_number(writer))), [constant(None)], [])
        written.append(assign(plain, made))
    return _finished(writer, node, written)


def write_part(writer: Writer, name: str, statements: Sequence[Statement]) -> list[ast.stmt]:
    """A run of statements at file level as a function, which gives True if a `return` ends the global part."""
    body = [written for statement in statements for written in writer.statement(statement)]
    part = define(name, [], [], [*_global_declaration(writer), *body])
    writer.places.at(statements[0].span, part)
    spread(part)
    return [part]


def _finished(writer: Writer, node: FunctionDefinition | Lambda, statements: list[ast.stmt]) -> list[ast.stmt]:
    for statement in writer.placed(node.span, statements):
        spread(statement)
    return statements


def _number(writer: Writer) -> int:
    return writer.numbers[writer.function]


def _definition(writer: Writer, name: str, body: list[ast.stmt]) -> ast.stmt:
    parameters = [f"_{parameter.name}" for parameter in writer.function.parameters]
    ignored = [_spare(number) for number in range(1, writer.facts.spare_arguments(writer.function) + 1)]
    data = next((parameter for parameter in writer.function.parameters if parameter in writer.facts.apart), None)
    if data is not None:
        distance, azimuth, elevation = (f"_{data.name}.{field}" for field in DATA_FIELDS)
        parameters[DATA_POSITION] = distance
        return define(name, [*parameters, *ignored, azimuth, elevation], [], [ast.Expr(constant(APART)), *body])
    defaults = [constant(None)] * len(ignored)
    if writer.function not in writer.facts.callers:
        defaults = [load(_MISSING)] * len(parameters) + defaults
    return define(name, [*parameters, *ignored], defaults, body)


def _spare(number: int) -> str:
    return f"__spare{number}"


def _body(writer: Writer, block: Block) -> list[ast.stmt]:
    """Copies of arguments where needed, then the statements.

    A call is counted just before the first statement that calls anything itself: a function that has returned before
    has done no more work than its caller was counted for.
    """
    function = writer.function
    variables = (*function.parameters, *function.captures)
    written = [_joined(writer, variable) for variable in variables if variable in writer.facts.joined]
    written += [_copy(writer, variable) for variable in variables if variable.mentioned and writer.has_copy(variable)]
    counted = not writer.facts.is_counted(function)
    for statement in block.statements:
        if not counted and _calls(statement):
            written.append(take_from_budget([ast.Break()]))
            counted = True
        written += writer.statement(statement)
    return written


def _calls(node: Node) -> bool:
    return isinstance(node, Call) or (not isinstance(node, Lambda) and any(map(_calls, children(node))))


def _copy(writer: Writer, variable: Variable) -> ast.stmt:
    """The local that is read; it stays unbound, so that reading fails, if there was no argument."""
    given = load(f"_{variable.name}")
    copied = assign(writer.variable(variable), given)
    return when(compare(given, "is not", load(_MISSING)), [copied]) if writer.may_be_missing(variable) else copied


def _joined(writer: Writer, data: Variable) -> ast.stmt:
    """The table of data that come apart: in the midst of a walk that began before assumptions were given up."""
    before = writer.facts.joined[data] - len(writer.function.parameters)
    given = [load(f"_{data.name}"), load(_spare(before + 1)), load(_spare(before + 2))]
    parts = [part for field, value in zip(DATA_FIELDS, given, strict=True) for part in (constant(field), value)]
    come_apart = both(*(is_class(value, "__float") for value in given))
    return when(come_apart, [assign(f"_{data.name}", call("__new_table", *parts))])


def _global_declaration(writer: Writer) -> list[ast.stmt]:
    return [ast.Global(sorted(writer.assigned_globals))] if writer.assigned_globals else []
