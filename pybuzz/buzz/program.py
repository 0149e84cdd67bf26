"""A program: a script compiled once, for any number of machines."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any
from weakref import ref

from pybuzz.buzz.catalogue import Catalogue
from pybuzz.buzz.compilation.analysis import analyse, without_assumptions
from pybuzz.buzz.compilation.arithmetic import DoubleArithmetic
from pybuzz.buzz.compilation.assembly import CompiledScript, compile_script, python_source
from pybuzz.buzz.compilation.columns import column_name
from pybuzz.buzz.compilation.facts import Facts
from pybuzz.buzz.compilation.generalising import Generalised
from pybuzz.buzz.compilation.inline import InlineTemplates
from pybuzz.buzz.compilation.runtime import helpers
from pybuzz.buzz.compilation.single_arithmetic import SingleArithmetic
from pybuzz.buzz.compilation.templates import Templates
from pybuzz.buzz.compilation.writer import python_global
from pybuzz.buzz.layout import Layout
from pybuzz.buzz.machine import DEFAULT_BUDGET, Machine
from pybuzz.buzz.parsing import parse
from pybuzz.buzz.scopes import Scopes, resolve
from pybuzz.buzz.strings import numbered
from pybuzz.buzz.tree import Expression, Node, Script, Span, walk
from pybuzz.buzz.values import Value
from pybuzz.errors import Diagnostic

__all__ = ["Program", "compile_program"]

_NONE: Mapping[str, Sequence[str]] = {}


def compile_program(
    path: str | os.PathLike[str],
    text: str | None = None,
    *,
    include_dirs: Sequence[str | os.PathLike[str]] = (),
    single_precision: bool = False,
    exact: bool = False,
    host_names: Collection[str] = frozenset(),
    columns: Mapping[str, Collection[str]] = _NONE,
    rows: Mapping[str, Sequence[str]] = _NONE,
) -> Program:
    """Parse and compile a script. Raises ScriptError with every error found, InputError for a missing file.

    text         taken for the content of `path` if given
    exact        in single precision, and as the C runtime does where docs/language.md promises something else
    host_names   globals that the host will register or set, about whose values nothing is assumed
    columns      those of them that are tables of tables, with keys from 0, and the fields of their entries, which must
                 be finite floats; each machine says which of them it wants as lists: see Machine.columns
    rows         those that are tables of finite floats, perhaps in further tables: the path of each, as "position.x"
    """
    script = parse(path, text, include_dirs)
    return Program(
        script,
        single_precision=single_precision or exact,
        exact=exact,
        host_names=host_names,
        columns=columns,
        rows=rows,
    )


class Program:
    """A compiled script. Machines of one program share its code."""

    def __init__(
        self,
        script: Script,
        *,
        single_precision: bool = False,
        exact: bool = False,
        host_names: Collection[str] = frozenset(),
        columns: Mapping[str, Collection[str]] = _NONE,
        rows: Mapping[str, Sequence[str]] = _NONE,
    ) -> None:
        self.script = script
        self.path = script.sources[0].name
        self.single_precision = single_precision
        self.exact = exact
        self.told: set[str] = set()
        """The differences from the C runtime that its robots have met and told of."""
        self.scopes: Scopes = resolve(script)
        self.strings = numbered(self.scopes.strings)
        self.mentioned_globals = self.scopes.globals
        self.warnings: list[Diagnostic] = list(script.warnings)
        self.helpers = helpers(self.strings, single_precision, exact)
        self._templates: Templates = InlineTemplates(SingleArithmetic() if single_precision else DoubleArithmetic())
        self.facts = analyse(script, self._plain_facts, frozenset(host_names), columns, rows)
        self.compiled = self._compiled(self.facts)
        mentioned = {python_global(name): None for name in self.mentioned_globals}
        lists = {column_name(table, field): None for table, fields in self.facts.columns.items() for field in fields}
        self._layout = Layout({"__budget": None, "__differs": None, "__builtins__": self.helpers, **mentioned, **lists})
        self._latest: Callable[[], Machine | None] = lambda: None

    def new_globals(self, machine: Machine) -> dict[str, Any]:
        """The globals for a machine that is being made, laid out like those of the machine made before it."""
        before = self._latest()
        if before is not None:
            self._layout.widen(before.layout)
        self._latest = ref(machine)
        return self._layout.new_globals()

    @property
    def _plain_facts(self) -> Facts:
        return Facts(self.scopes, single_precision=self.single_precision, string_ids=self.strings)

    @cached_property
    def generalised(self) -> Generalised:
        """The way to code that relies on nothing, for machines whose host does more than was expected."""
        return Generalised(self.compiled, lambda: self._compiled(without_assumptions(self.facts)))

    def _compiled(self, facts: Facts) -> CompiledScript:
        return compile_script(self.script, facts, self._templates)

    def new_machine(
        self,
        robot_id: int,
        *,
        log: Callable[[tuple[Value, ...]], object],
        budget: int = DEFAULT_BUDGET,
        io_folder: Path | None = None,
        warn: Callable[[str], object] = lambda text: None,
    ) -> Machine:
        """A machine that runs this program as one robot.

        log         takes the values of each `log` call
        budget      turns of loops (and calls of recursive functions) allowed in one call from the host
        io_folder   the one folder in which the script may read and write files
        warn        takes what the script's author should know, one sentence with its place
        """
        return Machine(self, robot_id, log=log, budget=budget, io_folder=io_folder, warn=warn)

    @cached_property
    def catalogue(self) -> Catalogue:
        """The functions that robots may send each other."""
        return Catalogue(self.compiled.modules, self.helpers)

    @cached_property
    def general_catalogue(self) -> Catalogue:
        """The same functions, under the same numbers, with their general code."""
        return Catalogue(self.generalised.modules, self.helpers)

    def node_at(self, span: Span) -> Node | None:
        """The node of the tree that spans exactly this, expressions before statements."""
        return self._nodes.get(span)

    @cached_property
    def _nodes(self) -> dict[Span, Node]:
        found: dict[Span, Node] = {}
        for node in walk(self.script):
            if not isinstance(found.get(node.span), Expression):
                found[node.span] = node
        return found

    def python_source(self, function_name: str | None = None) -> str:
        """The Python that a function of the script (None: all of it) was compiled to."""
        return python_source(self.script, self.facts, self._templates, function_name)
