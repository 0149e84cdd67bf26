"""`pybuzz convert FILE -o FILE`: an experiment from one format to the other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pybuzz.cli import reporting
from pybuzz.cli.run_options import Scripts
from pybuzz.cli.substitution import Substitute, pairs

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    app.command("convert")(convert)


def convert(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="An experiment: .argos or .yaml.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The file to write: .yaml or .argos.")],
    substitute: Substitute = None,
    script: Scripts = None,
) -> None:
    """Rewrite an experiment in the other format, and say what the other format cannot say.

    Example:  pybuzz convert experiment.argos -o experiment.yaml
    """
    from pybuzz.experiment.conversion import convert_file

    for loss in convert_file(source, output, substitute=pairs(substitute or []), scripts=script or ()):
        reporting.print_note(f"not carried over: {loss}")
    print(f"wrote {output}")
