"""A machine: one robot's globals and libraries, running a program that it shares with others."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from itertools import islice, repeat
from operator import itemgetter, length_hint
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, TypeGuard

from pybuzz.buzz.catalogue import Catalogue
from pybuzz.buzz.compilation.columns import column_name
from pybuzz.buzz.compilation.counters import MOST_TURNS
from pybuzz.buzz.compilation.generalising import relies_on_its_calls
from pybuzz.buzz.compilation.runtime import exhausted
from pybuzz.buzz.compilation.writer import python_global
from pybuzz.buzz.failures import place_of_call, script_error
from pybuzz.buzz.libraries import BuzzRandom, library_globals
from pybuzz.buzz.strings import StringIds
from pybuzz.buzz.tables import Table
from pybuzz.buzz.values import BuzzFailure, Value, type_name
from pybuzz.spelling import nearest

if TYPE_CHECKING:
    from pybuzz.buzz.program import Program
    from pybuzz.buzz.signatures import HostNames

__all__ = ["DEFAULT_BUDGET", "Machine", "globals_reader"]

DEFAULT_BUDGET = 2_000_000
"""Turns of loops in one call from the host: a second or two of running, and tables that memory can hold."""

_BYTES_OF_A_TURN = 256
"""So much of a script's strings and messages counts as one turn: 512 MiB in a call with the default budget."""

_MOST_FRAMES = 26_000
"""Python frames of one call from the host; the C runtime was tested with 20,000."""


class Machine:
    """One robot. Everything that runs script code raises ScriptError and nothing else."""

    __slots__ = (
        "__weakref__",
        "_assumes",
        "_budget",
        "_fit",
        "_globals",
        "_table_makers",
        "_warn",
        "columns",
        "host",
        "program",
        "random",
        "robot_id",
        "strings",
    )

    def __init__(
        self,
        program: Program,
        robot_id: int,
        *,
        log: Callable[[tuple[Value, ...]], object],
        budget: int = DEFAULT_BUDGET,
        io_folder: Path | None = None,
        warn: Callable[[str], object] = lambda text: None,
    ) -> None:
        self.program = program
        self.robot_id = robot_id
        self.random = BuzzRandom()
        self.strings = StringIds(program.strings)
        self._budget = budget
        self._warn = warn
        self.host: Callable[[], HostNames] = _no_names
        """Tells what the host gives and could give, for the hints of errors. Called when a script fails."""
        self._globals = program.new_globals(self)
        self._assumes = True
        self.columns = program.facts.columns
        """The globals that code reads as lists. None any more once the host sets one, or does something else that was
        not expected: then all code reads tables."""
        self._table_makers: dict[str, Callable[..., Table]] = {}
        self._fit: FunctionType | None = None
        """The function that was called by name last, known to be fit for it."""
        self._globals["__differs"] = self.tell_of_difference
        for module in program.compiled.modules:
            exec(module, self._globals)
        libraries = library_globals(
            ids=self.strings,
            random=self.random,
            log=log,
            spend=self.spend,
            spend_bytes=self.spend_bytes,
            differs=self.tell_of_difference,
            single_precision=program.single_precision,
            exact=program.exact,
            io_folder=io_folder,
        )
        if budget > MOST_TURNS:
            self._assume_nothing()
        # Built-ins come after the script's named functions, which lose against them.
        self._globals.update((python_global(name), value) for name, value in libraries.items())
        self._globals["id"] = robot_id

    # Globals

    @property
    def globals(self) -> MutableMapping[str, Value]:
        """The Buzz globals by name, as a live view; missing ones are nil."""
        return _Globals(self)

    def get_global(self, name: str) -> Value:
        """The value of a Buzz global, or nil."""
        return self._made_table(name) if name in self._table_makers else self._globals.get(python_global(name))

    def set_global(self, name: str, value: Value) -> None:
        """Give a Buzz global a Buzz value (see from_python)."""
        if self._assumes and not self.program.facts.allows(name, value):
            self._assume_nothing()
        self._globals[python_global(name)] = value

    def register(self, name: str, value: Value) -> None:
        """Add a function, table or variable of the host, before the global part runs."""
        self.strings.register(name)
        self.set_global(name, value)

    def install(self, name: str, value: Value) -> None:
        """As `register`, for what does all that the compiler knows of a global with this name (library.py)."""
        self.strings.register(name)
        self._globals[python_global(name)] = value

    def list_key(self, name: str, field: str) -> str:
        """The key under which `give_list` takes the list of a field of one of `columns`; the same for all machines."""
        return column_name(name, field)

    def give_list(self, key: str, values: Sequence[float]) -> None:
        """Have code read these values from now on. They are kept, not copied."""
        self._globals[key] = values

    def show_as_table(self, name: str, make: Callable[..., Table]) -> None:
        """How to make a table of one of `columns` once it has its lists, for whoever asks for the global.

        make: called with each list by its field, each time that somebody asks. What is done to the table has no effect.
        """
        self._table_makers[name] = make

    def string_id(self, text: str) -> int:
        """The id of a Buzz string on this machine."""
        return self.strings.id_of(text)

    # Running

    def run_global_part(self) -> None:
        """Run the code outside functions. Raises ScriptError."""
        for part in self.program.compiled.parts:
            if self._run(self._globals[part], ()):
                return

    def call_named(self, name: str) -> Value:
        """Call a global function without arguments: init, step, reset or destroy. Raises ScriptError."""
        function: Value = self._globals.get(name)
        if function is None or function is not self._fit:
            function = self._fit = self._checked(name, function)
        return self._run(function, ())

    def call(self, closure: Callable[..., Value], *arguments: Value) -> Value:
        """Call a closure from the host, with a fresh budget. Raises ScriptError."""
        self._prepare(closure, len(arguments))
        return self._run(closure, arguments)

    def spend(self, turns: int) -> None:
        """Take turns of a loop that the host runs for the script from the budget of the call that is going on.

        Raises BuzzFailure when the budget is used up.
        """
        budget = self._globals.get("__budget")
        if budget is not None:
            deque(islice(budget, turns), 0)
            if not length_hint(budget):
                exhausted()

    def spend_bytes(self, count: int) -> None:
        """Take what bytes of a new string or message cost from the same budget. Raises BuzzFailure as `spend`."""
        if count >= _BYTES_OF_A_TURN:
            self.spend(count // _BYTES_OF_A_TURN)

    def tell_of_difference(self, text: str) -> None:
        """Warn of a difference from the C runtime that a script has met: once for all robots of its program."""
        if text not in self.program.told:
            self.program.told.add(text)
            place = place_of_call(self.program, self._globals)
            self._warn(text if place is None else f"{place}: {text}")

    # Functions that travel

    def closure_index(self, closure: FunctionType) -> int | None:
        """The number of a script's function in its program, or None for one that captured more than `self`."""
        return self._catalogue.number_of(closure)

    def closure_at(self, number: int) -> FunctionType | None:
        """The function with a number, as this machine's own and without `self`, or None if there is none."""
        function = self._catalogue.function(number, self._globals)
        if function is None and self._assumes:
            # Of another script's robot perhaps: this script only calls it in ways that its code relies on.
            function = self.program.general_catalogue.function(number, self._globals)
            if function is not None:
                self._assume_nothing()
        return function

    def owns(self, script_globals: object) -> bool:
        """Whether these are the globals that its code runs with, those of a frame for example."""
        return script_globals is self._globals

    @property
    def layout(self) -> Iterable[str]:
        """The names of all Python globals, for machines that should be laid out like this one."""
        return self._globals

    @property
    def _catalogue(self) -> Catalogue:
        return self.program.catalogue if self._assumes else self.program.general_catalogue

    def _run(self, closure: Callable[..., Value], arguments: tuple[Value, ...]) -> Value:
        script_globals = self._globals
        outer_budget = script_globals["__budget"]
        script_globals["__budget"] = repeat(None, self._budget)
        limit = sys.getrecursionlimit()
        if limit < _MOST_FRAMES:
            sys.setrecursionlimit(_MOST_FRAMES)
        try:
            return closure(*arguments)
        except Exception as failure:
            raise self._failed(failure) from None
        finally:
            script_globals["__budget"] = outer_budget
            if limit < _MOST_FRAMES:
                sys.setrecursionlimit(limit)

    def _checked(self, name: str, function: Value) -> FunctionType:
        """What a global holds, if it is a function that can be called without arguments."""
        if function is None:
            raise self._failed(BuzzFailure("type mismatch", f"cannot find function '{name}()'", self._near(name)))
        if not isinstance(function, FunctionType):
            detail = f"function '{name}()': expected closure, got {type_name(function)}"
            raise self._failed(BuzzFailure("type mismatch", detail))
        self._prepare(function, 0)
        return function

    def _prepare(self, closure: Callable[..., Value], arguments: int) -> None:
        """The host calls a closure with so many arguments: give up what the code relies on if it must not be."""
        if self._assumes and self._is_own(closure) and relies_on_its_calls(closure, arguments):
            self._assume_nothing()

    def _failed(self, failure: Exception) -> Exception:
        self._make_tables()
        return script_error(failure, self.program, self._globals, self.host())

    def _near(self, name: str) -> str:
        """What to do about a function that the host needs and the script does not have."""
        functions = [other for other, value in self.globals.items() if self._is_own(value)]
        found = nearest(name, functions)
        return f"rename '{found}' to '{name}'" if found else f"write function {name}() {{ }}, even if empty"

    def _is_own(self, closure: Value) -> TypeGuard[FunctionType]:
        return isinstance(closure, FunctionType) and closure.__globals__ is self._globals

    def _assume_nothing(self) -> None:
        """The host does what the program's code relies on not being done: exchange the code of every function."""
        self._assumes = False
        self._make_tables()
        self._table_makers, self.columns = {}, {}
        self.program.generalised.exchange(self._globals)

    def _make_tables(self) -> None:
        """Put what is read by columns where everybody looks for it."""
        self._globals.update((python_global(name), self._made_table(name)) for name in self._table_makers)

    def _made_table(self, name: str) -> Table:
        lists = {field: self._globals[column_name(name, field)] for field in self.columns[name]}
        return self._table_makers[name](**lists)


def globals_reader(names: Sequence[str]) -> Callable[[Iterable[Machine]], list[tuple[Value, ...]]]:
    """A quick way to the values of several globals of many machines, of a program that mentions all these names.

    None of them may be one of its `columns`, which have no value there.
    """
    keys = [python_global(name) for name in names]
    if len(keys) < 2:
        return lambda machines: [tuple(machine._globals[key] for key in keys) for machine in machines]
    values = itemgetter(*keys)
    return lambda machines: [values(machine._globals) for machine in machines]


def _no_names() -> HostNames:
    """The names of a host that gives none."""
    from pybuzz.buzz.signatures import HostNames

    return HostNames()


class _Globals(MutableMapping[str, Value]):
    """A machine's globals by their Buzz names."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def __getitem__(self, name: str) -> Value:
        value = self._machine.get_global(name)
        if value is None:
            raise KeyError(name)
        return value

    def __setitem__(self, name: str, value: Value) -> None:
        self._machine.set_global(name, value)

    def __delitem__(self, name: str) -> None:
        self._machine.set_global(name, None)

    def __iter__(self) -> Iterator[str]:
        for name in self._names():
            if self._machine.get_global(name) is not None:
                yield name

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _names(self) -> list[str]:
        return sorted(name for name in self._machine._globals if not name.startswith("__"))
