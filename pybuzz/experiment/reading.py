"""From the name of a file to a Plan: which reader it takes, and what the command line changes about it."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from importlib.metadata import entry_points
from pathlib import Path

from pybuzz.errors import Diagnostic, InputError
from pybuzz.experiment import yaml_file
from pybuzz.experiment.plan import Controller, Distribution, Plan
from pybuzz.faults import FaultyFileError
from pybuzz.missing_files import missing_file
from pybuzz.settings import ReadSettings, parse_sets
from pybuzz.spelling import did_you_mean

__all__ = ["check_experiment_file", "default_experiment", "read_plan", "readers"]

Reader = Callable[[str, ReadSettings], tuple[Plan, tuple[Diagnostic, ...]]]

GROUP = "pybuzz.experiment_readers"

_DEFAULT_EXPERIMENT = """\
experiment: {{ticks_per_second: 10, length: 60}}
arena: {{size: [{side}, {side}], walls: true}}
robots:
  - {{kind: kheperaiv, count: 10, script: {script}, place: {{uniform: [[-{half}, -{half}], [{half}, {half}]]}}}}
radio: {{range: 1.5, data_size: 100}}
"""

_CROWD = 300
"""So many robots always find room at random in 4 x 4 m; the arena of more is as crowded."""


def default_experiment(script: str, robots: int | None = None) -> str:
    """The experiment of a script alone, as text of a .yaml file; its arena grows with a crowd."""
    half = 2.0 * math.sqrt(max(1.0, (robots or 0) / _CROWD))
    return _DEFAULT_EXPERIMENT.format(
        script=json.dumps(script, ensure_ascii=False), half=f"{half:.4g}", side=f"{2 * half:.4g}"
    )


def read_plan(
    path: str | os.PathLike[str],
    *,
    seed: int | None = None,
    sets: Iterable[str] | Mapping[str, object] = (),
    strict: bool = False,
    substitute: Mapping[str, str] | None = None,
    robots: int | None = None,
    text: str | None = None,
    scripts: Iterable[str] = (),
) -> tuple[Plan, tuple[Diagnostic, ...]]:
    """The experiment at `path`, and the warnings about it.

    seed: instead of the file's. sets: `--set`, see settings. strict: warnings are errors. substitute: kinds of
    robots and what stands in for them. robots: how many the one group of robots of the file shall have. text: what the
    file holds, instead of what is on disk. scripts: FILE or CONTROLLER=FILE, instead of those that the file names.
    Raises InputError with every fault at once.
    """
    settings = ReadSettings(seed, parse_sets(sets), strict, dict(substitute or {}), robots, text, tuple(scripts))
    file = Path(path)
    if text is None and not file.exists():
        raise missing_file(file)
    if file.is_dir():
        file = _experiment_in(file)
    reader = _reader(file)
    if substitute and reader in (yaml_file.read, _read_script):
        raise InputError.at("--substitute", "only files of other simulators name robots that are not here")
    if settings.scripts and reader in (yaml_file.read, _read_script):
        raise InputError.at("--script", "this is for .argos files", hint="--set 'robots[1].script=FILE'")
    return reader(os.fspath(file), settings)


def check_experiment_file(
    path: str | os.PathLike[str],
    text: str | None = None,
    *,
    substitute: Mapping[str, str] | None = None,
    scripts: Iterable[str] = (),
) -> list[Diagnostic]:
    """Every error and warning about an experiment file, in its order. text: instead of what is on disk."""
    try:
        return list(read_plan(path, substitute=substitute, text=text, scripts=scripts)[1])
    except InputError as error:
        warnings = error.warnings if isinstance(error, FaultyFileError) else ()
        return sorted((*error.diagnostics, *warnings), key=lambda found: (found.place.line, found.place.column))


def readers() -> dict[str, Reader]:
    """The readers of experiment files by suffix: our own, and those that packages add."""
    added: dict[str, Reader] = {entry.name: entry.load() for entry in entry_points(group=GROUP)}
    return {".yaml": yaml_file.read, ".yml": yaml_file.read, ".bzz": _read_script, **added}


def _reader(file: Path) -> Reader:
    known = readers()
    if file.suffix not in known:
        kinds = ", ".join(sorted(known))
        raise InputError.at(
            str(file), f"'{file.suffix}' is no kind of experiment" if file.suffix else "this is no kind of experiment",
            kind="unknown format", hint=did_you_mean(file.suffix, known) or f"known: {kinds}, or a folder with one",
        )  # fmt: skip
    return known[file.suffix]


def _read_script(path: str, settings: ReadSettings) -> tuple[Plan, tuple[Diagnostic, ...]]:
    """The experiment that a script alone makes: ten robots, at random in a walled arena."""
    script = Path(path)
    text = default_experiment(script.name, settings.robots)
    plan, warnings = yaml_file.read_text(text, path, script.parent, settings)
    # the lines are those of a text that nobody sees
    items = (replace(item, line=0) if isinstance(item, Distribution) else item for item in plan.items)
    controllers = {key: replace(one, ways=_ways_of_a_script(one)) for key, one in plan.controllers.items()}
    return replace(plan, items=tuple(items), controllers=controllers), warnings


def _ways_of_a_script(controller: Controller) -> dict[str, str]:
    return {name: f"write an experiment, with sensors: {{{name}: true}}" for name in controller.ways}


def _experiment_in(folder: Path) -> Path:
    """The one experiment of a folder. Of one that is there in two formats (x.argos, x.yaml) the .yaml is taken."""
    suffixes = set(readers()) - {".bzz"}
    found = sorted(path for path in folder.iterdir() if path.suffix in suffixes)
    scripts = sorted(folder.glob("*.bzz"))
    if len({path.stem for path in found}) == 1:
        return max(found, key=lambda path: path.suffix)
    if not found and len(scripts) == 1:
        return scripts[0]
    names = ", ".join(path.name for path in found or scripts)
    text = f"this folder has more than one experiment: {names}" if names else "there is no experiment in this folder"
    raise InputError.at(str(folder), text, kind="no experiment", hint="name the file" if names else "")
