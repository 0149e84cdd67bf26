"""From a syntax tree back to Buzz text: parsing what is printed gives an equal tree.

Comments are not part of a tree, and so are not printed. Two bodies that text cannot express get braces: an `if`
without `else` directly before the `else` of another, and an unbraced `else` that does nothing.
"""

from __future__ import annotations

import math
from decimal import Decimal

from pybuzz.buzz.tree import (
    Assignment,
    Binary,
    Block,
    Call,
    CallStatement,
    Expression,
    Field,
    Float,
    For,
    FunctionDefinition,
    If,
    Index,
    Integer,
    Lambda,
    Logic,
    Name,
    Nil,
    Not,
    Parameter,
    Return,
    Script,
    Statement,
    String,
    TableConstructor,
    TableEntry,
    Unary,
    VarDeclaration,
    While,
)

__all__ = ["buzz_text", "expression_text"]

_STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 3, "^": 4, "<<": 5, ">>": 5, "&": 6, "|": 6}
_POWER = _STRENGTH["^"]
_OPERAND = 7
_INDENT = "  "
_BEYOND_FLOATS = "1" + "0" * 309 + ".0"
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}


def buzz_text(script: Script) -> str:
    """The whole script as text, one character per byte; includes are spliced in."""
    return "".join(f"{line}\n" for statement in script.statements for line in _statement(statement).split("\n"))


# Statements


def _statement(node: Statement) -> str:
    match node:
        case VarDeclaration(name=name, value=None):
            return f"var {name}"
        case VarDeclaration(name=name, value=Expression() as value):
            return f"var {name} = {_plain(value)}"
        case FunctionDefinition():
            docstring = f" {_string(node.docstring)}" if node.docstring is not None else ""
            return f"function {node.name}({_parameters(node.parameters)}){docstring} {_block(node.body)}"
        case If():
            return _if(node)
        case While():
            return f"while({expression_text(node.condition)}){_body(node.body)}"
        case For():
            head = f"{_simple(node.initial)}, {expression_text(node.condition)}, {_simple(node.update)}"
            return f"for({head}){_body(node.body)}"
        case _:
            return _simple(node).removesuffix(";")


def _simple(node: Statement) -> str:
    match node:
        case Return(value=None):
            return "return;"
        case Return(value=Expression() as value):
            return f"return {expression_text(value)}"
        case Assignment(target=target, value=value):
            return f"{expression_text(target)} = {_plain(value)}"
        case CallStatement(call=call):
            return expression_text(call)
        case _:
            raise TypeError(f"no statement: {node!r}")


def _if(node: If) -> str:
    then = node.then
    if node.otherwise is None:
        return f"if({expression_text(node.condition)}){_body(then)}"
    body = _body(then) if then.braced or not _ends_in_open_if(then) else f" {_block(then)}"
    has_body = node.otherwise.braced or node.otherwise.statements
    otherwise = _body(node.otherwise) if has_body else " {\n}"
    return f"if({expression_text(node.condition)}){body}\nelse{otherwise}"


def _ends_in_open_if(block: Block) -> bool:
    """Whether an `else` behind this body would be taken for that of an `if` within it."""
    if block.braced or not block.statements:
        return False
    last = block.statements[0]
    if isinstance(last, If):
        return last.otherwise is None or _ends_in_open_if(last.otherwise)
    return isinstance(last, (While, For)) and _ends_in_open_if(last.body)


def _body(block: Block) -> str:
    if block.braced:
        return f" {_block(block)}"
    if not block.statements:
        return ";"
    return f" {_statement(block.statements[0])}"


def _block(block: Block) -> str:
    lines = [line for statement in block.statements for line in _statement(statement).split("\n")]
    return "\n".join(["{", *(_INDENT + line for line in lines), "}"])


def _parameters(parameters: list[Parameter]) -> str:
    return ", ".join(parameter.name for parameter in parameters)


# Expressions


def expression_text(node: Expression) -> str:
    """An expression as it may stand where a condition may: comparisons and logic without parentheses."""
    match node:
        case Not(operand=operand):
            return f"not {expression_text(operand)}"
        case Logic():
            left = expression_text(node.left) if isinstance(node.left, Logic) else _comparison(node.left)
            return f"{left} {node.operator} {_comparison(node.right)}"
        case _:
            return _comparison(node)


def _comparison(node: Expression) -> str:
    if isinstance(node, Binary) and node.operator not in _STRENGTH:
        return f"{_plain(node.left)} {node.operator} {_plain(node.right)}"
    return _plain(node)


def _plain(node: Expression) -> str:
    """As it may stand on the right of `=`."""
    if isinstance(node, TableConstructor):
        return _table(node)
    return _arithmetic(node, 0)


def _arithmetic(node: Expression, strength: int) -> str:
    """With parentheses unless it binds at least as tightly as `strength`."""
    match node:
        case Binary(operator=operator) if operator in _STRENGTH:
            own = _STRENGTH[operator]
            left = _arithmetic(node.left, own + 1 if own == _POWER else own)
            right = _arithmetic(node.right, own if own == _POWER else own + 1)
            text = f"{left} {operator} {right}"
            return text if own >= strength else f"({text})"
        case Unary(operator="!", operand=operand):
            return f"!{_arithmetic(operand, _OPERAND)}"
        case Unary(operator=operator, operand=operand):
            # a sign takes a whole power, and becomes part of a number that follows it
            inner = _arithmetic(operand, _POWER) if not isinstance(operand, Unary) else _arithmetic(operand, 0)
            text = f"{operator}({inner})" if inner[0].isdigit() else f"{operator}{inner}"
            return text if strength <= _STRENGTH["%"] else f"({text})"
        case _:
            return _operand(node)


def _operand(node: Expression) -> str:
    match node:
        case Nil():
            return "nil"
        case Integer(value=value):
            return str(value)
        case Float(value=value):
            return _float(value)
        case String(value=value):
            return _string(value)
        case Name(name=name):
            return name
        case Field(table=table, name=name):
            return f"{_operand(table)}.{name}"
        case Index(table=table, key=key):
            return f"{_operand(table)}[{_plain(key)}]"
        case Call(function=function, arguments=arguments):
            return f"{_operand(function)}({', '.join(expression_text(argument) for argument in arguments)})"
        case Lambda(parameters=parameters, body=body):
            return f"function({_parameters(parameters)}) {_block(body)}"
        case _:
            return f"({expression_text(node)})"


def _table(node: TableConstructor) -> str:
    return f"{{{', '.join(_entry(entry) for entry in node.entries)}}}"


def _entry(entry: TableEntry) -> str:
    key = entry.key
    if isinstance(key, float):
        key = _float(key)
    elif isinstance(key, int):
        key = str(key % 2**32)
    return f".{key} = {_plain(entry.value)}"


def _string(value: str) -> str:
    return f'"{"".join(_ESCAPES.get(character, character) for character in value)}"'


def _float(value: float) -> str:
    if math.isinf(value):
        return _BEYOND_FLOATS if value > 0 else f"-{_BEYOND_FLOATS}"
    text = format(Decimal(repr(value)), "f")
    return text if "." in text else f"{text}.0"
