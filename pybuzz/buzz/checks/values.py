"""Checks of operators and what they are applied to."""

from __future__ import annotations

from collections.abc import Iterator

from pybuzz.buzz.checks.kinds import ANY, NUMBERS, Kinds, kinds_listed
from pybuzz.buzz.checks.study import Finding, Study
from pybuzz.buzz.tree import Binary, Expression, Float, For, If, Integer, Logic, Nil, Not, While

__all__ = ["comparisons", "conditions", "mixed_remainders", "operands", "zero_divisions"]

_ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "^"})
_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_STRING = frozenset({"string"})
_CLOSURE = frozenset({"closure"})


def comparisons(study: Study, kinds: Kinds) -> Iterator[Finding]:
    """Numbers with strings, which compare by the number's printed form; closures, which the C tools cannot compare."""
    for node in study.nodes:
        if not isinstance(node, Binary) or node.operator not in _COMPARISONS:
            continue
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if study.function_named(one) and not kinds.surely(other, _CLOSURE) and not isinstance(other, Nil):
                yield _forgotten_call(study, one, "compared")
                break
            if kinds.surely(one, NUMBERS) and kinds.surely(other, _STRING):
                text = "a number is compared with a string, by how the number is printed"
                hint = "1.5 is printed 1.500000; convert with string.toint() or string.tofloat()"
                yield Finding("mixed-comparison", node.span, text, hint)
            elif kinds.surely(one, _CLOSURE) and not isinstance(other, Nil) and other is node.right:
                yield Finding("portable-closure-comparison", node.span, "comparing functions ends the C tools")


def conditions(study: Study) -> Iterator[Finding]:
    """A condition that names a function and does not call it: it is always true."""
    for node in study.nodes:
        parts = [node.condition] if isinstance(node, If | While | For) else []
        parts += [node.left, node.right] if isinstance(node, Logic) else []
        parts += [node.operand] if isinstance(node, Not) else []
        for part in parts:
            path = study.function_named(part)
            signature = study.known.functions.get(path)
            # whether a robot has a function that takes something may well be asked
            if path and (signature is None or not signature.least):
                yield _forgotten_call(study, part, "asked for")


def _forgotten_call(study: Study, node: Expression, what: str) -> Finding:
    path = study.function_named(node)
    signature, function = study.known.functions.get(path), study.functions.get(path)
    takes = signature.least if signature else len(function.parameters) if function else 0
    text = f"the function {path} itself is {what}, not what it returns"
    return Finding("forgotten-call", node.span, text, f"call it: {path}({'...' if takes else ''})")


def operands(study: Study, kinds: Kinds) -> Iterator[Finding]:
    """Arithmetic with what surely is no number."""
    for node in study.nodes:
        if not isinstance(node, Binary) or node.operator not in _ARITHMETIC:
            continue
        for side, operand in (("left", node.left), ("right", node.right)):
            # a variable that is nil at first may be anything later
            found = kinds.of(operand) - (frozenset() if isinstance(operand, Nil) else {"nil"})
            if study.function_named(operand):
                yield _forgotten_call(study, operand, "computed with")
                break
            if found and ANY not in found and not found & NUMBERS:
                text = f"the {side} side of {node.operator} is {kinds_listed(found)}, not a number"
                yield Finding("operand-kind", node.span, text, _hint(node.operator, found), severity="error")
                break


def _hint(operator: str, found: frozenset[str]) -> str:
    if found != _STRING:
        return ""
    if operator == "+":
        return "strings are joined with string.concat(a, b), and log(a, b) logs several values"
    return "string.tofloat(text) and string.toint(text) make numbers of strings"


def zero_divisions(study: Study, kinds: Kinds) -> Iterator[Finding]:
    """Integers divided by a zero that stands there."""
    for node in study.nodes:
        if not isinstance(node, Binary) or node.operator not in {"/", "%"}:
            continue
        is_zero = isinstance(node.right, Integer) and node.right.value == 0
        if is_zero and kinds.surely(node.left, frozenset({"integer"})):
            yield Finding("division-by-zero", node.span, "an integer is divided by zero", "write 0.0 for infinity")


def mixed_remainders(study: Study, kinds: Kinds) -> Iterator[Finding]:
    """`-7 % 2.5`: a negative number that stands there, and a divisor of the other kind."""
    for node in study.nodes:
        if not isinstance(node, Binary) or node.operator != "%":
            continue
        dividend = node.left
        other = frozenset({"float"} if isinstance(dividend, Integer) else {"integer"})
        if isinstance(dividend, Integer | Float) and dividend.value < 0 and kinds.surely(node.right, other):
            text = "the remainder of a negative number by one of the other kind is garbage in the C tools"
            yield Finding("portable-remainder", node.span, text, "convert one of them with int() or float()")
