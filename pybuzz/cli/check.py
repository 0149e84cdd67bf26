"""`pybuzz check FILE...`: all errors and warnings of scripts and experiments at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pybuzz.cli import reporting
from pybuzz.cli.run_options import Scripts
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
    script: Scripts = None,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings count as errors.")] = False,
    json: Annotated[bool, typer.Option("--json", help="All findings as JSON on stdout.")] = False,
) -> None:
    """Check scripts and experiment files without running them.

    Of an experiment the scripts that it names are checked too, with the devices that their robots have.

    Ends with 1 if there is an error, with 2 if a file cannot be read.

    A comment  # check: ignore[code]  on a line silences that finding there; docs/checks.md explains every code.

    Example:  pybuzz check *.bzz experiment.yaml
    """
    checks = _Checks(tuple(include or ()), hooks, pairs(substitute or []), tuple(script or ()))
    for file in sorted(files, key=lambda file: file.suffix == ".bzz"):
        checks.check(file)
    found = checks.found
    if json:
        reporting.as_json([diagnostic.to_json() for diagnostic in found])
    else:
        reporting.print_diagnostics(found)
        _print_summary(checks.checked, found)
    if checks.unreadable:
        raise typer.Exit(InputError.exit_code)
    failing = ("error", "warning") if strict else ("error",)
    if any(diagnostic.severity in failing for diagnostic in found):
        raise typer.Exit(1)


class _Checks:
    """Checks several files; scripts that an experiment among them names, as its robots find them."""

    def __init__(
        self, include_dirs: tuple[Path, ...], hooks: str | None, substitute: dict[str, str], scripts: tuple[str, ...]
    ) -> None:
        self.found: list[Diagnostic] = []
        self.checked: set[Path] = set()
        self.unreadable = False
        self._include_dirs = include_dirs
        self._substitute = substitute
        self._scripts = scripts
        self._hooks = _names_of(hooks)

    def check(self, file: Path) -> None:
        try:
            if not file.exists():
                raise missing_file(file)
            if file.suffix != ".bzz":
                self._check_experiment(file)
            elif file.resolve() not in self.checked:
                self._check_script(file)
        except InputError as error:
            self.found += error.diagnostics
            self.unreadable = True
        self.checked.add(file.resolve())

    def _check_script(self, file: Path) -> None:
        from pybuzz.buzz.checks import check_script
        from pybuzz.khepera import signatures

        names = signatures().joined(self._hooks)
        self.found += check_script(file, include_dirs=self._include_dirs, signatures=names)

    def _check_experiment(self, file: Path) -> None:
        from pybuzz.experiment.script_checks import check_experiment

        checked = check_experiment(
            file,
            include_dirs=self._include_dirs,
            hooks=self._hooks,
            substitute=self._substitute,
            scripts=self._scripts,
        )
        self.found += checked.findings
        self.checked |= {script.resolve() for script in checked.scripts}


def _names_of(hooks: str | None) -> HostNames:
    from pybuzz.buzz.signatures import HostNames

    if hooks is None:
        return HostNames()
    from pybuzz.experiment.hook_names import host_names

    return host_names(hooks)


def _print_summary(files: set[Path], found: list[Diagnostic]) -> None:
    errors = sum(diagnostic.severity == "error" for diagnostic in found)
    warnings = sum(diagnostic.severity == "warning" for diagnostic in found)
    reporting.print_note(
        f"{len(files)} file{'s' * (len(files) != 1)} checked: "
        f"{errors} error{'s' * (errors != 1)}, {warnings} warning{'s' * (warnings != 1)}"
    )
