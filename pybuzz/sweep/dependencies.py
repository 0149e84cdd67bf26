"""What files a run depends on, and what they hold: by this a later command knows which results still stand."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from pybuzz.buzz import parse
from pybuzz.buzz.program import compile_program
from pybuzz.errors import InputError
from pybuzz.experiment import read_plan
from pybuzz.experiment.plan import Floor, Plan
from pybuzz.spelling import did_you_mean
from pybuzz.sweep.measures import is_function
from pybuzz.sweep.plan import Sweep, combination_name, combinations

__all__ = ["digests", "files_for_scripts"]


def digests(sweep: Sweep) -> dict[str, str]:
    """For each combination of parameters the digest of all files that its runs read.

    Raises InputError or ScriptError if a combination cannot be run at all: an unknown key, a script that is missing or
    does not compile, a measure of a global that no script has.
    """
    known: dict[Path, str] = {}
    includes: dict[Path, list[Path]] = {}
    mentioned: dict[Path, frozenset[str]] = {}
    common = [sweep.experiment, *_python_files(sweep), *files_for_scripts(sweep.io)]
    found = {}
    for parameters in combinations(sweep):
        plan, _warnings = read_plan(sweep.experiment, seed=sweep.seed, sets=parameters, scripts=sweep.scripts)
        if plan.ticks is None and sweep.ticks is None and sweep.seconds is None:
            raise InputError.at(
                str(sweep.experiment),
                "this experiment has no end (its length is 0)",
                hint="give the sweep ticks or seconds",
            )
        _check_globals(sweep, plan, mentioned)
        files = [*common, *_plan_files(plan, includes, sweep.include)]
        found[combination_name(parameters)] = _digest(files, known)
    return found


def _check_globals(sweep: Sweep, plan: Plan, mentioned: dict[Path, frozenset[str]]) -> None:
    """Raises InputError for a global that measures read and no script mentions. mentioned: of scripts seen before."""
    scripts = [controller.script for controller in plan.controllers.values() if controller.script is not None]
    for script in scripts if sweep.recorded_globals else ():
        if script not in mentioned:
            mentioned[script] = compile_program(script, include_dirs=sweep.include).mentioned_globals
    known = frozenset().union(*(mentioned.get(script, ()) for script in scripts))
    for name in sweep.recorded_globals:
        if scripts and name not in known:
            text = f"a measure reads the global '{name}', which no script uses"
            raise InputError.at(sweep.source, text, kind="unknown global", hint=did_you_mean(name, known) or "")


def files_for_scripts(folder: str | None) -> list[Path]:
    """What scripts may read in each run: the files that lie in the folder, which each run gets copies of."""
    return [] if folder is None or not Path(folder).is_dir() else sorted(filter(Path.is_file, Path(folder).iterdir()))


def _python_files(sweep: Sweep) -> list[Path]:
    texts = [text for text in sweep.measures.values() if is_function(text)]
    return [Path(text.rpartition(":")[0]) for text in [*texts, *([sweep.hooks] if sweep.hooks else [])]]


def _plan_files(plan: Plan, includes: dict[Path, list[Path]], include_dirs: Sequence[str]) -> list[Path]:
    """Scripts with all that they include, pictures of floors, and the Python code that the experiment names."""
    files = [item.image for item in plan.items if isinstance(item, Floor) and item.image is not None]
    if plan.jobs is not None and plan.jobs.painting is not None and plan.jobs.painting.image is not None:
        files.append(plan.jobs.painting.image)
    if plan.hooks is not None:
        files.append(Path(f"{plan.hooks.rpartition('.py')[0]}.py"))
    for controller in plan.controllers.values():
        if controller.script is not None:
            if controller.script not in includes:
                script = parse(controller.script, include_dirs=include_dirs)
                includes[controller.script] = [Path(source.name) for source in script.sources]
            files += includes[controller.script]
    return files


def _digest(files: Iterable[Path], known: dict[Path, str]) -> str:
    parts = []
    for file in files:
        if file.is_file():
            if file not in known:
                known[file] = hashlib.sha256(file.read_bytes()).hexdigest()
            parts.append(known[file])
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()
