"""docs/language.md: its examples run and log what they say, and its warnings are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pybuzz.buzz import compile_program, format_value
from pybuzz.errors import ScriptError
from pybuzz.swarm.mind import Mind

PAGE = (Path(__file__).parents[2] / "docs" / "language.md").read_text()
WARNINGS = (Path(__file__).parents[2] / "docs" / "checks.md").read_text()
BUILT_IN = PAGE.split("## What is built in")[1]
EXAMPLES = re.findall(r"```buzz\n(.*?)```", PAGE, re.DOTALL)


def _logged(text: str, *, name: str = "example.bzz", single_precision: bool = False) -> list[str]:
    """What a script logs outside functions and in two steps, if it has them. Raises ScriptError."""
    lines: list[str] = []
    program = compile_program(name, text, single_precision=single_precision)
    machine = program.new_machine(1, log=lambda values: lines.append("".join(map(format_value, values))))
    mind = Mind(machine, 1, data_size=100, log_oversize=lambda *report: None)
    mind.start()
    if machine.get_global("step") is not None:
        for action in (mind.init, mind.step, mind.step, mind.destroy):
            action()
    if mind.error is not None:
        raise mind.error
    return lines


@pytest.mark.parametrize("text", EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_logs_what_stands_beside_it(text: str) -> None:
    assert _logged(text) == re.findall(r"# -> (.*)", text)


def test_single_precision_gives_what_the_page_says() -> None:
    (text,) = (each for each in EXAMPLES if "16777216.0 + 1" in each)
    lines = _logged(text, single_precision=True)
    assert f"the first two lines are {lines[0]} and {lines[1]}." in PAGE


def test_an_error_reads_as_the_page_shows_it() -> None:
    (text,) = re.findall(r"```buzz-that-fails\n(.*?)```", PAGE, re.DOTALL)
    (shown,) = re.findall(r"```text\n(walk.*?)\n```", PAGE, re.DOTALL)
    with pytest.raises(ScriptError) as caught:
        _logged("function init() { } " + text, name="walk.bzz")
    assert "\n".join(each.render() for each in caught.value.diagnostics) == shown


def test_the_warnings_of_the_table_are_explained() -> None:
    table = PAGE.split("## What differs")[1]
    named = set(re.findall(r"\| ([a-z-]+) \|$", table, re.MULTILINE)) - {"warning", "---"}
    explained = set(re.findall(r"^### ([a-z-]+)$", WARNINGS, re.MULTILINE))
    assert len(named) > 20
    assert named <= explained


NAMES = re.findall(r"^\| `?(functions|math|math\.rng|string)`? \| `(.*?)`", BUILT_IN, re.MULTILINE)


@pytest.mark.parametrize(("table", "names"), NAMES)
def test_the_page_names_all_that_is_built_in_and_nothing_else(table: str, names: str) -> None:
    built_in = compile_program("empty.bzz", "").new_machine(1, log=lambda values: None).globals
    own = built_in if table == "functions" else built_in[table.split(".")[0]]
    found = own["rng"] if table == "math.rng" else own  # type: ignore[index]
    assert set(names.split()) == {key for key, value in found.items() if not hasattr(value, "keys")} - {"id"}  # type: ignore[union-attr]
