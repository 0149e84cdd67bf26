"""`pybuzz view TARGET`: the browser workbench."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from pybuzz.cli import reporting
from pybuzz.cli.run import OnError
from pybuzz.cli.substitution import Substitute, pairs
from pybuzz.errors import InputError
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
    robots: Annotated[
        int | None, typer.Option(min=0, help="How many robots. [default: as the file says; 10 for a .bzz]")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=2**32 - 1, help="Same seed, same run. [default: as the file says, or drawn]"),
    ] = None,
    ticks: Annotated[int | None, typer.Option(min=0, help="Run this many ticks. [default: as the file says]")] = None,
    seconds: Annotated[float | None, typer.Option(min=0.0, help="Run this many simulated seconds.")] = None,
    exact: Annotated[bool, typer.Option("--exact", help="Every reading and number as ARGoS gives it.")] = False,
    single_precision: Annotated[
        bool, typer.Option("--single-precision", help="Round every float of a script to 32 bits, as C Buzz does.")
    ] = False,
    record: Annotated[Path | None, typer.Option(metavar="DIR", help="Record the run in this folder.")] = None,
    record_globals: Annotated[str, typer.Option(metavar="A,B", help="Record these Buzz globals too.")] = "",
    record_sensors: Annotated[str, typer.Option(metavar="NAME,...", help="Record these sensors too.")] = "",
    record_messages: Annotated[
        bool, typer.Option("--record-messages", help="Record who received or lost whose packets.")
    ] = False,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="As for `pybuzz run`; may be repeated.")
    ] = None,
    hooks: Annotated[str | None, typer.Option(metavar="FILE.py:NAME", help="Python code that runs along.")] = None,
    with_: Annotated[
        Path | None, typer.Option("--with", metavar="JOBS.yaml", help="Jobs besides: write, set, floor, changes, stop.")
    ] = None,
    substitute: Substitute = None,
    on_error: Annotated[OnError, typer.Option(help="What a failed script stops.")] = OnError.STOP_ROBOT,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings about the experiment are errors.")] = False,
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
        "record_globals": _names(record_globals),
        "record_sensors": _names(record_sensors),
        "record_messages": record_messages,
        "set": tuple(settings or ()),
        "hooks": hooks,
        "with_": with_,
        "substitute": pairs(substitute or []),
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
    for package in ("starlette", "uvicorn", "websockets"):
        if find_spec(package) is None:
            raise InputError.at("view", f"{package} is not installed", hint="pip install 'pybuzz[view]'")
    from pybuzz.workbench.server import Address
    from pybuzz.workbench.viewing import view_experiment, view_recording

    options = _options(target, arguments)
    address, remote, record = Address(page.host, page.port), page.allow_remote, options.record
    ready = partial(_tell_ready, browser=page.browser)
    if (target / "run.json").is_file():
        if options != StageOptions(options.target, options.folder):
            raise InputError.at(str(target), "this is a recording: it is looked at as it is, without options of a run")
        asyncio.run(view_recording(target, address, remote=remote, ready=ready))
        return
    ended = asyncio.run(view_experiment(options, address, remote=remote, ready=ready, play=play))
    if record is not None:
        reporting.print_note(f"recorded in {record}" if ended else f"{record} is incomplete: its last part is missing")


def _options(target: Path, arguments: Mapping[str, Any]) -> StageOptions:
    if not target.exists():
        raise InputError.at(str(target), "there is no such file", kind="missing file")
    plain: dict[str, Any] = {
        name: str(value) if isinstance(value, Path) else value for name, value in arguments.items()
    }
    plain["settings"] = tuple(plain.pop("set"))
    return StageOptions(str(target), str(target if target.is_dir() else target.parent), **plain)


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


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in (part.strip() for part in text.split(",")) if name)
