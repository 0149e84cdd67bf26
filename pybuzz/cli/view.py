"""`pybuzz view TARGET`: the browser workbench."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from pybuzz.cli import reporting
from pybuzz.cli import run_options as options
from pybuzz.cli.substitution import Substitute, pairs
from pybuzz.errors import InputError
from pybuzz.extras import require
from pybuzz.missing_files import missing_file
from pybuzz.workbench.options import StageOptions

__all__ = ["Page", "check_host", "register", "show"]


def register(app: typer.Typer) -> None:
    app.command("view")(view)


def view(
    target: Annotated[
        Path,
        typer.Argument(
            metavar="TARGET", help="A .bzz, a .yaml, a .argos, a folder with one experiment, or a recording's folder."
        ),
    ],
    robots: options.Robots = None,
    seed: options.Seed = None,
    ticks: options.Ticks = None,
    seconds: options.Seconds = None,
    exact: options.Exact = False,
    single_precision: options.SinglePrecision = False,
    record: options.Record = None,
    record_globals: options.RecordGlobals = "",
    record_sensors: options.RecordSensors = "",
    record_messages: options.RecordMessages = False,
    settings: options.Settings = None,
    hooks: options.HooksOption = None,
    with_: options.JobsOption = None,
    substitute: Substitute = None,
    script: options.Scripts = None,
    include: options.Include = None,
    allow_io: options.AllowIo = None,
    on_error: options.OnErrorOption = options.OnError.STOP_ROBOT,
    strict: options.Strict = False,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0: a free one.")] = 0,
    allow_remote: Annotated[
        bool, typer.Option("--allow-remote", help="Allow a --host that other computers reach.")
    ] = False,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")] = True,
) -> None:
    """See a script or an experiment run in the browser, change it, and look back; or look at a recording.

    Example:  pybuzz view hexagon.bzz --robots 20
    """
    arguments = {
        "robots": robots,
        "seed": seed,
        "ticks": ticks,
        "seconds": seconds,
        "exact": exact,
        "single_precision": single_precision,
        "record": record,
        "record_globals": options.listed(record_globals),
        "record_sensors": options.listed(record_sensors),
        "record_messages": record_messages,
        "set": tuple(settings or ()),
        "hooks": hooks,
        "with_": with_,
        "substitute": pairs(substitute or []),
        "script": tuple(script or ()),
        "include_dirs": tuple(map(str, include or ())),
        "io_folder": allow_io,
        "on_error": on_error.value,
        "strict": strict,
    }
    show(target, arguments, Page(host, port, allow_remote, browser))


@dataclass(frozen=True, slots=True)
class Page:
    """Where the page is served. browser: open it."""

    host: str = "127.0.0.1"
    port: int = 0
    allow_remote: bool = False
    browser: bool = True


def show(target: Path, arguments: Mapping[str, Any], page: Page, *, play: bool = False) -> None:
    """Serve a script, an experiment or a recording until Ctrl-C. arguments: of `pybuzz.load`. play: begin at once."""
    check_host(page.host, page.allow_remote)
    require("view", "starlette", "uvicorn", "websockets", place="view", purpose="the workbench")
    from pybuzz.workbench.server import Address
    from pybuzz.workbench.viewing import view_experiment, view_recording

    experiment = _experiment(target, arguments)
    address, remote, record = Address(page.host, page.port), page.allow_remote, experiment.record
    ready = partial(_tell_ready, browser=page.browser)
    if _is_recording(target):
        if experiment != StageOptions(experiment.target, experiment.folder):
            raise InputError.at(str(target), "this is a recording: it is looked at as it is, without options of a run")
        asyncio.run(view_recording(target, address, remote=remote, ready=ready))
        return
    ended = asyncio.run(view_experiment(experiment, address, remote=remote, ready=ready, play=play))
    if record is not None:
        reporting.print_note(_what_was_recorded(Path(record), ended))


def _experiment(target: Path, arguments: Mapping[str, Any]) -> StageOptions:
    if not target.exists():
        raise missing_file(target)
    plain: dict[str, Any] = {
        name: str(value) if isinstance(value, Path) else value for name, value in arguments.items()
    }
    plain["settings"] = tuple(plain.pop("set"))
    return StageOptions(str(target), str(target if target.is_dir() else target.parent), **plain)


def _is_recording(folder: Path) -> bool:
    return (folder / "run.json").is_file()


def _what_was_recorded(record: Path, ended: bool) -> str:
    """ended: by itself, rather than killed."""
    if not ended:
        return f"{record} is incomplete: its last part is missing"
    return f"recorded in {record}" if _is_recording(record) else f"nothing was recorded in {record}: nothing ran"


def _tell_ready(url: str, *, browser: bool) -> None:
    from pybuzz.workbench.server import open_browser

    print(url, flush=True)
    reporting.print_note("Ctrl-C ends")
    if browser:
        open_browser(url)


def check_host(host: str, allow_remote: bool) -> None:
    """Raises InputError if other computers reach it and that was not allowed."""
    if allow_remote or _is_loopback(host):
        return
    raise InputError.at(
        "--host",
        f"{host} is reached from other computers: whoever learns the page's address there can run the experiment, "
        "and read and change the files of its folder; nothing is encrypted",
        hint="add --allow-remote if that is meant; a tunnel is safer: ssh -L PORT:127.0.0.1:PORT THIS-COMPUTER",
    )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
