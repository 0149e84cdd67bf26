"""The conformance cases about messages, neighbours, swarms, stigmergy and the life cycle, in both precisions.

`.out` and `.err` were recorded from the C runtime; tests/data/conformance/README.md describes them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pybuzz.buzz.program import compile_program
from pybuzz.buzz.values import format_value, text_of
from pybuzz.swarm.driver import Arrangement, run
from pybuzz.swarm.mind import Mind

CASES = Path(__file__).parents[1] / "data" / "conformance"
SHARED = ("swarm", "stigmergy", "neighbors")

IN_DOUBLE_PRECISION = {
    # -0.1 has more binary digits: 32 of them travel, 24 of them in single precision.
    "multi/wire_broadcast_encoding": [("02b33332fffffffffd", "02b3333332fffffffd")],
}

driven = sorted([*CASES.glob("multi/*.bzz"), *CASES.glob("lifecycle/*.bzz")])
plain = sorted(path for area in SHARED for path in CASES.glob(f"{area}/*.bzz"))
failing = sorted(path for area in SHARED for path in CASES.glob(f"errors_runtime/{area}_*.bzz"))


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def run_alone(path: Path, *, single: bool, exact: bool = False) -> tuple[list[str], Mind]:
    """As bzzrun: robot 1, the code outside functions only."""
    lines: list[str] = []

    def log(values: tuple[object, ...]) -> None:
        lines.append("".join(text_of(format_value(value)) for value in values))

    machine = compile_program(str(path), single_precision=single, exact=exact).new_machine(1, log=log)
    mind = Mind(machine, 1, data_size=100, log_oversize=lambda what, size, limit: None)
    mind.start()
    return lines, mind


def test_there_are_cases() -> None:
    assert (len(driven), len(plain), len(failing)) == (40, 18, 12)


@pytest.mark.parametrize("single", [True, False], ids=["single", "double"])
@pytest.mark.parametrize("path", driven, ids=name)
def test_robots_report_what_the_reference_reported(path: Path, single: bool) -> None:
    text = path.read_text()
    lines: list[str] = []

    run(compile_program(str(path), single_precision=single), Arrangement.of_script(str(path), text), lines.append)

    expected = path.with_suffix(".out").read_text()
    for in_single, in_double in [] if single else IN_DOUBLE_PRECISION.get(name(path), []):
        expected = expected.replace(in_single, in_double)
    assert "".join(f"{line}\n" for line in lines) == expected


@pytest.mark.parametrize("single", [True, False], ids=["single", "double"])
@pytest.mark.parametrize("path", plain, ids=name)
def test_one_robot_prints_what_the_reference_printed(path: Path, single: bool) -> None:
    lines, mind = run_alone(path, single=single)

    assert mind.error is None
    assert "".join(f"{line}\n" for line in lines) == path.with_suffix(".out").read_text()


@pytest.mark.parametrize("path", failing, ids=name)
def test_mistakes_are_reported_as_the_reference_does_and_at_their_line(path: Path) -> None:
    expected = dict(line.split(": ", 1) for line in path.with_suffix(".err").read_text().splitlines())

    lines, mind = run_alone(path, single=True)

    assert mind.error is not None
    problem = mind.error.diagnostics[0]
    assert lines == path.with_suffix(".out").read_text().splitlines()
    assert f"{problem.stage}, {problem.kind}" == f"{expected['stage']} error, {expected['kind']}"
    assert problem.place.line == int(expected["line"])
    assert f"{problem.kind}: {problem.text}".startswith(expected["message"])


@pytest.mark.parametrize("path", driven, ids=name)
def test_exact_robots_report_what_the_reference_reported(path: Path) -> None:
    text = path.read_text()
    lines: list[str] = []
    run(compile_program(str(path), exact=True), Arrangement.of_script(str(path), text), lines.append)
    assert "".join(f"{line}\n" for line in lines) == path.with_suffix(".out").read_text()


@pytest.mark.parametrize("exact", [False, True])
def test_the_depth_of_the_swarm_stack_can_be_asked_for_unless_exact(exact: bool) -> None:
    path = CASES / "quirks" / "swarm_id_ignores_its_argument.bzz"
    lines, _ = run_alone(path, single=True, exact=exact)
    assert lines == path.with_suffix(".ref" if exact else ".want").read_text().splitlines()
