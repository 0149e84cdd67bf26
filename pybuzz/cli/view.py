"""`pybuzz view TARGET`: the browser workbench."""

from __future__ import annotations

import asyncio
import ipaddress
from pathlib import Path
from typing import Annotated

import typer

from pybuzz.cli import reporting
from pybuzz.cli.run import OnError
from pybuzz.cli.substitution import Substitute, pairs
from pybuzz.errors import InputError

__all__ = ["check_host", "register"]


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
    check_host(host, allow_remote)
    try:
        from pybuzz.workbench.server import Address, open_browser
        from pybuzz.workbench.viewing import view_experiment, view_recording
    except ModuleNotFoundError as missing:
        raise InputError.at("view", f"{missing.name} is not installed", hint="pip install 'pybuzz[view]'") from missing
    from pybuzz.workbench.options import StageOptions

    def ready(url: str) -> None:
        print(url, flush=True)
        reporting.print_note("Ctrl-C ends")
        if browser:
            open_browser(url)

    address = Address(host, port)
    if (target / "run.json").is_file():
        asyncio.run(view_recording(target, address, remote=allow_remote, ready=ready))
        return
    options = StageOptions(
        target=str(target),
        folder=str(_folder_of(target)),
        seed=seed,
        robots=robots,
        ticks=ticks,
        seconds=seconds,
        exact=exact,
        single_precision=single_precision,
        record=str(record) if record is not None else None,
        record_globals=_names(record_globals),
        record_sensors=_names(record_sensors),
        settings=tuple(settings or ()),
        hooks=hooks,
        with_=str(with_) if with_ is not None else None,
        substitute=pairs(substitute or []),
        on_error=on_error.value,
        strict=strict,
    )
    ended = asyncio.run(view_experiment(options, address, remote=allow_remote, ready=ready))
    if record is not None:
        reporting.print_note(f"recorded in {record}" if ended else f"{record} is incomplete: its last part is missing")


def _folder_of(target: Path) -> Path:
    if not target.exists():
        raise InputError.at(str(target), "there is no such file", kind="missing file")
    return target if target.is_dir() else target.parent


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
