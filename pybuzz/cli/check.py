"""`pybuzz check FILE...`: all errors and warnings of scripts and experiments at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pybuzz.cli import reporting
from pybuzz.cli.substitution import Substitute, pairs
from pybuzz.errors import Diagnostic, InputError
from pybuzz.missing_files import missing_file

if TYPE_CHECKING:
    from pybuzz.buzz.signatures import HostNames

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    app.command("check")(check)


def check(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Scripts (.bzz), experiments (.argos, .yaml).")
    ],
    include: Annotated[
        list[Path] | None, typer.Option("-I", "--include", metavar="DIR", help="Search DIR for includes.")
    ] = None,
    hooks: Annotated[
        str | None, typer.Option(metavar="FILE.py:NAME", help="Know the names that these hooks give to scripts.")
    ] = None,
    substitute: Substitute = None,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings count as errors.")] = False,
    json: Annotated[bool, typer.Option("--json", help="All findings as JSON on stdout.")] = False,
) -> None:
    """Check scripts and experiment files without running them.

    Ends with 1 if there is an error, with 2 if a file cannot be read.

    A comment  # check: ignore[code]  on a line silences that finding there; docs/checks.md explains every code.

    Example:  pybuzz check *.bzz experiment.yaml
    """
    names = _signatures(hooks)
    found: list[Diagnostic] = []
    unreadable = False
    for file in files:
        try:
            found += _check_file(file, tuple(include or ()), names, pairs(substitute or []))
        except InputError as error:
            found += error.diagnostics
            unreadable = True
    if json:
        reporting.as_json([diagnostic.to_json() for diagnostic in found])
    else:
        reporting.print_diagnostics(found)
        _print_summary(files, found)
    if unreadable:
        raise typer.Exit(InputError.exit_code)
    failing = ("error", "warning") if strict else ("error",)
    if any(diagnostic.severity in failing for diagnostic in found):
        raise typer.Exit(1)


def _signatures(hooks: str | None) -> HostNames:
    from pybuzz.khepera import signatures

    if hooks is None:
        return signatures()
    from pybuzz.experiment.hook_names import host_names

    return signatures().joined(host_names(hooks))


def _check_file(
    file: Path, include_dirs: tuple[Path, ...], names: HostNames, substitute: dict[str, str]
) -> list[Diagnostic]:
    if not file.exists():
        raise missing_file(file)
    if file.suffix == ".bzz":
        from pybuzz.buzz.checks import check_script

        return check_script(file, include_dirs=include_dirs, signatures=names)
    from pybuzz.experiment.reading import check_experiment_file

    return check_experiment_file(file, substitute=substitute)


def _print_summary(files: list[Path], found: list[Diagnostic]) -> None:
    errors = sum(diagnostic.severity == "error" for diagnostic in found)
    warnings = sum(diagnostic.severity == "warning" for diagnostic in found)
    reporting.print_note(
        f"{len(files)} file{'s' * (len(files) != 1)} checked: "
        f"{errors} error{'s' * (errors != 1)}, {warnings} warning{'s' * (warnings != 1)}"
    )
