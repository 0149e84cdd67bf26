"""Every published run of ARGoS 3 with the Khepera IV and Buzz, run again: all rows and all columns with `exact`, poses
without it. Nothing is excused."""

from __future__ import annotations

import importlib.util
import math
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.oracles.argos_runs import NAMES, POSES, Cell, cells

POSE_TOLERANCE = 1e-12
"""Metres and radians, of robots and movable objects, in contacts and crowds too."""

TOLERANCE = 1e-9
SCRIPT_TOLERANCE = 1e-6
"""Relative, of script variables, which are single precision."""

NOT_BY_DEFAULT = {
    "gotop_states": "gotop(v, w) is the documented one, ARGoS's is gotop(length, angle)",
    "script_error": "a robot whose script failed stops, in ARGoS it drives on",
}
"""Cases whose scripts drive by what the documented robot does otherwise."""

COMPUTED = ("free_arc_spin", "gotoc_states", "swarm_hexagon", "swarm_hexagon_occlusions")
"""Cases whose scripts compute speeds that single precision rounds."""


def _agrees(cell: Cell) -> bool:
    if cell.column == "rab":
        return _same_packets(cell.found, cell.expected)
    if cell.column.startswith(("lidar", "led")):
        return bool(cell.found == cell.expected)
    if cell.column.startswith("out_"):
        return _same_variable(cell.found, cell.expected)
    return _near(cell.found, cell.expected, POSE_TOLERANCE if cell.column in POSES else TOLERANCE)


def _same_packets(found: Any, expected: Any) -> bool:
    return len(found) == len(expected) and all(
        mine[0] == theirs[0] and mine[4] == theirs[4] and all(_near(mine[k], theirs[k], TOLERANCE) for k in (1, 2, 3))
        for mine, theirs in zip(found, expected, strict=True)
    )


def _same_variable(found: Any, expected: Any) -> bool:
    if expected == "nil":
        return found is None
    if expected == "table":
        return isinstance(found, dict)
    if isinstance(expected, str):
        return bool(found == expected.strip('"'))
    return isinstance(found, int | float) and _near(found, expected, SCRIPT_TOLERANCE * max(1.0, abs(expected)))


def _near(found: float, expected: float, tolerance: float) -> bool:
    return found == expected or (math.isfinite(found) and abs(found - expected) <= tolerance)


def _first_differences(case: str, **how: Any) -> str:
    different = (cell for cell in cells(case, **how) if not _agrees(cell))
    return "\n".join(
        f"tick {cell.tick} {cell.name} {cell.column}: {cell.found!r}, ARGoS {cell.expected!r}"
        for cell in islice(different, 5)
    )


@pytest.mark.parametrize("case", NAMES)
def test_a_run_of_argos_is_repeated_exactly(case: str) -> None:
    assert not _first_differences(case, exact=True)


@pytest.mark.parametrize("case", [case for case in NAMES if case not in (*NOT_BY_DEFAULT, *COMPUTED)])
def test_robots_drive_by_default_as_in_argos(case: str) -> None:
    assert not _first_differences(case, exact=False, columns=POSES)


@pytest.mark.parametrize("case", COMPUTED)
def test_robots_whose_scripts_compute_drive_as_in_argos_in_single_precision(case: str) -> None:
    assert not _first_differences(case, exact=False, single_precision=True, columns=POSES)


def test_the_page_that_compares_with_argos_shows_what_is() -> None:
    path = Path(__file__).parents[2] / "benchmarks" / "argos_comparison.py"
    spec = importlib.util.spec_from_file_location("argos_comparison", path)
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    page = script.PAGE.read_text(encoding="utf-8").splitlines()
    assert script.exact_row("wheel_sensor_noise") in page
    assert script.default_row("free_arc_spin") in page
    assert [line.split(" | ")[0] for line in page if line.startswith("| ")].count(f"| {NAMES[0]}") == 2
