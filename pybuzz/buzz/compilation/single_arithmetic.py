"""Arithmetic in single precision, in line."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pybuzz.buzz.compilation.arithmetic import DoubleArithmetic
from pybuzz.buzz.compilation.python_nodes import call
from pybuzz.buzz.compilation.templates import HELPERS
from pybuzz.buzz.compilation.types import INTEGER
from pybuzz.buzz.tree import Binary

if TYPE_CHECKING:
    from pybuzz.buzz.compilation.writer import Writer

__all__ = ["SingleArithmetic"]


class SingleArithmetic(DoubleArithmetic):
    """Every float result is rounded to 32 bits."""

    def binary(self, writer: Writer, node: Binary) -> ast.expr:
        types = writer.types_of(node.left) | writer.types_of(node.right)
        if types == INTEGER and node.operator != "^":
            return super().binary(writer, node)
        return call(HELPERS[node.operator], writer.value(node.left), writer.value(node.right))
