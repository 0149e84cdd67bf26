"""Printing and parsing are each other's inverse."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from programs import programs, same

from pybuzz.buzz.parsing import parse
from pybuzz.buzz.printing import buzz_text
from pybuzz.buzz.tree import Script
from pybuzz.errors import ScriptError
from pybuzz.shipped import scripts_folder


def _again(script: Script) -> Script:
    return parse("again.bzz", buzz_text(script))


@given(programs())
@settings(max_examples=300, deadline=None)
def test_parsing_what_was_printed_gives_the_same_tree(script: Script) -> None:
    assert same(_again(script).statements, script.statements)


@pytest.mark.parametrize(
    "text",
    [
        "x = -(3)\n",
        "x = -(2 ^ y)\n",
        "x = -y ^ 2\n",
        "x = (-y) ^ 2\n",
        "x = y << (-z)\n",
        "x = y * -z ^ 2\n",
        "x = --3\n",
        "x = (y == z)\n",
        "x = ({}) + 1\n",
        "return not y and z or (not a)\n",
        "for(return;, x, f()) f()\n",
        "if(x);\n",
        "if(x) if(y) f()\nelse g()\n",
        'x = "a\\n\\t\\\\\\"b\'"\n',
    ],
)
def test_text_in_the_printed_form_stays_as_it_is(text: str) -> None:
    assert buzz_text(parse("test.bzz", text)) == text


def test_a_tree_that_no_text_gives_gets_braces() -> None:
    inner = parse("test.bzz", "if(a) if(b) c()").statements[0]
    outer = parse("test.bzz", "if(a) b() else d()").statements[0]
    outer.then, inner_if = inner.then, inner  # type: ignore[attr-defined]
    printed = buzz_text(Script(inner_if.span, [outer], []))
    assert printed == "if(a) {\n  if(b) c()\n}\nelse d()\n"


@pytest.mark.parametrize("file", sorted((scripts_folder() / "include").glob("*.bzz")), ids=lambda file: file.stem)
def test_the_standard_includes_survive_a_round_trip(file: Path) -> None:
    script = parse(file)
    assert same(_again(script).statements, script.statements)


def _conformance() -> list[Path]:
    folder = Path(__file__).parent.parent / "data" / "conformance"
    return sorted(file for file in folder.rglob("*.bzz") if file.parent.name != "errors_compile")


def test_the_conformance_scripts_survive_a_round_trip() -> None:
    for file in _conformance():
        try:
            script = parse(file)
        except ScriptError:
            continue  # the quirks that are errors here
        assert same(_again(script).statements, script.statements), file
