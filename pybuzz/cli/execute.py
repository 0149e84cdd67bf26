"""`pybuzz exec FILE.bzz`: one script without a robot, as a language tool."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pybuzz.cli import reporting
from pybuzz.errors import PybuzzError
from pybuzz.missing_files import missing_file

if TYPE_CHECKING:
    from pybuzz.buzz import Program, Value
    from pybuzz.buzz.signatures import HostNames

__all__ = ["register"]

DATA_SIZE = 100
"""Bytes of a packet that nobody hears: as in a simulated experiment by default."""


def register(app: typer.Typer) -> None:
    app.command("exec")(execute)


def execute(
    script: Annotated[Path, typer.Argument(metavar="FILE.bzz", help="The script.")],
    robot_id: Annotated[int, typer.Option("--id", min=0, max=65535, help="The robot's id.")] = 1,
    steps: Annotated[
        int | None, typer.Option(min=0, help="Call init(), then step() this often, then destroy().")
    ] = None,
    single_precision: Annotated[
        bool, typer.Option("--single-precision", help="Round every float to 32 bits, as C Buzz does.")
    ] = False,
    exact: Annotated[
        bool,
        typer.Option("--exact", help="As C Buzz does it, in single precision, also where docs/language.md differs."),
    ] = False,
    include: Annotated[
        list[Path] | None, typer.Option("-I", "--include", metavar="DIR", help="Search DIR for includes.")
    ] = None,
    allow_io: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The one folder in which the script may read and write files.")
    ] = None,
    sim: Annotated[
        bool, typer.Option("--sim", help="Run the multi-robot driver that a '# sim:' line in the script asks for.")
    ] = False,
    show_python: Annotated[
        bool, typer.Option("--show-python", help="Print the Python that the script becomes, and do not run it.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Errors as JSON on stderr.")] = False,
) -> None:
    """Run one script without a robot. Its log lines go to stdout, and nothing else does.

    Without --steps only the code outside functions runs.

    Example:  pybuzz exec --steps 10 script.bzz
    """
    try:
        _execute(script, robot_id, steps, single_precision, exact, tuple(include or ()), allow_io, sim, show_python)
    except PybuzzError as error:
        if not json:
            raise
        reporting.errors_as_json(error)
        raise typer.Exit(error.exit_code) from None


def _execute(
    script: Path,
    robot_id: int,
    steps: int | None,
    single_precision: bool,
    exact: bool,
    include_dirs: tuple[Path, ...],
    io_folder: Path | None,
    sim: bool,
    show_python: bool,
) -> None:
    from pybuzz.buzz import compile_program

    if not script.exists():
        raise missing_file(script)
    program = compile_program(script, include_dirs=include_dirs, single_precision=single_precision, exact=exact)
    reporting.print_diagnostics(program.warnings)
    if show_python:
        print(program.python_source())
    elif sim:
        _run_several(program, script)
    else:
        _run_alone(program, robot_id, steps, io_folder)


def _run_alone(program: Program, robot_id: int, steps: int | None, io_folder: Path | None) -> None:
    from pybuzz.swarm.mind import Mind

    machine = program.new_machine(robot_id, log=_log, io_folder=io_folder, warn=_warn)
    machine.host = lambda: _without_robot(program)
    mind = Mind(machine, robot_id, data_size=DATA_SIZE, log_oversize=_warn_of_oversize, warn=_warn)
    calls = [mind.start]
    if steps is not None:
        calls += [mind.init, *[mind.step] * steps, mind.destroy]
    for call in calls:
        call()
        if mind.error:
            raise mind.error


def _without_robot(program: Program) -> HostNames:
    """The names of a robot, all of them absent."""
    from pybuzz.buzz.signatures import HostNames
    from pybuzz.khepera import signatures

    robot_names = signatures().globals - {"log"}
    return HostNames(absent=dict.fromkeys(robot_names, f"exec has no robot: pybuzz run {program.path}"))


def _run_several(program: Program, script: Path) -> None:
    from pybuzz.swarm import driver

    arrangement = driver.Arrangement.of_script(str(script), script.read_text("latin-1"))
    driver.run(program, arrangement, _print_text)


def _warn(text: str) -> None:
    reporting.print_note(f"warning: {text}")


def _warn_of_oversize(topic: str, size: int, limit: int) -> None:
    _warn(f"message '{topic}' of {size} bytes dropped: a packet holds {limit}")


def _log(values: Sequence[Value]) -> None:
    from pybuzz.buzz import format_value

    _print_bytes("".join(map(format_value, values)).encode("latin-1"))


def _print_text(text: str) -> None:
    _print_bytes(text.encode())


def _print_bytes(line: bytes) -> None:
    """Buzz strings are bytes; they go out as they are. What is wrong with stdout is no error of the script."""
    try:
        sys.stdout.buffer.write(line + b"\n")
    except BrokenPipeError:
        raise SystemExit(0) from None
    except OSError as fault:
        reporting.print_note(f"stdout: error: cannot write: {fault.strerror}")
        raise SystemExit(PybuzzError.exit_code) from None
