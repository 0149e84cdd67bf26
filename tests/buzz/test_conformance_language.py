"""The conformance scripts that need no other robot, through a Machine.

Expected output and errors are those of the C runtime (tests/data/conformance/README.md); in area `quirks`, what the
language reference advises instead.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pybuzz.buzz import format_value
from pybuzz.buzz.program import compile_program
from pybuzz.errors import ScriptError
from pybuzz.shipped import scripts_folder

CASES = Path(__file__).parents[1] / "data" / "conformance"
AREAS = (
    "grammar", "lexical", "scope", "types", "tables", "math", "string", "errors_compile", "errors_runtime", "lib",
    "order", "rng", "io", "misc", "neighbors", "quirks",
)  # fmt: skip
SCRIPTS = sorted(script for area in AREAS for script in (CASES / area).glob("*.bzz"))

NEEDS_SWARM = re.compile(r"^(neighbors/|errors_runtime/(neighbors|stigmergy|swarm)_|quirks/swarm_)")
"""Scripts that use the swarm's built-ins, which the swarm room adds; it runs them."""

DIFFERENT_IN_DOUBLE = {
    "lexical/float_literals": "prints digits that a single-precision float does not hold",
    "math/large_values": "exp(10) has more digits",
    "types/equality": "16777217 equals 16777216.0 in single precision only",
    "types/float_arithmetic": "16777217 + 0.0 is exact",
    "types/float_print": "123456789.0 and 1e12 are exact",
    "types/float_special": "3.4e39 is no infinity",
}
"""Scripts whose output shows the precision, and how."""

ROUNDED_MEAN = ("quirks/gaussian_mean_is_taken_from_first_argument", "11.566614\n")
"""The advised output was computed in double precision; the generator rounds as the C runtime does."""

AS_IN_C = "quirks/number_with_two_dots"
"""Advised is an error; published scripts have such numbers, so they get the value that C takes, and a warning."""


def _name(script: Path) -> str:
    return f"{script.parent.name}/{script.stem}"


def _run(script: Path, single_precision: bool, folder: Path, exact: bool = False) -> tuple[str, ScriptError | None]:
    printed: list[str] = []

    def log(values):
        printed.append("".join(map(format_value, values)) + "\n")

    error = None
    try:
        include_dirs = [scripts_folder() / "include"]
        program = compile_program(script, include_dirs=include_dirs, single_precision=single_precision, exact=exact)
        program.new_machine(1, log=log, io_folder=folder).run_global_part()
    except ScriptError as failure:
        error = failure
    return "".join(printed), error


def _expected_error(script: Path) -> dict[str, str] | None:
    file = script.with_suffix(".err")
    if not file.exists():
        return None
    return dict(line.split(": ", 1) for line in file.read_text().splitlines())


def _check(script: Path, single_precision: bool, folder: Path, exact: bool = False) -> None:
    printed, error = _run(script, single_precision, folder, exact)
    expected = _expected_error(script)
    assert printed == script.with_suffix(".out").read_bytes().decode("latin-1"), error
    assert (error is None) == (expected is None), error
    if error is not None and expected is not None:
        first = error.diagnostics[0]
        assert first.stage == f"{expected['stage']} error"
        assert (first.kind, first.place.line) == (expected["kind"], int(expected["line"]))


def _check_quirk(script: Path, single_precision: bool, folder: Path) -> None:
    printed, error = _run(script, single_precision, folder)
    wanted = script.with_suffix(".ref" if _name(script) == AS_IN_C else ".want").read_bytes().decode("latin-1")
    failure = re.fullmatch(r"(compile|runtime) error (?:\(kind: (.*)\), |at )line (\d+)\n", wanted)
    if failure:
        assert error is not None
        first = error.diagnostics[0]
        assert first.stage == f"{failure[1]} error"
        assert (first.kind, first.place.line) == (failure[2] or "syntax error", int(failure[3]))
    else:
        assert error is None, error
        assert printed == (ROUNDED_MEAN[1] if _name(script) == ROUNDED_MEAN[0] else wanted)


def _scripts(quirks: bool) -> list[Path]:
    chosen = [script for script in SCRIPTS if not NEEDS_SWARM.match(_name(script))]
    return [script for script in chosen if (script.parent.name == "quirks") == quirks]


@pytest.mark.parametrize("script", _scripts(quirks=False), ids=_name)
def test_script_does_in_double_precision_what_the_c_runtime_does(script, tmp_path):
    if _name(script) in DIFFERENT_IN_DOUBLE:
        with pytest.raises(AssertionError):
            _check(script, False, tmp_path)
    else:
        _check(script, False, tmp_path)


@pytest.mark.parametrize("script", _scripts(quirks=False), ids=_name)
def test_script_does_in_single_precision_what_the_c_runtime_does(script, tmp_path):
    _check(script, True, tmp_path)


@pytest.mark.parametrize("single_precision", [False, True], ids=["double", "single"])
@pytest.mark.parametrize("script", _scripts(quirks=True), ids=_name)
def test_oddity_of_the_c_runtime_is_put_right_as_advised(script, single_precision, tmp_path):
    _check_quirk(script, single_precision, tmp_path)


@pytest.mark.parametrize("script", _scripts(quirks=False), ids=_name)
def test_an_exact_program_does_what_the_c_runtime_does(script, tmp_path):
    _check(script, True, tmp_path, exact=True)


SAME_WHEN_EXACT = (
    "gaussian_mean_is_taken_from_first_argument",
    "modulo_with_mixed_types_and_negative_dividend",
    "number_with_two_dots",
    "tostring_of_non_number",
    "update_inside_foreach_revisits",
)
"""Oddities that have a result in the C runtime which a program can repeat."""


@pytest.mark.parametrize("name", SAME_WHEN_EXACT)
def test_an_exact_program_repeats_an_oddity_that_has_a_result(name, tmp_path):
    script = CASES / "quirks" / f"{name}.bzz"
    printed, error = _run(script, True, tmp_path, exact=True)
    assert error is None
    assert printed == script.with_suffix(".ref").read_text()
