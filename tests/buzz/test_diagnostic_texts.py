"""What a person reads, to the letter: every code of docs/checks.md with scripts that earn it.

tests/data/diagnostics/CODE.txt holds scripts, each followed by a line of hyphens and the text of all that is found in
it; a line of equals signs stands between two scripts. A change of a text is made there by hand, and read again.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pybuzz.buzz.checks import check_script
from pybuzz.buzz.signatures import Entries, HostNames, Range, Signature

_ROOT = Path(__file__).parents[2]
_TEXTS = _ROOT / "tests" / "data" / "diagnostics"
_BETWEEN_SCRIPTS = "\n" + "=" * 40 + "\n"
_BEFORE_TEXT = "\n" + "-" * 40 + "\n"
_HOST = HostNames(
    {
        "set_leds": Signature(3, 3, ("number",), portable=("integer",)),
        "set_wheels": Signature(2, 2, ("number",), portable=("float",)),
        "gotoc": Signature(2, 2, ("number",)),
    },
    frozenset({"proximity"}),
    entries={"proximity": Entries(8, frozenset({"value", "angle"}))},
    ranges={
        "set_wheels": Range(-20, 20, "the real robot drives at most 20 cm/s"),
        "gotoc": Range(0, 10, "it drives at most 10 cm/s", of_length=True),
    },
    absent={"lidar": "add a lidar"},
)


def _documented() -> set[str]:
    page = (_ROOT / "docs" / "checks.md").read_text()
    return set(re.findall(r"^(?:### |\| (?!code ))([a-z][a-z-]+)(?: \|.*)?$", page, re.MULTILINE))


def _examples(code: str) -> list[tuple[str, str]]:
    whole = (_TEXTS / f"{code}.txt").read_text(encoding="utf-8")
    parts = (each.partition(_BEFORE_TEXT) for each in whole.removesuffix("\n").split(_BETWEEN_SCRIPTS))
    return [(script, text) for script, _, text in parts]


def test_every_code_has_its_texts() -> None:
    assert {file.stem for file in _TEXTS.glob("*.txt")} == _documented()


@pytest.mark.parametrize("code", sorted(_documented()))
def test_a_finding_reads_as_it_is_written_down(code: str) -> None:
    for script, text in _examples(code):
        found = check_script("script.bzz", script, signatures=_HOST)
        assert "\n".join(each.render() for each in found) == text
        assert code in {each.code for each in found}
