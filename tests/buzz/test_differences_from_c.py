"""The list of differences in docs/language.md: every entry has a test, and says truly what `--exact` does.

A script here shows what is done by default, and with `exact` if that is something else. An entry that takes more than
one robot, or other means, names the test that shows it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from pybuzz.buzz import compile_program, format_value
from pybuzz.errors import ScriptError
from pybuzz.swarm.mind import Mind
from pybuzz.swarm.packets import Packet
from pybuzz.swarm.queues import OutgoingQueue
from pybuzz.swarm.swarms import Swarms
from pybuzz.swarm.wire import SWARM_LIST, SwarmMessage

_TESTS = Path(__file__).parents[1]
_PAGE = (_TESTS.parent / "docs" / "language.md").read_text()
_ROW = re.compile(
    r"^\| (?P<rule>.+?) \|(?P<here>.+?)\|(?P<there>.+?)\|(?P<exact>.*?)\|(?P<warning>.*?)\|$", re.MULTILINE
)
ROWS = {
    found["rule"]: "as there" in found["exact"]
    for found in _ROW.finditer(_PAGE.split("## What differs from the C tools")[1])
    if found["rule"] not in ("rule", "---")
}


@dataclass(frozen=True)
class Shown:
    """A script and what it logs, or the kind and line of its error; `exact`: what it logs as the C tools do it."""

    script: str
    logged: str | tuple[str, int]
    exact: str = ""


def _outcome(script: str, *, exact: bool) -> tuple[str | tuple[str, int], list[str]]:
    lines: list[str] = []
    warnings: list[str] = []
    try:
        machine = compile_program("script.bzz", script, exact=exact).new_machine(
            1, log=lambda values: lines.append("".join(map(format_value, values))), budget=10_000, warn=warnings.append
        )
        mind = Mind(machine, 1, data_size=100, log_oversize=lambda *report: None)
        mind.start()
        if mind.error is not None:
            raise mind.error
    except ScriptError as error:
        found = error.diagnostics[0]
        return (found.kind, found.place.line), warnings
    return " ".join(lines), warnings


WALK = "foreach(t, function(k, v) { "
DIFFERENCES: dict[str, Shown | str] = {
    "escapes and line ends in strings": Shown(r'log(string.length("a\"\n"))', "3"),
    "a zero byte in a string": Shown('log(string.length("a\x00b"))', "3"),
    "`return`, then the end of the line": Shown("function f() { if(1) return\n log(1) }\nlog(f())", "[nil]"),
    "`if(c);`": Shown("if(0);\nlog(1)", "1"),
    "a parameter with the name of a local": Shown(
        "function f(k) { return function(k) { return k } }\ng = f(1)\nlog(g(2))", "2"
    ),
    "a function in braces outside functions": Shown("if(1) { f = function(a, b) { log(a, b) } }\nf(1, 2)", "12"),
    "`var` in braces outside functions": Shown("if(1) { var v = 5 log(v) }\nlog(v)", "5 [nil]"),
    "`if(c) var x = 1`": Shown("function f() { if(0) var x = 1\n var y = 2\n return y }\nlog(f())", "2"),
    "a stray `}`": Shown("log(1)\n}\nlog(2)", ("syntax error", 2)),
    "a bare name at the end of a file": Shown("log(1)\nx", ("syntax error", 2)),
    "`return` outside functions": Shown("log(1)\nreturn\nlog(2)", "1"),
    "a script without statements": Shown("# nothing", ""),
    "a file included twice": Shown(
        'include "vec2.bzz"\nmath.vec2.mine = 1\ninclude "vec2.bzz"\nlog(math.vec2.mine)', "1"
    ),
    "where an include is looked for first": (
        "buzz/test_includes.py::test_the_folder_of_the_including_file_comes_first"
    ),
    "a name that begins with `include`": Shown("included = 3\nlog(included)", "3"),
    "a byte order mark": Shown("\xef\xbb\xbflog(1)", "1"),
    "the place of an error": Shown("x = (1 +\n (2 - nil) +\n 3)\nlog(x)", ("type mismatch", 2)),
    "operands of the wrong type": "buzz/test_mismatches.py::test_a_type_mismatch_names_both_types",
    "division of integers by zero, and of -2147483648 by -1": Shown(
        "x = -2147483648\ny = x / -1", ("division by zero", 2)
    ),
    "`%` of a negative number, one of both a float": Shown("log(-7 % 2.0)", "1.000000", exact="1073741824.000000"),
    "comparing functions": Shown("f = function() { } g = function() { } log(f == f, f == g)", "10"),
    "the order of two tables": Shown("a = {} b = {} log(a < b, b < a)", "10"),
    "a missing argument": Shown(
        "function f(a, b) {\n var c = 1\n return b + c\n}\nf(1)", ("wrong number of local variables", 3)
    ),
    "extra arguments": Shown("function f(a) { return function(b) { return b } }\ng = f(1, 2, 3)\nlog(g(9))", "9"),
    "a loop without end": Shown("while(1) { }", ("budget exceeded", 1)),
    "calls within calls without end": Shown("function f(n) { return f(n) + 1 }\nf(1)", ("budget exceeded", 1)),
    "a table as a key": Shown("t = {}\nlog(t[t])", ("type mismatch", 2)),
    '`5` and `"5"` as keys': Shown('t = {} t[5] = 1 t["5"] = 2 log(size(t))', "2"),
    "`-10` and `-10.0` as keys, and other negative multiples of ten": Shown(
        "t = {} t[-10] = 1 t[-10.0] = 2 log(size(t))", "1"
    ),
    "strings made at run time": "buzz/test_differences_from_c.py::test_a_string_comes_back_with_its_number",
    "`foreach(t, log)`": Shown("t = {.a = 1} foreach(t, log)", "a1"),
    "removing entries while walking": Shown(
        f"t = {{.0 = 1, .1 = 2}} n = 0 {WALK} t[k] = nil n = n + 1 }}) log(n)", "2"
    ),
    "setting entries while walking": Shown(
        f"t = {{.0 = 1, .1 = 2}} n = 0 {WALK} t[k + 5] = 1 n = n + 1 }}) log(n)", "2", exact="4"
    ),
    "`clone` of a table that holds itself": Shown("t = {} t.me = t c = clone(t) log(c.me == c, c.me == t)", "10"),
    "`math.rng` before `setseed` in `exec`": Shown(
        "x = math.rng.uniform(1000) math.rng.setseed(0) log(x == math.rng.uniform(1000))", "1"
    ),
    "`math.rng.gaussian(s, m)`": Shown(
        "math.rng.setseed(5) log(math.rng.gaussian(3.0, 0.0))", "3.539444", exact="6.539443"
    ),
    "`string.tostring` of no number": Shown("log(string.tostring(nil))", "[nil]", exact="0.000000"),
    "`string.sub` before the beginning": Shown('log(string.sub("abc", -1))', "[nil]"),
    "`swarm.id(n)`": Shown(
        "a = swarm.create(1) b = swarm.create(2) a.join() b.join()\n"
        "a.exec(function() { b.exec(function() { log(swarm.id(2)) }) })",
        "1",
        exact="2",
    ),
    "`select(256)`, `in()`": Shown(
        "s = swarm.create(1) s.select(256) log(s.in()) s.select(2) log(s.in())", "1 1", exact="0 2"
    ),
    "an empty list of swarms": "buzz/test_differences_from_c.py::test_an_empty_list_of_swarms_clears_unless_exact",
    "creating a swarm again and again": "buzz/test_oddities.py::test_q48_creating_a_swarm_again_adds_nothing",
    "`arrows.run`, `math.matrix.transpose`": Shown(
        'include "arrows.bzz"\ninclude "matrix.bzz"\nfunction f() { log("f") }\nfunction g() { log("g") }\n'
        "chain = arrows.begin(f)\nchain.next(g)\narrows.run(chain)\n"
        "m = math.matrix.transpose(math.matrix.new(1, 2))",
        "f g",
    ),
    "writing to a stigmergy after deleting": (
        "buzz/test_differences_from_c.py::test_a_write_after_a_deletion_wins_unless_exact"
    ),
    "a stigmergy entry written more than 65,535 times": (
        "buzz/test_oddities.py::test_q49_a_clock_that_wrapped_over_counts_as_later"
    ),
    "a function as a key of a stigmergy": Shown("v = stigmergy.create(1)\nv.put(math.abs, 1)", ("type mismatch", 2)),
    "what cannot be sent": Shown('t = {} t.me = t\nneighbors.broadcast("x", t)', ("type mismatch", 2)),
    "malformed packets": "buzz/test_oddities.py::test_q36_receivers_survive_any_bytes",
    "no function `reset()`": "swarm/test_mind.py::test_reset_and_destroy_may_be_missing_but_init_and_step_may_not",
    "files": Shown('f = io.fopen("x.txt", "w")', ("no file access", 1)),
    "`io.errno`": "buzz/test_oddities.py::test_q50_a_success_clears_the_last_error_of_a_file",
}
TOLD_BY_CHECK_ONLY = frozenset(("setting entries while walking",))
SCRIPTS = {rule: shown for rule, shown in DIFFERENCES.items() if isinstance(shown, Shown)}
ELSEWHERE = {rule: test for rule, test in DIFFERENCES.items() if isinstance(test, str)}


def test_every_entry_has_a_test_and_every_test_its_entry() -> None:
    assert len(ROWS) > 50
    assert list(ROWS) == list(DIFFERENCES)


@pytest.mark.parametrize("rule", SCRIPTS)
def test_a_script_does_what_its_entry_says(rule: str) -> None:
    shown = SCRIPTS[rule]
    assert _outcome(shown.script, exact=False)[0] == shown.logged
    assert _outcome(shown.script, exact=True)[0] == (shown.exact or shown.logged)
    assert ROWS[rule] == bool(shown.exact)


@pytest.mark.parametrize("rule", [rule for rule in SCRIPTS if ROWS.get(rule) and rule not in TOLD_BY_CHECK_ONLY])
def test_a_script_that_does_otherwise_with_exact_is_told_so_once(rule: str) -> None:
    script = SCRIPTS[rule].script
    _, warnings = _outcome(f"{script}\n{script}", exact=False)
    [warning] = warnings
    assert "--exact" in warning
    assert warning.startswith("script.bzz:")
    assert _outcome(script, exact=True)[1] == []


@pytest.mark.parametrize("rule", ELSEWHERE)
def test_the_test_that_an_entry_names_is_there(rule: str) -> None:
    file, _, name = ELSEWHERE[rule].partition("::")
    assert f"def {name}(" in (_TESTS / file).read_text()


# What takes more than a script


def test_a_string_comes_back_with_its_number() -> None:
    program = compile_program("script.bzz", "x = string.tostring(77) x = string.tostring(78) x = string.tostring(77)")
    machine = program.new_machine(1, log=print)
    machine.run_global_part()
    assert machine.string_id("78") == machine.string_id("77") + 1


@pytest.mark.parametrize("exact", [False, True])
def test_an_empty_list_of_swarms_clears_unless_exact(exact: bool) -> None:

    told: list[str] = []
    swarms = Swarms(OutgoingQueue(), exact=exact, differs=told.append)
    swarms.hear(SwarmMessage(SWARM_LIST, ()), 2)
    assert told == []
    swarms.hear(SwarmMessage(SWARM_LIST, (1,)), 2)
    swarms.hear(SwarmMessage(SWARM_LIST, ()), 2)
    assert swarms.claims == ({2: [1]} if exact else {})
    assert len(told) == (0 if exact else 1)


@pytest.mark.parametrize("exact", [False, True])
def test_a_write_after_a_deletion_wins_unless_exact(exact: bool) -> None:
    script = """
    function init() { n = 0 v = stigmergy.create(1) }
    function step() {
      n = n + 1
      if(id == 1 and n == 1) { v.put("k", 1) }
      if(id == 1 and n == 4) { v.put("k", nil) }
      if(id == 1 and n == 5) { v.put("k", 2) }
      seen = v.get("k")
    }
    """
    told: list[str] = []
    program = compile_program("script.bzz", script, exact=exact)
    minds = [
        Mind(
            program.new_machine(number, log=print, warn=told.append),
            number,
            data_size=100,
            log_oversize=lambda *_: None,
        )
        for number in (1, 2)
    ]
    for mind in minds:
        mind.start()
        mind.init()
    for _ in range(10):
        packets: list[Packet] = [mind.packet() for mind in minds]
        for mind, packet in zip(minds, reversed(packets), strict=True):
            mind.hear([packet], [100.0], [0.0], [0.0])
            mind.step()
    assert minds[1].machine.get_global("seen") == (None if exact else 2)
    assert len(told) == (0 if exact else 1)
