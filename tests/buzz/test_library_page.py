"""docs/library.md: it names every function that scripts find, with its arguments, and its examples run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pybuzz.buzz import compile_program, format_value
from pybuzz.buzz.signatures import BUILT_INS
from pybuzz.buzz.values import host_arity
from pybuzz.khepera.names import signatures
from pybuzz.swarm.mind import Mind

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "library.md").read_text()
EXAMPLES = re.findall(r"```buzz\n(.*?)```", PAGE, re.DOTALL)
INCLUDES = sorted((ROOT / "scripts" / "include").glob("*.bzz"))
BUILT_IN, INCLUDED = PAGE.split("## What can be included")


def _mind(text: str, lines: list[str]) -> Mind:
    program = compile_program("example.bzz", text)
    machine = program.new_machine(1, log=lambda values: lines.append("".join(map(format_value, values))))
    mind = Mind(machine, 1, data_size=100, log_oversize=lambda *report: None)
    mind.start()
    if mind.error is not None:
        raise mind.error
    return mind


@pytest.mark.parametrize("text", EXAMPLES, ids=range(len(EXAMPLES)))
def test_a_library_example_logs_what_stands_beside_it(text: str) -> None:
    lines: list[str] = []
    mind = _mind(text, lines)
    if mind.machine.get_global("step") is not None:
        for action in (mind.init, mind.step, mind.step, mind.destroy):
            action()
    assert mind.error is None
    assert lines == re.findall(r"# -> (.*)", text)


def _counts(arguments: str) -> tuple[int, int | None]:
    """Least and most arguments of a text such as "a, [b,] [c], ..."."""
    needed = [name for name in re.split(r"[, ]+", re.sub(r"\[.*?\]", "", arguments)) if name.strip(".")]
    every = [name for name in re.split(r"[\[\], ]+", arguments) if name.strip(".")]
    return len(needed), None if "..." in arguments else len(every)


def _rows(text: str) -> dict[str, tuple[int, int | None]]:
    return {
        name: _counts(arguments) for name, arguments in re.findall(r"^\| `([\w.]+)\((.*?)\)` \|", text, re.MULTILINE)
    }


def test_the_page_gives_each_built_in_function_with_its_arguments_and_no_other() -> None:
    notes = {name: each for name, each in signatures().functions.items() if name.startswith("debug.")}
    known = {**BUILT_INS.functions, **notes}
    said = {name: counts for name, counts in _rows(BUILT_IN).items() if not name.startswith(("s.", "v."))}
    assert said == {name: (each.least, each.most) for name, each in known.items()}


@pytest.mark.parametrize(("name", "made"), [("s", "s = swarm.create(1)"), ("v", "v = stigmergy.create(1)")])
def test_the_page_gives_each_function_of_a_swarm_and_a_stigmergy(name: str, made: str) -> None:
    said = {row: counts for row, counts in _rows(BUILT_IN).items() if row.startswith(f"{name}.")}
    table: Any = _mind(made, []).machine.get_global(name)
    found = {f"{name}.{key}": host_arity(value.__qualname__) for key, value in table.items() if callable(value)}
    assert {row: least if least == most else (least, most) for row, (least, most) in said.items()} == found


def test_the_page_names_every_value_that_is_no_function() -> None:
    for name in BUILT_INS.values | BUILT_INS.tables:
        assert f"`{name}`" in BUILT_IN, name


@pytest.mark.parametrize("file", INCLUDES, ids=lambda file: file.name)
def test_the_page_gives_each_function_of_an_include_with_its_arguments(file: Path) -> None:
    section = re.split(r"^### ", INCLUDED, flags=re.MULTILINE)
    (own,) = [text for text in section if text.startswith(f"{file.name}\n")]
    defined = re.findall(r"^([\w.]+) = function\((.*?)\)", file.read_text(), re.MULTILINE)
    assert _rows(own) == {name: _counts(arguments) for name, arguments in defined}


def test_the_page_links_files_that_are_there() -> None:
    for target in re.findall(r"\]\(([^)#]+)", PAGE):
        assert (ROOT / "docs" / target).exists(), target
