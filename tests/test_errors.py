"""Messages as a person reads them."""

from __future__ import annotations

import pytest

from pybuzz.errors import Diagnostic, Place


def rendered(line: str, column: int, end_column: int) -> list[str]:
    place = Place("e.argos", 3, column, end_column)
    return Diagnostic(place, "wrong value", "no number", source_line=line).render().split("\n")


def test_a_short_line_is_shown_whole_with_carets_under_the_marked_characters() -> None:
    assert rendered('  <light intensity="x"/>\n', 21, 22) == [
        "e.argos:3:21: wrong value: no number",
        '      <light intensity="x"/>',
        "                        ^",
    ]


@pytest.mark.parametrize("before", [0, 5, 39, 40, 41, 500, 4_990, 4_999])
def test_of_a_long_line_what_stands_around_the_mark_is_shown(before: int) -> None:
    line = "." * before + "MARK" + "." * (5_000 - before)
    _, shown, carets = rendered(line, before + 1, before + 5)
    assert len(shown) <= 4 + 3 + 120 + 3
    assert [letter for letter, caret in zip(shown, carets, strict=False) if caret == "^"] == list("MARK")


def test_a_long_line_is_cut_with_dots_at_both_ends() -> None:
    _, shown, _ = rendered("abc" * 100, 150, 151)
    assert shown == "    ..." + ("abc" * 100)[109:229] + "..."


def test_carets_end_where_the_shown_part_of_the_line_ends() -> None:
    _, shown, carets = rendered("x" * 1_000, 1, 900)
    assert shown == "    " + "x" * 120 + "..."
    assert carets == "    " + "^" * 120
