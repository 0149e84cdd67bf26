"""Numbers that stand in the text, and variables that never hold anything but one of them."""

from __future__ import annotations

from pybuzz.buzz.checks.study import Study
from pybuzz.buzz.scopes import Variable
from pybuzz.buzz.tree import Assignment, Binary, Expression, Float, Integer, Name, Unary, VarDeclaration

__all__ = ["Constants"]

_DEEPEST = 20


class Constants:
    """The constants of one script. A global that the host may set, or that is set twice, is not one."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._given: dict[Variable | str, list[Expression | None]] = {}
        for node in study.nodes:
            if isinstance(node, Assignment) and isinstance(node.target, Name):
                self._given.setdefault(study.root(node.target) or node.target.name, []).append(node.value)
            elif isinstance(node, VarDeclaration):
                self._given.setdefault(study.root(node) or node.name, []).append(node.value)

    def value(self, node: Expression | None, depth: int = 0) -> float | None:
        """The number that an expression always is; None if it is none, or not always the same."""
        if isinstance(node, Integer | Float):
            return float(node.value)
        if depth > _DEEPEST:
            return None
        if isinstance(node, Unary) and node.operator == "-":
            operand = self.value(node.operand, depth + 1)
            return None if operand is None else -operand
        if isinstance(node, Binary) and node.operator in ("+", "-", "*"):
            return self._computed(node, depth + 1)
        return self._named(node, depth + 1) if isinstance(node, Name) else None

    def _computed(self, node: Binary, depth: int) -> float | None:
        left, right = self.value(node.left, depth), self.value(node.right, depth)
        if left is None or right is None:
            return None
        if node.operator == "*":
            return left * right
        return left + right if node.operator == "+" else left - right

    def _named(self, node: Name, depth: int) -> float | None:
        variable = self._study.root(node)
        if variable.is_parameter if variable is not None else node.name in self._study.known.globals:
            return None
        given = self._given.get(variable or node.name, [])
        return self.value(given[0], depth) if len(given) == 1 else None
