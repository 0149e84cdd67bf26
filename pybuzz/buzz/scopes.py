"""Which variable every name of a script means: a local, a captured copy of an outer local, or a global.

A pass over the tree, before any code is made. Functions capture by value, so a captured variable is a variable of its
own that starts as a copy. Nodes stay as they are; what is found is kept in dictionaries keyed by node.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pybuzz.buzz.diagnostics import compile_error
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
    Node,
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
from pybuzz.errors import Diagnostic, ScriptError

__all__ = ["SELF", "Function", "Scopes", "Variable", "resolve"]

SELF = "self"


@dataclass(slots=True, eq=False)
class Variable:
    """A local of one function. `origin` is the outer function's variable that it starts as a copy of."""

    name: str
    function: Function
    origin: Variable | None = None
    is_parameter: bool = False
    assigned: bool = False
    """Whether it is assigned beside its declaration, or beside the copying."""
    mentioned: bool = False
    """Whether its own function names it."""
    captured: bool = False
    """Whether an inner function copies it."""


@dataclass(slots=True, eq=False)
class Function:
    """A named function, a lambda, or (node None) the code at file level."""

    node: FunctionDefinition | Lambda | None
    outer: Function | None = None
    name: str = ""
    """What to call it in a stack: the name it is defined as or first stored under."""
    parameters: list[Variable] = field(default_factory=list)
    captures: list[Variable] = field(default_factory=list)
    """Copies of outer variables, in order of first mention; `self` of a function that uses it is among them."""
    locals: list[Variable] = field(default_factory=list)


@dataclass(slots=True)
class Scopes:
    """What the names of a script mean.

    variables   the local behind a Name or VarDeclaration; globals are missing
    functions   in source order, file level first
    strings     the program's strings in order of first appearance, which number them
    globals     the names of all globals that are mentioned
    """

    variables: dict[Node, Variable]
    functions: list[Function]
    function_of: dict[Node, Function]
    strings: list[str]
    globals: frozenset[str]

    def path(self, node: Node) -> str | None:
        """The path of names by which an expression reaches a global or what tables hold: "x", "math.sin"."""
        if isinstance(node, Name):
            return None if node in self.variables else node.name
        if isinstance(node, Field):
            table = self.path(node.table)
            return None if table is None else f"{table}.{node.name}"
        return None


def resolve(script: Script) -> Scopes:
    """The scopes of a script. Raises ScriptError with every duplicated symbol."""
    resolver = _Resolver()
    resolver.statements(script.statements)
    if resolver.errors:
        raise ScriptError(resolver.errors)
    return Scopes(
        resolver.variables,
        resolver.functions,
        {function.node: function for function in resolver.functions if function.node},
        list(resolver.strings),
        frozenset(resolver.globals),
    )


class _Resolver:
    """Walks the tree in source order. `_visible` holds the names of the blocks around, innermost last."""

    def __init__(self) -> None:
        self.variables: dict[Node, Variable] = {}
        self.errors: list[Diagnostic] = []
        self.strings: dict[str, None] = {}
        self.globals: set[str] = set()
        self._function = Function(None, name="the global part")
        self.functions = [self._function]
        self._blocks: list[dict[str, Variable]] = []

    # Statements

    def statements(self, statements: Sequence[Statement]) -> None:
        for statement in statements:
            self._visit(statement)

    def _visit(self, node: Node) -> None:
        _VISITS[node.__class__](self, node)

    def _block(self, block: Block) -> None:
        # An unbraced body is a block too, so that a `var` in it is gone after it; at file level it is a global.
        if not block.braced and not self._in_scope:
            self.statements(block.statements)
            return
        self._blocks.append({})
        self.statements(block.statements)
        self._blocks.pop()

    @property
    def _in_scope(self) -> bool:
        return bool(self._blocks) or self._function.outer is not None

    def declaration(self, node: VarDeclaration) -> None:
        if not self._in_scope:
            self._global(node.name)
            self._named(node.value, node.name)
            return
        if self._find(node.name) is not None:
            text = f"Duplicated symbol '{node.name}'"
            hint = "locals cannot be declared again while they are visible; choose another name"
            self.errors.append(compile_error(node.name_span, "duplicated symbol", text, hint=hint))
        variable = Variable(node.name, self._function)
        self._function.locals.append(variable)
        self._blocks[-1][node.name] = variable
        self.variables[node] = variable
        self._named(node.value, node.name)

    def definition(self, node: FunctionDefinition) -> None:
        self._global(node.name)
        self._enter(node, node.parameters, node.body, node.name)

    def if_(self, node: If) -> None:
        self._visit(node.condition)
        self._block(node.then)
        if node.otherwise is not None:
            self._block(node.otherwise)

    def while_(self, node: While) -> None:
        self._visit(node.condition)
        self._block(node.body)

    def for_(self, node: For) -> None:
        self._visit(node.initial)
        self._visit(node.condition)
        self._visit(node.update)
        self._block(node.body)

    def return_(self, node: Return) -> None:
        if node.value is not None:
            self._visit(node.value)

    def assignment(self, node: Assignment) -> None:
        self._visit(node.target)
        target = node.target
        if isinstance(target, Name):
            variable = self.variables.get(target)
            if variable is not None:
                variable.assigned = True
            self._named(node.value, target.name)
        else:
            self._named(node.value, target.name if isinstance(target, Field) else "a function")

    def call_statement(self, node: CallStatement) -> None:
        self._visit(node.call)

    # Expressions

    def name(self, node: Name) -> None:
        variable = self._find(node.name)
        if variable is None:
            self._global(node.name)
        else:
            variable.mentioned = True
            self.variables[node] = variable

    def field(self, node: Field) -> None:
        self._visit(node.table)
        self._string(node.name)

    def index(self, node: Index) -> None:
        self._visit(node.table)
        self._visit(node.key)

    def call(self, node: Call) -> None:
        self._visit(node.function)
        for argument in node.arguments:
            self._visit(argument)

    def operand(self, node: Unary | Not) -> None:
        self._visit(node.operand)

    def operands(self, node: Binary | Logic) -> None:
        self._visit(node.left)
        self._visit(node.right)

    def string(self, node: String) -> None:
        self._string(node.value)

    def lambda_(self, node: Lambda) -> None:
        self._enter(node, node.parameters, node.body, "a function")

    def constructor(self, node: TableConstructor) -> None:
        for entry in node.entries:
            self.entry(entry)

    def entry(self, entry: TableEntry) -> None:
        if isinstance(entry.key, str):
            self._string(entry.key)
        self._named(entry.value, str(entry.key))

    def constant(self, node: Node) -> None:
        pass

    # Names

    def _named(self, value: Expression | None, name: str) -> None:
        if isinstance(value, Lambda):
            self._enter(value, value.parameters, value.body, name)
        elif value is not None:
            self._visit(value)

    def _enter(self, node: FunctionDefinition | Lambda, parameters: list[Parameter], body: Block, name: str) -> None:
        outer, blocks = self._function, self._blocks
        self._function = Function(node, outer, name)
        self.functions.append(self._function)
        # Named functions capture nothing; lambdas see the blocks around them.
        scope: dict[str, Variable] = {}
        for parameter in parameters:
            if parameter.name not in scope and parameter.name != SELF:
                scope[parameter.name] = Variable(parameter.name, self._function, is_parameter=True)
        self._function.parameters = list(scope.values())
        self._blocks = [scope] if isinstance(node, FunctionDefinition) else [*blocks, scope]
        self.statements(body.statements)
        self._function, self._blocks = outer, blocks

    def _find(self, name: str) -> Variable | None:
        if name == SELF and self._function.outer is not None:
            return self._self_of(self._function)
        for block in reversed(self._blocks):
            if name in block:
                return self._inside(block[name], self._function)
        return None

    def _inside(self, variable: Variable, function: Function) -> Variable:
        """The copy of an outer function's variable in `function`, made in every function between them."""
        if variable.function is function or function.outer is None:
            return variable
        source = self._inside(variable, function.outer)
        for copy in function.captures:
            if copy.origin is source:
                return copy
        source.captured = True
        copy = Variable(variable.name, function, source)
        function.captures.append(copy)
        return copy

    def _self_of(self, function: Function) -> Variable:
        for copy in function.captures:
            if copy.name == SELF:
                return copy
        origin = None
        if isinstance(function.node, Lambda) and function.outer is not None and function.outer.outer is not None:
            origin = self._self_of(function.outer)
            origin.captured = True
        copy = Variable(SELF, function, origin)
        function.captures.append(copy)
        return copy

    def _global(self, name: str) -> None:
        self.globals.add(name)
        self._string(name)

    def _string(self, text: str) -> None:
        self.strings.setdefault(text)


_Visit = Callable[[_Resolver, Any], None]

_VISITS: dict[type, _Visit] = {
    VarDeclaration: _Resolver.declaration,
    FunctionDefinition: _Resolver.definition,
    If: _Resolver.if_,
    While: _Resolver.while_,
    For: _Resolver.for_,
    Return: _Resolver.return_,
    Assignment: _Resolver.assignment,
    CallStatement: _Resolver.call_statement,
    Name: _Resolver.name,
    Field: _Resolver.field,
    Index: _Resolver.index,
    Call: _Resolver.call,
    Unary: _Resolver.operand,
    Not: _Resolver.operand,
    Binary: _Resolver.operands,
    Logic: _Resolver.operands,
    String: _Resolver.string,
    Lambda: _Resolver.lambda_,
    TableConstructor: _Resolver.constructor,
    Integer: _Resolver.constant,
    Float: _Resolver.constant,
    Nil: _Resolver.constant,
}
