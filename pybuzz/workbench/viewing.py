"""`pybuzz view` without its command line: an experiment or a recording, served."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pybuzz.recording import Recording
from pybuzz.workbench.app import make_app
from pybuzz.workbench.files import ExperimentFiles
from pybuzz.workbench.live_run import LiveRun
from pybuzz.workbench.names import ScriptNames
from pybuzz.workbench.options import StageOptions
from pybuzz.workbench.problems import Checker
from pybuzz.workbench.recorded_run import RecordedRun
from pybuzz.workbench.requests import VERSION
from pybuzz.workbench.server import Address, on_signals, serve_app
from pybuzz.workbench.viewers import as_text

__all__ = ["view_experiment", "view_recording"]


async def view_experiment(
    options: StageOptions, address: Address, *, remote: bool, ready: Callable[[str], None], play: bool = False
) -> bool:
    """Serve an experiment until SIGINT or SIGTERM. False if its process had to be killed. Raises InputError.

    play: begin at once.
    """
    files = ExperimentFiles(Path(options.folder))
    checker = Checker(files, options.substitute)

    def greeting(loaded: Mapping[str, Any]) -> str:
        names = ScriptNames(loaded.get("own_names"))
        checker.names, checker.experiment = names, str(loaded.get("title", ""))
        told = {field: value for field, value in loaded.items() if field != "own_names"}
        return as_text(**{**_NOTHING, **told, "files": files.names(), "names": names.completions})

    run = LiveRun(options, greeting)
    if play:
        run.play()
    try:
        await serve_app(make_app(run, files, checker), address, remote=remote, ready=ready)
    finally:
        # Who does not want to wait until the recording is complete says so once more.
        on_signals(run.kill)
        ended = await run.close()
    return ended


async def view_recording(folder: Path, address: Address, *, remote: bool, ready: Callable[[str], None]) -> None:
    """Serve a recording until SIGINT or SIGTERM. Raises InputError."""
    recording = Recording.open(folder)
    run = RecordedRun(recording, folder.resolve().name, lambda told: as_text(**{**_NOTHING, **told}))
    await serve_app(make_app(run), address, remote=remote, ready=ready)


_NOTHING: dict[str, Any] = {
    "type": "welcome",
    "version": VERSION,
    "mode": "live",
    "seed": None,
    "tick_seconds": 0.1,
    "scripts": [],
    "sensors": [],
    "files": [],
    "names": [],
}
"""What a page is told as long as nothing else is known."""
