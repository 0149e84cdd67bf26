"""Running a program in several ways that must not differ.

    difference(text, seed) -> what differs, or None

A few robots run it and hear each other. What they log and send, how they fail and what their globals hold at the end
must be the same: with inline code and with a plain helper call for each operation; in code that runs for the first
time and in code that Python has specialised; in both, if the host does what the code relies on not being done; and in
double and single precision as long as all numbers are exact in both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from definite_assignment import names_read_too_early
from exactness import NotExactError, as_exact_oracle, watch_conversions
from oracle import as_oracle, shown
from whole_programs import EXACT

from pybuzz.buzz import Machine, Program, Table, from_python, host_function, parse
from pybuzz.buzz.compilation.analysis import without_assumptions
from pybuzz.buzz.tree import Script
from pybuzz.errors import ScriptError
from pybuzz.swarm.mind import Mind

COLUMNS = {"ring": ("value", "angle")}
ROWS = {"place": ("at.x", "at.y", "yaw")}
HOST_NAMES = ("ring", "place")

_BUDGET = 5_000
_STEPS = 9
"""More than Python runs code before it specialises it."""

_LISTS = {"ring": {"value": [0.25, 1.0], "angle": [1.5, -1.5]}, "place": {"row": [2.0, -0.5, 3.0]}}
_VALUES = (1, -7, 0.5, 2.0, "a", "12", None, {}, {"x": 1, 3: "b"}, {"p": {"x": 2}})
_REPLACED = ("size", "math", "string", "foreach", "log", "neighbors", "number", "pick", "level", "map", "ring", "place")


class Failure(NamedTuple):
    """How a script failed, in the words before any advice, and where."""

    kind: str
    text: str
    line: int
    column: int


class DifferenceError(AssertionError):
    """Two ways of running a program differ."""


def difference(text: str, seed: int) -> str | None:
    """What differs between the ways of running a program, or None; also None if it does not compile."""
    try:
        compare(text, seed)
    except DifferenceError as found:
        return str(found)
    return None


def compare(text: str, seed: int) -> None:
    """Raises DifferenceError. A third of all programs are compared in single precision."""
    single = seed % 3 == 0
    try:
        program = program_of(parse("random.bzz", text), single_precision=single)
    except ScriptError:
        return
    early = names_read_too_early(program, without_assumptions(program.facts) if seed % 4 == 0 else program.facts)
    if early:
        raise DifferenceError(f"names are read too early: {early}")
    oracle = as_oracle(program)
    expected = outcome(oracle, seed)
    _same("cold code", outcome(program, seed), expected)
    _same("hot code", outcome(program, seed), expected)
    meddled = outcome(oracle, seed, meddle=True)
    _same("code whose assumptions the host breaks", outcome(program, seed, meddle=True), meddled)
    if seed % 6 == EXACT:
        _compare_precisions(program, seed)


def program_of(script: Script, *, single_precision: bool) -> Program:
    return Program(script, single_precision=single_precision, host_names=HOST_NAMES, columns=COLUMNS, rows=ROWS)


def _compare_precisions(double: Program, seed: int) -> None:
    single = program_of(double.script, single_precision=True)
    expected: list[Any] = []
    try:
        outcome(as_exact_oracle(double), seed, prepare=watch_conversions, seen=expected)
    except NotExactError:
        expected.append(...)
    _same("single precision", outcome(single, seed), expected[:-1])


def _same(way: str, found: Sequence[Any], expected: Sequence[Any]) -> None:
    """Of two runs, the shorter one must be how the longer one began."""
    if any(isinstance(event, Failure) and event.kind == "budget exceeded" for event in (*found, *expected)):
        # Where calls are counted differs, so only that both end is certain.
        return
    for number, (one, other) in enumerate(zip(found, expected, strict=False)):
        if one != other:
            raise DifferenceError(f"{way}, event {number}: {one!r}\nbut plain code: {other!r}")


def outcome(
    program: Program,
    seed: int,
    *,
    meddle: bool = False,
    prepare: Callable[[Machine], None] = lambda machine: None,
    seen: list[Any] | None = None,
) -> list[Any]:
    """What robots that run a program do, one event after the other (added to `seen`)."""
    random, seen = Random(seed), [] if seen is None else seen
    robots = random.choice((1, 1, 1, 1, 2, 3))
    with TemporaryDirectory() as folder:
        minds = [_new_mind(program, number, seen, Path(folder)) for number in range(1, robots + 1)]
        for mind in minds:
            prepare(mind.machine)
            mind.start()
            mind.init()
        for step in range(_STEPS):
            packets = [mind.packet() for mind in minds]
            for number, mind in enumerate(minds):
                if meddle:
                    _meddle(mind.machine, random, seen)
                heard = [packet for other, packet in enumerate(packets) if other != number]
                distances = [50.0 + 25.0 * (step % 3 + other) for other in range(len(heard))]
                mind.hear(heard, distances, [0.5 - other for other in range(len(heard))], [0.25] * len(heard))
                mind.step()
                seen.append(mind.packet().data)
        seen += [event for mind in minds for event in _ending(mind)]
        return seen


def _new_mind(program: Program, number: int, seen: list[Any], folder: Path) -> Mind:
    def log(values: tuple[Any, ...]) -> None:
        seen.append("".join(map(shown, values)))

    machine = program.new_machine(number, log=log, budget=_BUDGET, io_folder=folder)
    _equip(machine)
    return Mind(machine, number, data_size=100, log_oversize=lambda *report: seen.append(report), warn=seen.append)


def _equip(machine: Machine) -> None:
    """Give a machine the host's tables as it wants them."""
    for name, make in (("ring", _ring), ("place", _place)):
        if name in machine.columns:
            for field, values in _LISTS[name].items():
                machine.give_list(machine.list_key(name, field), values)
            machine.show_as_table(name, make)
        else:
            machine.set_global(name, make(**_LISTS[name]))


def _ring(value: list[float], angle: list[float]) -> Table:
    entries = (Table({"value": one, "angle": other}) for one, other in zip(value, angle, strict=True))
    return Table(enumerate(entries))


def _place(row: list[float]) -> Table:
    x, y, yaw = row
    return Table({"at": Table({"x": x, "y": y}), "yaw": yaw})


def _ending(mind: Mind) -> list[Any]:
    """How a robot failed, if it did, and what its globals hold."""
    names = sorted(mind.machine.program.mentioned_globals - {"math", "string", "io", "neighbors", "swarm", "stigmergy"})
    values = [(name, shown(mind.machine.get_global(name))) for name in names]
    return [failure(mind.error) if mind.error else "no error", *values]


def failure(error: ScriptError) -> Failure:
    found = error.diagnostics[0]
    return Failure(found.kind, found.text.partition(";")[0], found.place.line, found.place.column)


# A host that does what it never says


def _meddle(machine: Machine, random: Random, seen: list[Any]) -> None:
    """Sets a global, replaces a built-in or function, or calls a function with arguments of its own."""
    names = sorted(machine.program.mentioned_globals)
    roll = random.random()
    name = random.choice(names)
    value = from_python(random.choice(_VALUES))
    if roll < 0.15:
        machine.set_global(name, value)
    elif roll < 0.2:
        machine.set_global(random.choice(_REPLACED), random.choice((value, host_function("own", (0, None), _own))))
    elif roll < 0.3:
        function = machine.get_global(name)
        if callable(function) and name not in {"step", "init"}:
            try:
                seen.append(shown(machine.call(function, *[value] * random.randint(0, 3))))
            except ScriptError as error:
                seen.append(failure(error))
    elif roll < 0.4:
        seen.append(shown(machine.get_global(name)))


def _own(*arguments: Any) -> Any:
    return len(arguments)
