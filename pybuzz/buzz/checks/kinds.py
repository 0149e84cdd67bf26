"""What kinds of value an expression can have, as far as the script itself tells; "any" where it does not.

Variables are taken as a whole, without the order of statements: a variable has the kinds of all that is assigned to it.
"""

from __future__ import annotations

from pybuzz.buzz.checks.study import Study
from pybuzz.buzz.operators import with_article
from pybuzz.buzz.scopes import Variable
from pybuzz.buzz.tree import (
    Assignment,
    Binary,
    Call,
    Expression,
    Field,
    Float,
    FunctionDefinition,
    Integer,
    Lambda,
    Logic,
    Name,
    Nil,
    Not,
    String,
    TableConstructor,
    Unary,
    VarDeclaration,
)

__all__ = ["ANY", "NUMBERS", "Kinds", "kinds_listed"]

ANY = "any"
NUMBERS = frozenset({"number", "integer", "float"})

_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_BITWISE = frozenset({"&", "|", "<<", ">>"})
_LITERALS: dict[type[Expression], str] = {
    Nil: "nil", Integer: "integer", Float: "float", String: "string", Lambda: "closure", TableConstructor: "table",
}  # fmt: skip
_KindSet = frozenset[str]
_ROUNDS = 20


def kinds_listed(kinds: frozenset[str]) -> str:
    """Kinds as part of a sentence: "a string or a table"."""
    return " or ".join(with_article(kind) for kind in sorted(kinds))


class Kinds:
    """The kinds of all expressions of a script."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._variables: dict[Variable | str, _KindSet] = {}
        for name in study.known.tables:
            self._variables[name] = frozenset({"integer" if name == "id" else ANY})
        for _ in range(_ROUNDS):
            if not self._widen():
                break

    def of(self, node: Expression) -> _KindSet:
        """Never empty."""
        return self._kinds(node) or frozenset({ANY})

    def surely(self, node: Expression, kinds: _KindSet) -> bool:
        """Whether the value is of one of these kinds; nil, which every variable may be at first, is left aside."""
        found = self.of(node) - {"nil"}
        return bool(found) and found <= kinds

    def _widen(self) -> bool:
        changed = False
        for node in self._study.nodes:
            if isinstance(node, Assignment) and isinstance(node.target, Name):
                changed |= self._add(self._key(node.target, node.target.name), self._kinds(node.value))
            elif isinstance(node, VarDeclaration):
                kinds = self._kinds(node.value) if node.value else frozenset({"nil"})
                changed |= self._add(self._key(node, node.name), kinds)
            elif isinstance(node, FunctionDefinition):
                changed |= self._add(node.name, frozenset({"closure"}))
        return changed

    def _key(self, node: Name | VarDeclaration, name: str) -> Variable | str:
        return self._study.root(node) or name

    def _add(self, key: Variable | str, kinds: _KindSet) -> bool:
        before = self._variables.get(key, frozenset())
        self._variables[key] = before | kinds
        return before != self._variables[key]

    def _kinds(self, node: Expression) -> _KindSet:
        """Empty while nothing is known yet."""
        literal = _LITERALS.get(node.__class__)
        if literal:
            return frozenset({literal})
        if isinstance(node, (Logic, Not)):
            return frozenset({"integer"})
        if isinstance(node, Unary):
            return frozenset({"integer"}) if node.operator == "!" else self._arithmetic(node.operand)
        if isinstance(node, Binary):
            if node.operator in _COMPARISONS or node.operator in _BITWISE:
                return frozenset({"integer"})
            return frozenset({"float"}) if node.operator == "^" else self._arithmetic(node.left, node.right)
        if isinstance(node, Call):
            return frozenset({self._result(node)})
        if isinstance(node, Name | Field) and self._study.known_function(node):
            return frozenset({"closure"})
        return self._name(node) if isinstance(node, Name) else frozenset({ANY})

    def _arithmetic(self, *operands: Expression) -> _KindSet:
        found = [self._kinds(operand) - {"nil"} for operand in operands]
        if not all(found):
            return frozenset()
        if any(kinds == {"float"} for kinds in found):
            return frozenset({"float"})
        return frozenset({"integer"}) if all(kinds == {"integer"} for kinds in found) else frozenset({"number"})

    def _result(self, node: Call) -> str:
        path = self._study.known_function(node.function)
        return self._study.known.functions[path].result if path else ANY

    def _name(self, node: Name) -> _KindSet:
        root = self._study.root(node)
        if root is not None:
            is_open = root.is_parameter or root.name == "self"
            return frozenset({ANY}) if is_open else self._variables.get(root, frozenset())
        return self._variables.get(node.name, frozenset({ANY}))
