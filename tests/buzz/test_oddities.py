"""Every oddity of the C tools, and what is done about it here: one sentence each, with a script that shows it.

The numbers are those of the language reference's list, the entries without number are its unnumbered rows.
What is accepted here and not by the C tools, or means something else there, `pybuzz check` warns about.
"""

from __future__ import annotations

import gc
import tracemalloc
from dataclasses import dataclass
from pathlib import Path

import pytest

from pybuzz.buzz import compile_program, format_value
from pybuzz.buzz.checks import check_script
from pybuzz.errors import ScriptError
from pybuzz.swarm.mind import Mind
from pybuzz.swarm.packets import Packet
from pybuzz.swarm.queues import QueueLengths


@dataclass(frozen=True)
class Oddity:
    """A script and what it logs; `failure` is the kind and line of its error, `warning` the code of its warning."""

    number: str
    rule: str
    script: str
    logged: str = ""
    failure: tuple[str, int] | None = None
    warning: str = ""
    silent: bool = False
    """Whether the check must find nothing: the C tools do the same."""


class Robot:
    """A mind and what it logged, one line each."""

    def __init__(self, text: str, number: int = 1, *, data_size: int = 100) -> None:
        self.lines: list[str] = []
        self.oversize: list[tuple[str, int, int]] = []
        self.warnings: list[str] = []
        machine = compile_program("oddity.bzz", text).new_machine(number, log=self._log)
        self.mind = Mind(
            machine, number, data_size=data_size, warn=self.warnings.append, log_oversize=self._note_oversize
        )
        self.mind.start()
        if machine.get_global("init") is not None:
            self.mind.init()

    def _log(self, values: tuple[object, ...]) -> None:
        self.lines.append("".join(map(format_value, values)))

    def _note_oversize(self, what: str, size: int, limit: int) -> None:
        self.oversize.append((what, size, limit))

    def step(self, *heard: Robot) -> None:
        packets = [other.mind.packet() for other in heard]
        self.mind.hear(packets, [100.0] * len(packets), [0.0] * len(packets), [0.0] * len(packets))
        self.mind.step()


def together(text: str, steps: int, numbers: tuple[int, ...] = (1, 2)) -> list[Robot]:
    """Robots of one script that hear each other."""
    robots = [Robot(text, number) for number in numbers]
    for _ in range(steps):
        for robot in robots:
            robot.step(*(other for other in robots if other is not robot))
    assert [robot.mind.error for robot in robots] == [None] * len(robots)
    return robots


ODDITIES = [
    Oddity("Q-01", "an escape stands for one character and takes no other with it",
           r'log("a\"b", "c\\d")', 'a"bc\\d', warning="portable-escape"),
    Oddity("Q-02", "a string may hold a line end, escaped or raw",
           'log("a\\nb") log("c\nd")', "a\nb\nc\nd", warning="portable-escape"),
    Oddity("Q-03", "a line end after return ends it",
           'function f() { if(1) return\n log("not reached") }\nlog(f())', "[nil]", warning="portable-return-value"),
    Oddity("Q-03b", "a semicolon after return ends it, and a comment changes nothing",
           'function f() { if(1) return; log("no") }\nfunction g() { if(1) return # done\n x = 1 }\nlog(f(), g(), x)',
           "[nil][nil][nil]", warning="portable-return-value"),
    Oddity("Q-04", "a semicolon right after a condition is an empty body",
           'if(0);\nlog("next")', "next", warning="empty-body"),
    Oddity("Q-04b", "a line end after a condition is no body",
           'if(0)\nlog("body")\nlog("next")', "next", silent=True),
    Oddity("", "a line end separates nothing, so that a line beginning with a sign continues the one before",
           "x = 10\n- 3\nlog(x)", "7", warning="continued-line"),
    Oddity("", "and and or have one level, evaluate both sides and give 1 or 0",
           'function yes(t) { log(t) return 5 }\nx = (yes("a") or yes("b") and 0)\nlog(x)', "a\nb\n0", silent=True),
    Oddity("", "not is looser than every other operator", "log(not 1 == 2) log(not 0 and 0)", "1\n1", silent=True),
    Oddity("", "% is tighter than *", "log(2 * 7 % 4)", "6", silent=True),
    Oddity("", "bit operators are tighter than arithmetic", "log(1 + 2 | 4, \" \", 2 << 1 + 1)", "7 5", silent=True),
    Oddity("", "a minus sign belongs to a number, and comes after the power of a variable",
           "a = 2 log(-2^2, \" \", -a^2)", "4.000000 -4.000000", silent=True),
    Oddity("", "a comparison needs parentheses on the right of =", "x = 1 == 2", failure=("syntax error", 1)),
    Oddity("", "not needs parentheses on the right of =", "x = not 1", failure=("syntax error", 1)),
    Oddity("Q-05", "a parameter of a lambda hides a local of that name",
           "function f(k) { return function(k) { return k } }\ng = f(1)\nlog(g(2))", "2", warning="portable-shadowing"),
    Oddity("Q-06", "parameters of a lambda in braces outside functions get their own arguments",
           "if(1) { f = function(a, b) { log(a, b) } }\nf(1, 2)", "12", warning="portable-file-level-lambda"),
    Oddity("Q-07", "var in braces outside functions is local to the braces",
           "if(1) { var v = 5 log(v) }\nlog(v)", "5\n[nil]", warning="portable-file-level-variable"),
    Oddity("Q-08", "a stray brace is an error", "log(1)\n}\nlog(2)", failure=("syntax error", 2)),
    Oddity("Q-09", "an integer divided by zero is an error",
           "x = 1\ny = x / 0", failure=("division by zero", 2), warning="division-by-zero"),
    Oddity("Q-09b", "the rest of a division by zero is an error",
           "x = 1\ny = x % 0", failure=("division by zero", 2), warning="division-by-zero"),
    Oddity("Q-09c", "the smallest integer divided by -1 is an error",
           "x = -2147483648 x = x / -1", failure=("division by zero", 1)),
    Oddity("Q-10", "% of an integer and a float is that of two floats",
           "a = -7 log(a % 3.0) log(-7.5 % 2)", "2.000000\n0.500000",
           warning="portable-remainder"),
    Oddity("", "% with a negative divisor takes the divisor's sign away as the C tools do",
           "a = 7 b = -3 log(a % b) a = -7 log(a % b)", "1\n-4", silent=True),
    Oddity("Q-11", "the second argument of gaussian is the mean",
           "math.rng.setseed(1) x = math.rng.gaussian(1.0, 1000.0) log(x > 900.0)", "1", warning="portable-gaussian"),
    Oddity("Q-12", "tostring of what is no number is nil",
           "log(string.tostring({}))", "[nil]", warning="portable-argument"),
    Oddity("", "nan equals every number", "n = math.sqrt(-1.0) log(n == 1, n == 2.5, n == n)", "111", silent=True),
    Oddity("", "a number and a string are compared by what they look like",
           'log(1 == "1", 2 < "10")', "10", warning="mixed-comparison"),
    Oddity("Q-13", "functions are equal if they are one",
           "f = function() { } g = function() { } log(f == f, f == g, f != g)", "101",
           warning="portable-closure-comparison"),
    Oddity("Q-13b", "functions have no order", "f = function() { }\nif(f < f) log(1)", failure=("type mismatch", 2)),
    Oddity("Q-14", "a missing argument is an error where it is read",
           "function f(a, b) {\n var c = 1\n return b + c\n}\nf(1)", failure=("wrong number of local variables", 3),
           warning="missing-argument"),
    Oddity("Q-15", "a table is no key", "t = {}\nlog(t[t])", failure=("type mismatch", 2)),
    Oddity("Q-16", "a number and a string are never the same key",
           't = {} t[5] = "number" t["5"] = "text" log(t[5], " ", t["5"], " ", size(t))', "number text 2"),
    Oddity("Q-17", "a built-in function is a callback like any other",
           't = {.a = 1} foreach(t, log) log("after")', "a1\nafter", warning="portable-callback"),
    Oddity("Q-18", "keys may be removed while foreach walks",
           "t = {.0 = 1, .1 = 2, .2 = 3} n = 0 foreach(t, function(k, v) { t[k] = nil n = n + 1 }) log(n, size(t))",
           "30", warning="portable-removal"),
    Oddity("Q-19", "foreach walks the table as it was",
           "t = {.0 = 1, .1 = 2} n = 0 foreach(t, function(k, v) { t[k] = v + 1 t[k + 5] = 1 n = n + 1 })\n"
           "log(n, \" \", t[0], t[1])", "2 23", warning="portable-update"),
    Oddity("Q-20", "a clone of a table that holds itself holds itself",
           "t = {} t.me = t c = clone(t) log(c.me == c, c.me == t)", "10"),
    Oddity("Q-20b", "a table that holds itself cannot be sent",
           't = {} t.me = t\nneighbors.broadcast("x", t)', failure=("type mismatch", 2)),
    Oddity("Q-21", "swarm.id(n) is the n-th from the top",
           "a = swarm.create(1) b = swarm.create(2) a.join() b.join()\n"
           "a.exec(function() { b.exec(function() { log(swarm.id(1), swarm.id(2)) }) })", "21",
           warning="portable-swarm-id"),
    Oddity("Q-22", "extra arguments leave the parameters of inner lambdas alone",
           "function f(a) { return function(b) { return b } }\ng = f(1, 2, 3)\nlog(g(9))", "9",
           warning="portable-extra-argument"),
    Oddity("Q-24", "a substring from before the beginning is nil",
           'log(string.sub("abc", -1))', "[nil]", warning="portable-substring"),
    Oddity("Q-25", "arrows runs each of its functions",
           'include "arrows.bzz"\nfunction f() { log("f") }\nfunction g() { log("g") }\n'
           "chain = arrows.begin(f)\nchain.next(g).next(f)\narrows.run(chain)", "f\ng\nf",
           warning="portable-library"),
    Oddity("Q-26", "transpose logs nothing",
           'include "matrix.bzz"\nm = math.matrix.transpose(math.matrix.new(1, 2))\nlog("done")', "done",
           warning="portable-library"),
    Oddity("Q-27", "an empty script does nothing", "# nothing", "", warning="portable-empty-script"),
    Oddity("Q-28", "a file is included once",
           'include "vec2.bzz"\nmath.vec2.mine = 1\ninclude "vec2.bzz"\nlog(math.vec2.mine)', "1",
           warning="portable-include"),
    Oddity("Q-29", "a named function loses against a built-in of that name, an assignment does not",
           "function size(t) { return 42 }\nlog(size({}))\nsize = function(t) { return 42 }\nlog(size({}))", "0\n42",
           warning="lost-function"),
    Oddity("Q-30", "of several dots in a number only the first counts", "log(1.5.7)", "1.500000",
           warning="several-points"),
    Oddity("Q-31", "a name may begin with include", "included = 3\nlog(included)", "3", warning="portable-name"),
    Oddity("Q-32", "var as a body without braces is a block of its own",
           "function f() { if(0) var x = 1\n var y = 2\n return y }\nlog(f())", "2",
           warning="portable-unbraced-variable"),
    Oddity("Q-33", "a file that ends with a bare name has a syntax error", "log(1)\nx", failure=("syntax error", 2)),
    Oddity("Q-34", "return outside functions ends the global part", "log(1)\nreturn\nlog(2)", "1",
           warning="portable-return"),
    Oddity("Q-36", "what cannot travel is an error at the sender",
           'function f(n) {\nneighbors.broadcast("x", function() { return n })\n}\nf(1)', failure=("type mismatch", 2)),
    Oddity("Q-37", "a syntax error is placed at what is wrong", "log(1)\nx = (1 + * 2)\n",
           failure=("syntax error", 2)),
    Oddity("Q-38", "an error of arithmetic names the types", 'x = 1\ny = x + "a"', failure=("type mismatch", 2)),
    Oddity("Q-43", "self is the table in which a function was stored last, and a clone keeps the old one",
           "o = {.n = 1, .f = function() { return self.n }} c = clone(o) c.n = 2 log(o.f(), c.f())", "11"),
    Oddity("Q-44", "captures are copies, made anew for each call",
           "function f() { var n = 0 var g = function() { n = n + 1 return n } log(g()) log(g()) log(n) }\nf()",
           "1\n1\n0", silent=True),
    Oddity("Q-45", "tables with numbers as keys are walked by buckets",
           "t = {} t[12] = 1 t[1] = 1 t[11] = 1 t[0] = 1 foreach(t, function(k, v) { log(k) })", "0\n1\n11\n12",
           silent=True),
    Oddity("Q-47", "select takes any integer but zero for true, and in() is 1 or 0",
           "s = swarm.create(1) s.select(256) log(s.in()) s.select(2) log(s.in()) s.select(0) log(s.in())", "1\n1\n0"),
    Oddity("", "a name does not begin with an underscore", "_x = 1", failure=("syntax error", 1)),
    Oddity("", "a number does not begin with a dot", "x = .5", failure=("syntax error", 1)),
    Oddity("", "named functions are not nested", "function f() {\nfunction g() { }\n}", failure=("syntax error", 2)),
    Oddity("", "there is no print", "print(1)", failure=("type mismatch", 1), warning="undefined-global"),
    Oddity("", "a swarm has no unselect", "s = swarm.create(1)\ns.unselect(1)", failure=("type mismatch", 2)),
    Oddity("", "there is no =>", "if(1 => 2) log(1)", failure=("syntax error", 1)),
]  # fmt: skip


def _name(oddity: Oddity) -> str:
    return f"{oddity.number} {oddity.rule}".strip()


def _outcome(oddity: Oddity) -> tuple[str, tuple[str, int] | None]:
    """What was logged, and the kind and line of the error that ended it."""
    lines: list[str] = []
    try:
        robot = Robot(oddity.script)
        lines = robot.lines
        if robot.mind.error is not None:
            raise robot.mind.error
    except ScriptError as error:
        found = error.diagnostics[0]
        return "\n".join(lines), (found.kind, found.place.line)
    return "\n".join(lines), None


@pytest.mark.parametrize("oddity", ODDITIES, ids=_name)
def test_oddity_is_put_right_or_kept_as_its_rule_says(oddity: Oddity) -> None:
    assert _outcome(oddity) == (oddity.logged, oddity.failure)


@pytest.mark.parametrize("oddity", [each for each in ODDITIES if each.warning], ids=_name)
def test_a_script_that_means_something_else_to_the_c_tools_is_warned_of(oddity: Oddity) -> None:
    assert oddity.warning in [found.code for found in check_script("oddity.bzz", oddity.script)]


@pytest.mark.parametrize("oddity", [each for each in ODDITIES if each.silent], ids=_name)
def test_what_the_c_tools_do_as_well_is_not_called_unportable(oddity: Oddity) -> None:
    codes = [found.code for found in check_script("oddity.bzz", oddity.script)]
    assert [code for code in codes if code.startswith("portable-")] == []


def test_q23_an_empty_list_says_that_a_robot_left_its_last_swarm() -> None:
    script = (
        "function init() { n = 0 s = swarm.create(1) s.join() }\n"
        "function step() { n = n + 1 if(id == 2 and n == 10) { s.leave() }\n"
        "s.exec(function() { log(neighbors.kin().count()) }) }"
    )
    one, _ = together(script, 14)
    assert one.lines[5] == "1"
    assert one.lines[-1] == "0"


def test_q35_a_write_just_after_an_own_deletion_wins_against_it() -> None:
    script = (
        "function init() { n = 0 v = stigmergy.create(1) }\n"
        'function step() { n = n + 1 if(id == 1) { if(n == 1) v.put("k", 1)\n if(n == 4) { v.put("k", nil) }\n'
        ' if(n == 5) { v.put("k", 2) } }\n log(v.get("k")) }'
    )
    one, two = together(script, 10)
    assert (one.lines[-1], two.lines[-1]) == ("2", "2")


def test_q36_receivers_survive_any_bytes() -> None:
    robot = Robot('neighbors.listen("x", function(t, v, r) { log(v) })\nfunction init() { }\nfunction step() { }')
    robot.mind.hear([Packet(bytes(range(100))), Packet(b"\x00\x02\x00\x06\x00\x03\x00\x01x\x09")], [1.0] * 2, [0.0] * 2,
                    [0.0] * 2)  # fmt: skip
    assert robot.mind.error is None


def test_q39_of_two_broadcasts_in_a_step_the_first_arrives_last() -> None:
    script = (
        'function init() { neighbors.listen("x", function(t, v, r) { log(v) }) }\n'
        'function step() { neighbors.broadcast("x", 1) neighbors.broadcast("x", 2) }'
    )
    _, two = together(script, 1)
    assert two.lines == ["2", "1"]


def test_q40_broadcasts_go_before_stigmergy_and_swarms() -> None:
    robot = Robot(
        "function init() { s = swarm.create(1) v = stigmergy.create(1) s.join() v.put(1, 1) }\n"
        'function step() { neighbors.broadcast("x", 1) neighbors.broadcast("x", 2) }',
        data_size=24,
    )
    for step in (1, 2, 3):
        robot.step()
        assert robot.mind.waiting == QueueLengths(broadcast=step, vstig=1, swarm=1)


def test_q41_a_payload_of_four_bytes_less_than_the_packet_is_dropped() -> None:
    # Packet 20 bytes: robot 2, length 2, type 1, topic "x" 4, string's head 3; so at most 8 characters would fit.
    script = 'function init() {{ }}\nfunction step() {{ neighbors.broadcast("x", "{}") }}'
    kept, dropped = Robot(script.format("a" * 7), data_size=20), Robot(script.format("a" * 8), data_size=20)
    kept.step()
    dropped.step()
    assert kept.oversize == []
    assert [limit for _, _, limit in dropped.oversize] == [18]


def test_q42_a_dead_robot_goes_on_sending_its_last_packet() -> None:
    robot = Robot(
        'function init() { n = 0 }\nfunction step() { neighbors.broadcast("x", 1) n = n + 1 if(n == 2) n.x = 1\n}'
    )
    robot.step()
    last = robot.mind.packet()
    robot.step()
    robot.step()
    assert robot.mind.error is not None
    assert robot.mind.packet() is last


def test_q46_a_seed_gives_the_numbers_of_the_c_tools() -> None:
    # Logged by the C runtime: tests/data/conformance/rng/reseed_repeats.
    robot = Robot("math.rng.setseed(-1) log(math.rng.uniform(1000)) math.rng.setseed(0) log(math.rng.uniform(1000))")
    assert robot.lines == ["789", "555"]


def test_q48_creating_a_swarm_again_adds_nothing() -> None:
    robot = Robot("function init() { }\nfunction step() { s = swarm.create(1) }")
    robot.step()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for _ in range(1000):
        robot.step()
    gc.collect()  # a table and its methods know each other
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 20_000  # a swarm's table alone has some 2,000 bytes


def test_q49_a_clock_that_wrapped_over_counts_as_later() -> None:
    script = (
        "function init() { v = stigmergy.create(1) n = 0 }\n"
        "function step() { if(id == 1) { while(n < 65600) { n = n + 1 v.put(1, n) } }\n log(v.get(1)) }"
    )
    one, two = together(script, 3)
    assert (one.lines[-1], two.lines[-1]) == ("65600", "65600")


def test_q50_a_success_clears_the_last_error_of_a_file(tmp_path: Path) -> None:
    lines: list[str] = []
    text = (
        'f = io.fopen("none.txt", "r")\nlog(io.errno != 0)\nf = io.fopen("some.txt", "w")\nlog(io.errno)\nio.fclose(f)'
    )
    machine = compile_program("oddity.bzz", text).new_machine(
        1, log=lambda values: lines.append("".join(map(format_value, values))), io_folder=tmp_path
    )
    machine.run_global_part()
    assert lines == ["1", "0"]
