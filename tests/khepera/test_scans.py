"""Whatever is done to the table of a scan, it is as with a table of all its entries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybuzz.buzz.program import compile_program
from pybuzz.buzz.strings import StringIds
from pybuzz.buzz.tables import Table, clone, to_python
from pybuzz.buzz.values import BuzzFailure
from pybuzz.khepera.scans import ScanTable

SCAN = [67 * place % 251 for place in range(40)]

KEYS = st.one_of(st.integers(-2, 45), st.floats(-1, 45), st.sampled_from(["x", 3.0, float("nan")]))

ACTIONS: st.SearchStrategy[Callable[[Table], Any]] = st.one_of(
    KEYS.map(lambda key: lambda table: table[key]),
    KEYS.map(lambda key: lambda table: table.fetch(key)),
    st.tuples(KEYS, st.one_of(st.none(), st.integers(0, 9))).map(lambda pair: lambda table: table.store(*pair)),
    st.sampled_from(
        [
            len,
            list,
            to_python,
            bool,
            lambda table: list(table.items()),
            lambda table: to_python(clone(table)),
            lambda table: list(table.ordered_items(StringIds())),
            lambda table: 3 in table,
        ]
    ),
)


@given(st.lists(ACTIONS, max_size=30))
def test_a_scan_behaves_as_a_table_of_all_its_entries(actions: list[Callable[[Table], Any]]) -> None:
    scan, table = ScanTable(memoryview(bytearray(SCAN))), Table(enumerate(SCAN))
    for action in actions:
        assert repr(action(scan)) == repr(action(table))
    assert list(scan.items()) == list(table.items())


def test_reading_a_few_entries_makes_no_others() -> None:
    scan = ScanTable(SCAN)
    assert (scan[3], scan[3], scan[39], scan[40], scan[-1]) == (SCAN[3], SCAN[3], SCAN[39], None, None)
    assert scan.__class__ is ScanTable


def test_reading_many_entries_makes_them_all() -> None:
    scan = ScanTable(SCAN)
    assert [scan[place] for place in range(40)] == SCAN
    assert scan.__class__ is Table


def test_a_key_that_no_table_can_have_fails_as_with_any_table() -> None:
    with pytest.raises(BuzzFailure, match="can't be used as table key"):
        ScanTable(SCAN)[Table()]


SCRIPT = """
function step() {
  n = size(scan)
  total = 0
  foreach(scan, function(k, v) { total = total + k * v })
  scan[2] = nil
  scan.name = "front"
  after = size(scan)
  far = reduce(filter(scan, function(k, v) { return v > 200 }), function(k, v, a) { return a + 1 }, 0)
}
"""


def test_scripts_walk_and_change_a_scan_as_any_table() -> None:
    program = compile_program("scan.bzz", SCRIPT, host_names={"scan"})
    results = []
    for made in (ScanTable(SCAN), Table(enumerate(SCAN))):
        machine = program.new_machine(1, log=lambda values: None)
        machine.register("scan", made)
        machine.run_global_part()
        machine.call_named("step")
        results.append([machine.get_global(name) for name in ("n", "total", "after", "far")] + [to_python(made)])
    assert results[0] == results[1]
    assert results[0][:3] == [40, sum(k * v for k, v in enumerate(SCAN)), 40]
