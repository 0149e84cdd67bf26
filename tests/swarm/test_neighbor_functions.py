"""Functions that are handed to `neighbors`: what is known of their arguments, and data that come apart."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random
from types import FunctionType
from typing import Any

import pytest

from pybuzz.buzz.apart import put_together, takes_apart, whole_names
from pybuzz.buzz.compilation.facts import Facts
from pybuzz.buzz.compilation.types import ANY, FLOAT, INTEGER, NIL, STRING, TABLE
from pybuzz.buzz.program import Program, compile_program
from pybuzz.buzz.tables import Table
from pybuzz.buzz.values import host_function, text_of
from pybuzz.swarm.mind import Mind
from pybuzz.swarm.packets import Packet

HEARD = [21, 5, 30, 2]
PHASES = "function init() { }\n"


def facts_of(text: str, **options: Any) -> Facts:
    return compile_program("robot.bzz", text, **options).facts


def names_apart(text: str) -> set[str]:
    return {variable.name for variable in facts_of(text).apart}


class Robot:
    """A mind of some program that hears the same four robots in each step, and what it logged."""

    def __init__(self, program: Program, **registered: FunctionType) -> None:
        self.lines: list[str] = []
        machine = program.new_machine(1, log=lambda values: self.lines.append(" ".join(map(text_of, values))))
        for name, function in registered.items():
            machine.register(name, function)
        self.mind = Mind(machine, 1, data_size=100, log_oversize=lambda *report: None)
        self.mind.start()

    def step(self) -> None:
        packets = [Packet(robot.to_bytes(2, "big")) for robot in HEARD]
        self.mind.hear(packets, [20.0, 35.5, 0.0, 100.25], [0.5, -1.25, 3.0, 0.0], [0.0, 0.25, 0.0, -0.5])
        self.mind.step()

    @property
    def outcome(self) -> list[Any]:
        """What it logged, and where and how it failed."""
        error = self.mind.error
        return [*self.lines, None if error is None else str(error)]


# What is known


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("neighbors.foreach(function(r, d) { log(d.distance, d.azimuth, d.elevation) })", {"d"}),
        ("function f(r, d, a) { return a + d.distance } x = neighbors.reduce(f, 0.0)", {"d"}),
        ("neighbors.foreach(function(r, d) { n = n + 1 })", {"d"}),
        ("function f(r, d) { } neighbors.foreach(f) neighbors.map(f)", {"d"}),
        # The function needs the table.
        ("neighbors.foreach(function(r, d) { log(d) })", set()),
        ("neighbors.foreach(function(r, d) { log(d.other) })", set()),
        ("neighbors.foreach(function(r, d) { d.distance = 1 })", set()),
        ("neighbors.foreach(function(r, d) { d = nil })", set()),
        ("neighbors.foreach(function(r, d) { f = function() { return d.distance } })", set()),
        ("neighbors.foreach(function(r) { log(r) })", set()),
        # It may be called in another way.
        ("f = function(r, d) { } neighbors.foreach(f)", set()),
        ("function f(r, d) { } neighbors.foreach(f) f(1, 2)", set()),
        ("function f(r, d) { } neighbors.foreach(f) g = f", set()),
        ("function f(r, d) { } neighbors.foreach(f) foreach({}, f)", set()),
        ("function f(r, d) { } neighbors.foreach(f) neighbors.reduce(f, 0)", set()),
        ("neighbors.kin().foreach(function(r, d) { log(d.distance) })", set()),
        # Who knows what `neighbors` is.
        ("neighbors.foreach(function(r, d) { }) neighbors.foreach = nil", set()),
        ("neighbors.foreach(function(r, d) { }) n = neighbors", set()),
        ("neighbors.foreach(function(r, d) { }) neighbors = {}", set()),
        ("neighbors.foreach(function(r, d) { }) log(neighbors.poses)", set()),
        # What tables hold may differ from what was heard, if there are any.
        ("neighbors.foreach(function(r, d) { }) t = {} t.distance = 1", {"d"}),
        ("neighbors.foreach(function(r, d) { }) neighbors.get(1).distance = 1", set()),
        ("neighbors.foreach(function(r, d) { }) f = neighbors.get f(1).azimuth = 1", set()),
        ("neighbors.foreach(function(r, d) { }) neighbors.foreach(function(r, e) { e.azimuth = 1 })", set()),
        ("neighbors.foreach(function(r, d) { }) t = neighbors.get(1) k = 1 t[k] = 1", {"d"}),
        ('neighbors.foreach(function(r, d) { }) t = neighbors.get(1) k = "a" t[k] = 1', set()),
    ],
)
def test_data_come_apart_for_functions_that_only_read_them(text: str, names: set[str]) -> None:
    assert names_apart(text) == names


def test_nothing_is_assumed_of_neighbors_that_the_host_announces() -> None:
    text = "neighbors.foreach(function(r, d) { })"
    assert facts_of(text).callers
    assert not facts_of(text, host_names={"neighbors"}).callers


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("neighbors.foreach(function(r, d) { })", (INTEGER, TABLE)),
        ("neighbors.filter(function(r, d) { return r })", (INTEGER, TABLE)),
        ("neighbors.nonkin().foreach(function(r, d) { log(d) })", (INTEGER, TABLE)),
        ('neighbors.listen("t", function(topic, value, robot) { })', (STRING, ANY, INTEGER)),
        ("neighbors.reduce(function(r, d, a) { return 0.5 + a }, 0)", (INTEGER, TABLE, INTEGER | FLOAT)),
        ('neighbors.reduce(function(r, d, a) { if(r) return "a" }, 1)', (INTEGER, TABLE, INTEGER | STRING | NIL)),
        ("neighbors.map(log).foreach(function(r, v) { })", (INTEGER, ANY)),
        ("neighbors.map(f).foreach(function(r, v) { }) function f(r, d) { return r }", (INTEGER, INTEGER)),
        ("neighbors.map(f).kin().foreach(function(r, v) { }) function f(r, d) { }", (INTEGER, NIL)),
        ("neighbors.map(f).reduce(function(r, v, a) { return a + v }, 0) function f() { return 0.5 }",
         (INTEGER, FLOAT, INTEGER | FLOAT)),
    ],
)  # fmt: skip
def test_arguments_have_the_types_of_what_neighbors_gives(text: str, types: tuple[int, ...]) -> None:
    facts = facts_of(text)
    function = facts.scopes.functions[1]
    assert tuple(facts.variables[parameter] for parameter in function.parameters) == types


def test_a_listener_is_called_with_just_its_arguments() -> None:
    source = compile_program("robot.bzz", 'neighbors.listen("t", function(t, v, r) { })').python_source()
    assert "(_t, _v, _r)" in source


def test_distance_stands_in_the_place_of_the_data_and_the_rest_comes_last() -> None:
    text = "neighbors.reduce(function(r, d, a) { return a + d.azimuth }, 0.0)"
    source = compile_program("robot.bzz", text).python_source()
    assert "(_r, _d.distance, _a, _d.azimuth, _d.elevation)" in source
    assert "return _a + _d.azimuth" in source


def test_readings_are_finite_so_that_their_sine_needs_no_test() -> None:
    text = "neighbors.foreach(function(r, d) { x = math.sin(d.azimuth) })"
    assert "x = __sin(_d.azimuth)" in compile_program("robot.bzz", text).python_source()


@pytest.mark.parametrize(
    ("calls", "python"),
    [
        ("lib.f(d.azimuth)  lib.f(d.distance)", "return __sin(_angle)"),
        ("lib.f(d.azimuth)  lib.f(d.azimuth / 0.0)", "_angle - _angle == 0.0"),
        ("var a = d.azimuth  lib.f(a)", "_angle - _angle == 0.0"),
    ],
)
def test_parameters_that_get_nothing_but_readings_are_finite_too(calls: str, python: str) -> None:
    library = "lib = { .f = function(angle) { return math.sin(angle) } }"
    text = f"{library} neighbors.foreach(function(r, d) {{ {calls} }})"
    assert python in compile_program("robot.bzz", text).python_source()


def test_what_map_gives_is_no_table_to_code_that_only_reduces_it() -> None:
    text = "x = neighbors.map(f).reduce(f, 0)  m = neighbors.map(f)  y = neighbors.map(f).map(f).reduce(f, 0)"
    source = compile_program("robot.bzz", text).python_source()
    assert source.count("as_results") == 1
    assert "x = neighbors['map'](f, as_results=True).reduce(f, 0)" in source


def test_data_that_came_apart_are_shown_as_one_table() -> None:
    shown = put_together({"r": 1, "d.distance": 2.0, "d.azimuth": 3.0, "x": 4})
    assert (shown["r"], shown["x"], dict(shown["d"])) == (1, 4, {"distance": 2.0, "azimuth": 3.0})
    assert whole_names(["r", "d.distance", "x", "d.azimuth"]) == ["r", "d", "x"]


# What runs


def test_no_table_is_made_for_functions_that_take_data_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pybuzz.swarm.readings.ReadingTables.make", None)
    text = """
    function step() {
      sum = neighbors.reduce(function(r, d, a) { return a + d.distance }, 0.0)
      neighbors.foreach(function(r, d) { sum = sum + d.elevation })
      sum = sum + neighbors.map(function(r, d) { return d.azimuth }).reduce(function(r, v, a) { return a + v }, 0)
      sum = sum + neighbors.count()
    }"""
    robot = Robot(compile_program("robot.bzz", PHASES + text))
    robot.step()
    assert robot.outcome == [None]
    assert robot.mind.machine.get_global("sum") == 155.75 - 0.25 + 2.25 + 4


@pytest.mark.parametrize("chain", ["map(1).reduce(f, 0)", "map(f).reduce(nil, 0)", "map(f).reduce(f, 0)"])
def test_mapping_and_reducing_fail_as_they_do_with_a_table_between(chain: str) -> None:
    text = f"{PHASES}function f(r, d, a) {{ return r + a }} function step() {{ neighbors.{chain} }}"
    robots = [Robot(compile_program("robot.bzz", text, host_names=names)) for names in ((), ("neighbors",))]
    for robot in robots:
        robot.step()
    assert robots[0].outcome == robots[1].outcome
    assert robots[0].mind.error is not None


def test_a_failure_is_told_as_if_data_were_a_table() -> None:
    text = PHASES + "function step() { neighbors.foreach(function(r, d) { log(d.distance.x, nowhere + d.azimuth) }) }"
    apart, whole = (Robot(compile_program("robot.bzz", text, host_names=names)) for names in ((), {"neighbors"}))
    apart.step()
    whole.step()
    assert apart.outcome == whole.outcome
    assert "expected table, got float" in apart.outcome[-1]


WALKS = {
    "foreach": "neighbors.foreach(function(r, d) { edit()  sum = sum + k * d.distance + d.azimuth })",
    "map": "neighbors.map(function(r, d) { edit()  sum = sum + k * d.distance + d.azimuth })",
    "filter": "neighbors.filter(function(r, d) { edit()  sum = sum + k * d.distance + d.azimuth })",
    "reduce": "sum = neighbors.reduce(function(r, d, a) { edit()  return a + k * d.distance + d.azimuth }, 0.0)",
}


@pytest.mark.parametrize("walk", WALKS.values(), ids=WALKS)
def test_a_walk_goes_on_when_the_host_breaks_an_assumption_in_its_midst(walk: str) -> None:
    def edit() -> None:
        robot.mind.machine.set_global("k", "not a number" if robot.mind.machine.get_global("late") else 2.0)

    text = f"k = 1  sum = 0.0  late = 0\nfunction init() {{ }}\nfunction step() {{ {walk} }}"
    robot = Robot(compile_program("robot.bzz", text, host_names={"edit"}), edit=host_function("edit", 0, edit))
    robot.step()
    assert robot.outcome == [None]
    # Twice each distance, for `k` is read after the edit, and the azimuths.
    assert robot.mind.machine.get_global("sum") == 2 * 155.75 + 2.25

    robot.mind.machine.set_global("late", 1)
    robot.step()
    assert "a string * a float" in robot.outcome[-1]


def test_functions_get_tables_from_what_the_host_puts_in_the_place_of_neighbors() -> None:
    text = PHASES + "function step() { neighbors.foreach(function(r, d) { log(r, d.distance) }) }"
    robot = Robot(compile_program("robot.bzz", text))
    given = Table.of([("foreach", host_function("foreach", 1, lambda call: call(7, Table.of([("distance", "far")]))))])
    robot.mind.machine.set_global("neighbors", given)
    robot.step()
    assert robot.outcome == ["7 far", None]


def test_functions_that_take_data_apart_are_told_from_all_others() -> None:
    machine = Robot(compile_program("robot.bzz", PHASES + "function f(r, d) { } neighbors.foreach(f)")).mind.machine
    assert takes_apart(machine.get_global("f"))
    assert not takes_apart(machine.get_global("log"))
    assert not takes_apart(machine.get_global("init"))
    assert not takes_apart(5)  # type: ignore[arg-type]

    machine.set_global("init", None)
    assert not takes_apart(machine.get_global("f"))


# Against code that relies on less


def random_script(seed: int) -> str:
    """A step that walks over its neighbours in several ways, perhaps failing."""
    return _Script(Random(seed)).text()


class _Script:
    def __init__(self, random: Random) -> None:
        self._random = random

    def text(self) -> str:
        chosen, random = self._random.choice, self._random
        return "\n".join(
            [
                f"g = {chosen(['0', '0.5', '3'])}  h = 1  unused = 0",
                *(f"function named{i}(r, d, a) {{ {self._body(random.randint(1, 3))} }}" for i in range(2)),
                "function init() { }",
                "function step() {",
                *(f"  {self._walk()}" for _ in range(random.randint(1, 4))),
                "  log(g, h)",
                "}",
            ]
        )

    def _walk(self) -> str:
        source = self._random.choice(["neighbors"] * 8 + ["neighbors.kin()", "neighbors.filter(named0)"])
        method = self._random.choice(["foreach", "foreach", "reduce", "map", "filter", "chain"])
        if method == "foreach":
            return f"{source}.foreach({self._function(2)})"
        if method == "reduce":
            return f"g = {source}.reduce({self._function(3)}, {self._random.choice(['0', '0.0', 'nil', 'h'])})"
        if method == "chain":
            joined = self._random.choice(["function(r, v, a) { return a + v }"] * 4 + ["named1"])
            return f"h = {source}.map({self._function(2)}).reduce({joined}, 1)"
        return f"{source}.{method}({self._function(2)}).foreach(function(r, v) {{ log(r, v) }})"

    def _function(self, arguments: int) -> str:
        if self._random.random() < 0.3:
            return f"named{self._random.randrange(2)}"
        names = ("r", "d", "a")[: self._random.choice([arguments] * 6 + [1, 2, 3])]
        return f"function({', '.join(names)}) {{ {self._body(self._random.randint(1, 3))} }}"

    def _body(self, count: int) -> str:
        return "  ".join([*(self._statement() for _ in range(count)), f"return {self._value()}"])

    def _statement(self) -> str:
        value, other = self._value(), self._value()
        plain = [
            f"g = {value}",
            f"h = {value}",
            f"h = math.abs({value})",
            f"log({value})",
            f"if({value} < {other}) return g",
            f"if({other}) {{ var x = {value}  h = x + {other} }}",
            f"neighbors.foreach(function(s, e) {{ h = h + e.distance + {other} }})",
        ]
        rare = [f"d.{self._field()} = {value}", "k = d"] if self._random.random() < 0.1 else []
        return self._random.choice(plain + rare)

    def _value(self, depth: int = 2) -> str:
        if not depth or self._random.random() < 0.4:
            data = [f"d.{self._field()}" for _ in range(6)]
            return self._random.choice([*data, "g", "h", "r", "2", "0.25", *(["d", "a", "nil"] * self._rarely())])
        operator = self._random.choice("+-*/<")
        return f"({self._value(depth - 1)} {operator} {self._value(depth - 1)})"

    def _field(self) -> str:
        return self._random.choice(["distance", "distance", "azimuth", "elevation"])

    def _rarely(self) -> bool:
        return self._random.random() < 0.15


def outcomes(seed: int) -> tuple[list[Any], int]:
    """What becomes of a random script when data come apart, when nothing is known of `neighbors`, and when assumptions
    are given up between two steps; and how many of its functions take data apart."""
    text, single = random_script(seed), seed % 3 == 0
    apart = compile_program("robot.bzz", text, single_precision=single)
    whole = compile_program("robot.bzz", text, single_precision=single, host_names={"neighbors"})
    robots = [Robot(apart), Robot(whole), Robot(apart)]
    for tick in range(3):
        for robot in robots:
            robot.step()
        if tick == 1:
            robots[2].mind.machine.set_global("unused", "something else")
    return [robot.outcome for robot in robots], len(apart.facts.apart)


def test_random_walks_do_the_same_whether_data_come_apart_or_not() -> None:
    found = [outcomes(seed) for seed in range(60)]
    for seed, ((apart, whole, exchanged), _) in enumerate(found):
        assert apart == whole, random_script(seed)
        assert exchanged == whole, random_script(seed)
    assert sum(count > 0 for _, count in found) > 40
    assert sum(results[0][-1] is None for results, _ in found) > 15


@pytest.mark.long
def test_thousands_of_random_walks_do_the_same_whether_data_come_apart_or_not() -> None:
    for seed in range(1000, 6000):
        (apart, whole, exchanged), _ = outcomes(seed)
        assert apart == whole == exchanged, random_script(seed)


# Walks within walks

DEEP_WALKS = """
import sys, threading
from test_neighbor_functions import PHASES, Robot, compile_program

def walk(body):
    text = f"{PHASES}function walk(robot, d) {{ {body} }} function step() {{ {body} }}"
    robot = Robot(compile_program("deep.bzz", text))
    robot.step()
    print(robot.mind.error.diagnostics[0].kind)

threading.stack_size(2**20)
for body in sys.argv[1:]:
    thread = threading.Thread(target=walk, args=(body,))
    thread.start()
    thread.join()
"""


def test_walks_within_walks_end_as_errors_of_the_script_on_any_stack() -> None:
    walks = ["neighbors.foreach(walk)", "neighbors.map(walk)", "neighbors.filter(walk)", "neighbors.reduce(walk, 0)"]
    bodies = [*walks, *(walk.replace("neighbors", "neighbors.kin()") for walk in walks)]
    bodies = [f"x = {body}" if "foreach" not in body else body for body in bodies]
    finished = subprocess.run(
        [sys.executable, "-c", DEEP_WALKS, *bodies],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(Path(__file__).parent), *sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.split("\n")[:-1] == ["recursion too deep"] * len(bodies)
