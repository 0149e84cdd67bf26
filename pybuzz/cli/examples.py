"""`pybuzz examples` and `pybuzz new`: the experiments that come with the package, and a start for one's own."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Annotated

import typer

from pybuzz.cli import reporting
from pybuzz.errors import InputError
from pybuzz.shipped import example_folders, starter_folder
from pybuzz.spelling import did_you_mean

__all__ = ["register"]

_DESCRIPTION = re.compile(r"^#\s*(?P<yaml>.+)|<!--\s*(?P<argos>.+?)\s*-->", re.MULTILINE)
_OTHER_EXAMPLE = re.compile(r"\.\./(\w+)/")
_SWEEP = re.compile(r"^experiment: \S+$", re.MULTILINE)


def register(app: typer.Typer) -> None:
    app.command("examples")(examples)
    app.command("new")(new)


def examples(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="The one to copy. [default: list them]")] = None,
    folder: Annotated[
        Path | None, typer.Argument(metavar="[FOLDER]", help="A new or empty folder for it. [default: NAME]")
    ] = None,
) -> None:
    """List the experiments that come with pybuzz, or copy one.

    Examples:  pybuzz examples;  pybuzz examples hexagon;  pybuzz examples maze my_maze
    """
    known = example_folders()
    if name is None:
        width = max(map(len, known))
        for each, source in known.items():
            print(f"{each:{width}}  {_description(source)}")
        reporting.print_note("copy one: pybuzz examples NAME [FOLDER]")
        return
    if name not in known:
        hint = did_you_mean(name, known) or "pybuzz examples lists them"
        raise InputError.at(name, "there is no such example", hint=hint)
    target = folder or Path(name)
    _copy(known[name], target)
    for other in sorted(_others(known[name]) & known.keys()):
        beside = target.parent / other
        if not beside.exists():
            _copy(known[other], beside)
    print(f"start it: {_command(target)}")


def new(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new or empty folder.")],
) -> None:
    """Start an experiment of your own: a script, an experiment file and a README that run as they are.

    Example:  pybuzz new my_swarm  &&  pybuzz run my_swarm
    """
    _copy(starter_folder(), folder)
    print(f"start it: {_command(folder)}")


def _copy(source: Path, target: Path) -> None:
    if target.is_file() or (target.is_dir() and any(target.iterdir())):
        what = "is a file" if target.is_file() else "is not empty"
        raise InputError.at(str(target), f"this {what}; nothing was copied", hint="name a new or an empty folder")
    try:
        shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    except (OSError, shutil.Error) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise InputError.at(str(target), f"cannot write here: {reason}") from None
    print(f"wrote {target}: {', '.join(sorted(path.name for path in target.iterdir()))}")


def _experiments(folder: Path) -> list[Path]:
    """Files that say what an example is, those of the folder's name first."""
    found = [path for path in folder.iterdir() if path.suffix in (".yaml", ".argos")]
    return sorted(found, key=lambda path: (path.stem != folder.name, path.suffix != ".yaml", path.name))


def _description(folder: Path) -> str:
    for path in _experiments(folder):
        if match := _DESCRIPTION.search(path.read_text("utf-8")):
            return (match["yaml"] or match["argos"]).strip()
    return ""


def _others(folder: Path) -> set[str]:
    """Names of the examples beside this one whose files it uses."""
    return {name for path in _experiments(folder) for name in _OTHER_EXAMPLE.findall(path.read_text("utf-8"))}


def _command(folder: Path) -> str:
    first = _experiments(folder)[0]
    sweeps = first.suffix == ".yaml" and _SWEEP.search(first.read_text("utf-8"))
    return f"pybuzz sweep {folder / first.name}" if sweeps else f"pybuzz run {folder}"
