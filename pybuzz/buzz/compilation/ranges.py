"""How large an integer can get: what needs no check against overflow, or only on one side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pybuzz.buzz.compilation.types import INTEGER
from pybuzz.buzz.tree import Binary, Expression, Integer, Name

if TYPE_CHECKING:
    from pybuzz.buzz.compilation.writer import Writer

__all__ = ["MOST", "Range", "range_of", "range_of_value"]

MOST = 2**31 - 1
Range = tuple[int, int]
"""Least and greatest value, for an expression that is an integer; before wrapping, for the outermost operation."""

_ALL: Range = (-MOST - 1, MOST)


def range_of(writer: Writer, node: Binary) -> Range:
    """The range of a sum, difference or product before it is wrapped."""
    low, high = range_of_value(writer, node.left), range_of_value(writer, node.right)
    if node.operator == "+":
        return low[0] + high[0], low[1] + high[1]
    if node.operator == "-":
        return low[0] - high[1], low[1] - high[0]
    products = [a * b for a in low for b in high]
    return min(products), max(products)


def range_of_value(writer: Writer, node: Expression) -> Range:
    """The range of an integer that an expression gives."""
    if isinstance(node, Integer):
        return node.value, node.value
    if isinstance(node, Name):
        variable = writer.facts.scopes.variables.get(node)
        return _ALL if variable is None else writer.facts.counters.get(variable, _ALL)
    if isinstance(node, Binary) and isinstance(node.right, Integer) and node.right.value > 0:
        if node.operator == "%" and writer.types_of(node.left) == INTEGER:
            return 0, node.right.value - 1
        if node.operator == "&":
            return 0, node.right.value
    return _ALL
