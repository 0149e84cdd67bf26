"""What `exact` programs do: what the C runtime does, in single precision, where ours promise something else."""

from __future__ import annotations

import pytest

from pybuzz.buzz import compile_program, format_value
from pybuzz.buzz.strings import StringIds
from pybuzz.buzz.tables import Table
from pybuzz.swarm.mind import Mind
from pybuzz.swarm.packets import Packet
from pybuzz.swarm.wire import Writer, pack_messages


def _run(text: str, **options: bool) -> tuple[list[str], list[str]]:
    """What a script logs and what its robots are warned of: two robots of one program."""
    lines: list[str] = []
    warnings: list[str] = []
    program = compile_program("script.bzz", text, **options)
    for number in (1, 2):
        machine = program.new_machine(
            number, log=lambda values: lines.append("".join(map(format_value, values))), warn=warnings.append
        )
        machine.run_global_part()
    return lines[: len(lines) // 2], warnings


GAUSSIAN = "math.rng.setseed(5)\nlog(math.rng.gaussian({}))"


def test_exact_programs_are_in_single_precision() -> None:
    program = compile_program("script.bzz", "log(16777216.0 + 1)", exact=True)
    assert (program.exact, program.single_precision) == (True, True)
    assert not compile_program("script.bzz", "", single_precision=True).exact


def test_a_gaussian_has_its_deviation_for_mean_when_exact_and_its_mean_otherwise() -> None:
    assert _run(GAUSSIAN.format("3.0, 0.0"), exact=True) == (["6.539443"], [])
    lines, warnings = _run(GAUSSIAN.format("3.0, 0.0"), single_precision=True)
    assert lines == ["3.539444"]
    assert warnings == ["script.bzz:2:5: math.rng.gaussian(s, m) has the mean m here, and s in C Buzz and with --exact"]


@pytest.mark.parametrize("arguments", ["", "3.0", "3.0, 3.0"])
@pytest.mark.parametrize("exact", [False, True])
def test_a_gaussian_that_is_the_same_in_c_buzz_is_no_matter_for_a_warning(arguments: str, exact: bool) -> None:
    lines, warnings = _run(GAUSSIAN.format(arguments), exact=exact)
    assert warnings == []
    assert lines == _run(GAUSSIAN.format(arguments), exact=not exact)[0]


@pytest.mark.parametrize("value", ["nil", '"abc"', "{}", "math.abs"])
def test_what_is_no_number_is_a_text_of_zero_when_exact_and_nil_otherwise(value: str) -> None:
    text = f"log(string.tostring({value}))\nlog(string.tostring(nil))"
    assert _run(text, exact=True) == (["0.000000", "0.000000"], [])
    lines, warnings = _run(text)
    assert lines == ["[nil]", "[nil]"]
    assert warnings == [
        'script.bzz:1:5: string.tostring of what is no number is nil here, and "0.000000" in C Buzz and with --exact'
    ]


@pytest.mark.parametrize(
    ("text", "logged"),
    [
        ("t = {.0.1 = 5} log(t[0.1])", "5"),
        ("t = {.16777217.0 = 1} foreach(t, function(k, v) { log(k) })", "16777216.000000"),
        ("t = {.16777217.0 = 1, .16777216.0 = 2} log(size(t))", "1"),
        ("function f() { return {.a = 1, .0.1 = 5} } log(f()[0.1])", "5"),
        ('x = "123456790.000000" if(x < 123456789.0) log("less") else log("not less")', "less"),
        ("t = {} t[0.1] = 3 log(t[0.1])", "3"),
    ],
)
def test_every_constant_of_a_script_is_rounded_in_single_precision(text: str, logged: str) -> None:
    assert _run(text, single_precision=True)[0] == [logged]


MADE = """
t = {.k = 0}
i = 0
while(i < 9) {
  t[string.tostring(i)] = i
  i = i + 1
}
foreach(t, function(key, value) { log(key) })
"""


def _robot(text: str, *, exact: bool = True) -> tuple[Mind, list[str]]:
    """A robot that has run the code outside functions, and what it logs."""
    lines: list[str] = []
    machine = compile_program("script.bzz", text, exact=exact).new_machine(
        1, log=lambda values: lines.append("".join(map(format_value, values)))
    )
    mind = Mind(machine, 1, data_size=100, log_oversize=lambda *report: None)
    mind.start()
    return mind, lines


def _hear(mind: Mind, *payloads: bytes) -> None:
    mind.hear([Packet(pack_messages(2, list(payloads), 100))], [1.0], [0.0], [0.0])


def test_strings_made_at_run_time_are_numbered_after_the_built_in_names_and_nothing_else() -> None:
    program = compile_program("script.bzz", MADE)
    first = len(program.strings)
    buckets = {str(number): (first + number) % 10 for number in range(9)} | {"k": program.strings["k"] % 10}
    expected = sorted(["k", *map(str, range(9))], key=buckets.__getitem__)
    assert _robot(MADE)[1] == expected


def test_names_of_readings_are_numbered_when_the_first_neighbour_is_heard() -> None:
    mind, _ = _robot("function step() { made = string.tostring(id) }", exact=False)
    mind.step()
    _hear(mind)
    machine = mind.machine
    numbers = [machine.string_id(name) for name in ("1", "poses", "distance", "azimuth", "elevation")]
    assert numbers == list(range(len(machine.program.strings), len(machine.program.strings) + 5))


def test_strings_of_messages_are_numbered_as_they_come_when_exact() -> None:
    mind, _ = _robot('function step() { made = string.concat("b", "c") }')
    sender = Writer(StringIds(), lambda closure: None, lambda count: None)
    _hear(mind, sender.broadcast("news", Table.of([("key", "text"), (1, 2)])))
    mind.step()
    machine = mind.machine
    known = len(machine.program.strings)
    assert [machine.string_id(text) - known for text in ("news", "key", "text", "bc")] == [4, 5, 6, 7]
