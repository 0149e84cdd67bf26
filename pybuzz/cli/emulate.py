"""`pybuzz emulate TARGET`: simulated robots that answer like real ones."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pybuzz.cli import reporting
from pybuzz.cli.durations import checked_seconds
from pybuzz.errors import InputError

if TYPE_CHECKING:
    from pybuzz.emulator.emulator import Emulator

__all__ = ["register"]


_MOST_TOLD = 10


class LineKind(StrEnum):
    LOOPBACK = "loopback"
    SERIAL = "serial"
    WIFI = "wifi"
    BLUETOOTH = "bluetooth"


class XLayout(StrEnum):
    SHIPPED = "shipped"
    MANUAL = "manual"


def register(app: typer.Typer) -> None:
    app.command("emulate")(emulate)


def emulate(
    target: Annotated[
        Path, typer.Argument(metavar="TARGET", help="A .bzz, a .yaml, a .argos, or a folder with one experiment.")
    ],
    robots: Annotated[int | None, typer.Option(min=1, help="How many robots. [default: as the file says]")] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**32 - 1, help="Same seed, same places. [default: as the file says, or 1]")
    ] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="As for `pybuzz run`.")
    ] = None,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Of the first robot; 0: free ones.")] = 7000,
    pty: Annotated[
        Path | None, typer.Option("--pty", metavar="DIR", help="Pseudo terminals, linked in DIR, in place of ports.")
    ] = None,
    laser_port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Offer laser scanners too, from this port on.")
    ] = None,
    control_port: Annotated[int | None, typer.Option(min=0, max=65535, help="Take faults and questions there.")] = None,
    fault: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FAULT", help="ROBOT:NAME[=VALUE][;after=S][;for=S][;count=N][;on=LETTERS], ROBOT a number or *."
        ),
    ] = None,
    line: Annotated[LineKind, typer.Option(help="How slow the links are.")] = LineKind.LOOPBACK,
    stepped: Annotated[bool, typer.Option("--stepped", help="Time passes only by the control port.")] = False,
    stall: Annotated[bool, typer.Option("--stall", help="Wheels of a blocked robot stand still.")] = False,
    dark_is_high: Annotated[bool, typer.Option("--dark-is-high", help="The other polarity of ambient light.")] = False,
    x_layout: Annotated[XLayout, typer.Option(help="The layout of the binary frame.")] = XLayout.SHIPPED,
    fleet: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a fleet file for `pybuzz deploy` there.")
    ] = None,
    poses: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Send the robots' poses there, as a tracking system does.")
    ] = None,
    log: Annotated[Path | None, typer.Option(metavar="FILE", help="Log every line, as JSON.")] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0.0, callback=checked_seconds, help="End after so long. [default: never]")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Where the robots are reached, as one line of JSON.")] = False,
) -> None:
    """Let the robots of an experiment answer like real Khepera IVs (kh4server), each on its own TCP port or terminal.

    Their scripts do not run: whoever connects drives them. `--fault help` lists what can go wrong.

    Example:  pybuzz emulate hexagon.yaml --fleet fleet.yaml  &  pybuzz deploy hexagon.bzz --fleet fleet.yaml
    """
    from pybuzz.emulator.emulator import Emulator, EmulatorOptions
    from pybuzz.emulator.faults import FAULTS, parse_fault
    from pybuzz.emulator.hardware import HardwareOptions
    from pybuzz.experiment.reading import read_plan

    if fault and "help" in fault:
        for kind in FAULTS.values():
            print(f"{kind.name:<12}{kind.text}" + (f" [{kind.default}]" if kind.default is not None else ""))
        return
    if pty is None and port and laser_port and abs(port - laser_port) < (robots or 1):
        raise InputError.at("--laser-port", "the ports of lasers and robots overlap")
    plan, warnings = read_plan(target, seed=seed, sets=settings or (), robots=robots)
    reporting.print_diagnostics(warnings)
    options = EmulatorOptions(
        host, port, pty, laser_port, control_port, _address(poses), log, line.value, stepped, x_layout.value,
        HardwareOptions(bright_is_high=not dark_is_high, stall=stall), [parse_fault(text) for text in fault or ()],
    )  # fmt: skip
    emulator = Emulator(plan, 1 if plan.seed is None else plan.seed, options)
    asyncio.run(_serve(emulator, seconds, fleet, json=json))
    if log is not None:
        _judge(log)


def _address(text: str | None) -> tuple[str, int] | None:
    if text is None:
        return None
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit():
        raise InputError.at("--poses", f"'{text}' is not HOST:PORT", hint="for example 127.0.0.1:7777")
    return host, int(port)


async def _serve(emulator: Emulator, seconds: float | None, fleet: Path | None, *, json: bool) -> None:
    loop = asyncio.get_running_loop()
    ended = asyncio.Event() if emulator.control is None else emulator.control.ended
    for number in (signal.SIGINT, signal.SIGTERM):
        # Where loops know no signals (Windows), Ctrl-C arrives as KeyboardInterrupt.
        with suppress(NotImplementedError):
            loop.add_signal_handler(number, ended.set)
    if seconds is not None:
        loop.call_later(seconds, ended.set)
    try:
        await emulator.open()
        if fleet is not None:
            from pybuzz.emulator.fleet import write_fleet

            write_fleet(emulator, fleet)
        _tell_ready(emulator, json)
        running = asyncio.create_task(emulator.run())
        stopping = asyncio.create_task(ended.wait())
        await asyncio.wait((running, stopping), return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()
        running.cancel()
    finally:
        emulator.close()


def _judge(log: Path) -> None:
    """Tell what the bridge did that it should not."""
    from pybuzz.emulator.assertions import faults
    from pybuzz.emulator.journal import read_log

    found = faults(read_log(log))
    for text in found[:_MOST_TOLD]:
        reporting.print_note(text)
    if len(found) > _MOST_TOLD:
        reporting.print_note(f"and {len(found) - _MOST_TOLD} more")
    reporting.print_note(f"logged in {log}: {len(found)} faults of the bridge")


def _tell_ready(emulator: Emulator, json: bool) -> None:
    state = emulator.state()
    control = emulator.control.port if emulator.control is not None else None
    if json:
        reporting.as_json_line({"control": control, **state})
        return
    for robot in state["robots"]:
        laser = f"  laser {robot['laser']}" if robot["laser"] else ""
        print(f"{robot['name']:<10} id {robot['robot']:<4} {robot['url']}{laser}", flush=True)
    if control is not None:
        print(f"control    tcp://{emulator.options.host}:{control}", flush=True)
    reporting.print_note("Ctrl-C ends")
