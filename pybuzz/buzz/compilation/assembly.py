"""Putting the written functions together: one module of Python per Buzz file, so that code objects bear its name."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import CodeType

from pybuzz.buzz.compilation.expressions import EXPRESSIONS
from pybuzz.buzz.compilation.facts import Facts
from pybuzz.buzz.compilation.functions import write_function, write_part
from pybuzz.buzz.compilation.python_nodes import Places
from pybuzz.buzz.compilation.statements import STATEMENTS
from pybuzz.buzz.compilation.templates import Templates
from pybuzz.buzz.compilation.writer import Writer
from pybuzz.buzz.diagnostics import compile_error
from pybuzz.buzz.scopes import Function
from pybuzz.buzz.tree import FunctionDefinition, Script, Source, Statement
from pybuzz.errors import ScriptError

__all__ = ["CompiledScript", "compile_script"]


@dataclass(frozen=True, slots=True)
class CompiledScript:
    """Code that defines a script's functions (`modules`, one per file), and the names of the functions that, called in
    order, are its global part; one that returns True ends it."""

    modules: tuple[CodeType, ...]
    parts: tuple[str, ...]


def compile_script(script: Script, facts: Facts, templates: Templates) -> CompiledScript:
    """The Python code of a script. Raises ScriptError if it is nested deeper than Python can compile."""
    assembly = _Assembly(script, facts, templates)
    try:
        modules = {source: assembly.module(source) for source in script.sources}
        code = [_code(module, source) for source, module in modules.items() if module.body]
    except (RecursionError, SyntaxError, MemoryError) as failure:
        hint = "move inner loops and long expressions to functions of their own"
        text = "the script is nested too deeply"
        raise ScriptError(compile_error(script.span, "syntax error", text, hint=hint)) from failure
    return CompiledScript(tuple(code), tuple(name for name, _, _ in assembly.parts))


def _code(module: ast.Module, source: Source) -> CodeType:
    with warnings.catch_warnings():
        # Python warns of tests that can only have one outcome, which templates may well contain.
        warnings.simplefilter("ignore", SyntaxWarning)
        # Without docstrings (`python -OO`), functions that take data apart (buzz/apart.py) would lose their mark.
        return compile(module, source.name, "exec", optimize=0)


def python_source(script: Script, facts: Facts, templates: Templates, function_name: str | None) -> str:
    """The Python text of one function, or of the whole script."""
    assembly = _Assembly(script, facts, templates)
    if function_name is None:
        modules = [assembly.module(source) for source in script.sources]
        return "\n\n".join(ast.unparse(module) for module in modules if module.body)
    written = [assembly.function(function) for function in assembly.functions if function.name == function_name]
    return "\n\n".join(ast.unparse(ast.Module(statements, [])) for statements in written)


class _Assembly:
    def __init__(self, script: Script, facts: Facts, templates: Templates) -> None:
        self._script = script
        self._facts = facts
        self._templates = templates
        all_functions = facts.scopes.functions
        self._file_level = all_functions[0]
        self._numbers = {function: number for number, function in enumerate(all_functions)}
        self.functions = list(_reachable(all_functions[1:]))
        self.parts = list(_parts(script.statements))

    def module(self, source: Source) -> ast.Module:
        """The functions and the parts of the global part that stand in one file."""
        body: list[ast.stmt] = []
        for function in self.functions:
            if function.node is not None and function.node.span.source is source:
                body += self.function(function)
        for name, home, statements in self.parts:
            if home is source:
                body += write_part(self._writer(self._file_level, source), name, statements)
        return ast.Module(body, [])

    def function(self, function: Function) -> list[ast.stmt]:
        assert function.node is not None
        return write_function(self._writer(function, function.node.span.source))

    def _writer(self, function: Function, home: Source) -> Writer:
        places = Places(self._script.sources, home)
        return Writer(self._facts, self._templates, places, function, self._numbers)


def _reachable(functions: Iterable[Function]) -> Iterator[Function]:
    """Without the named functions that a later definition of the same name replaces before any code runs."""
    functions = list(functions)
    last = {function.name: function for function in functions if isinstance(function.node, FunctionDefinition)}
    for function in functions:
        if not isinstance(function.node, FunctionDefinition) or last[function.name] is function:
            yield function


def _parts(statements: Iterable[Statement]) -> Iterator[tuple[str, Source, list[Statement]]]:
    """Runs of statements at file level that stand in the same file."""
    run: list[Statement] = []
    number = 0
    for statement in statements:
        if run and statement.span.source is not run[0].span.source:
            yield f"__part_{number}", run[0].span.source, run
            run, number = [], number + 1
        run.append(statement)
    if run:
        yield f"__part_{number}", run[0].span.source, run


Writer.expressions = EXPRESSIONS
Writer.statements = STATEMENTS
