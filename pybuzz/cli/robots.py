"""`pybuzz robots --fleet FLEET.yaml`: who answers, live values, single tests, calibration, survey."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from pybuzz.cli import reporting
from pybuzz.cli.interrupts import signals_as_interrupts, signals_ignored
from pybuzz.errors import Diagnostic, InputError, LinkError, Place

if TYPE_CHECKING:
    from pybuzz.link.fleet import FleetRobot
    from pybuzz.link.session import Session

__all__ = ["register"]

Result = TypeVar("Result")

_WATCH_S = 0.5


def register(app: typer.Typer) -> None:
    app.command("robots")(robots)


def robots(
    fleet: Annotated[Path, typer.Option(metavar="FLEET.yaml", help="Which robots, on which links.")],
    robot: Annotated[
        list[int] | None, typer.Option("--robot", metavar="ID", help="Only this one (repeatable).")
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Ask again and again, until Ctrl-C.")] = False,
    wheels: Annotated[bool, typer.Option("--wheels", help="Test: each wheel 2 cm forward and back.")] = False,
    leds: Annotated[bool, typer.Option("--leds", help="Test: red, green, blue.")] = False,
    calibrate: Annotated[
        bool, typer.Option("--calibrate", help="Be led through the calibration, robot by robot.")
    ] = False,
    survey: Annotated[bool, typer.Option("--survey", help="Ask each robot what its documents leave open.")] = False,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="Where the reports of --survey go.")
    ] = Path("survey"),
    json: Annotated[bool, typer.Option("--json", help="Everything as JSON on stdout.")] = False,
) -> None:
    """Look at the robots of a fleet: who answers, firmware, battery, values. Ends with 3 if one does not answer,
    or if a deployment drives them.

    Example:  pybuzz robots --fleet lab.yaml --robot 3 --wheels
    """
    from pybuzz.link.control import refuse_if_driven
    from pybuzz.link.fleet_file import read_fleet

    chosen = _chosen(read_fleet(fleet).robots, robot)
    refuse_if_driven(str(fleet))
    if calibrate:
        for one in chosen:
            _calibrate(one, fleet.parent)
    elif survey:
        for one in chosen:
            _survey(one, output)
    elif wheels or leds:
        _test(chosen, wheels=wheels, leds=leds, json=json)
    else:
        _inspect(chosen, watch=watch, json=json)


def _chosen(all_of_them: tuple[FleetRobot, ...], ids: list[int] | None) -> list[FleetRobot]:
    known = {one.id: one for one in all_of_them}
    for number in ids or ():
        if number not in known:
            hint = f"it has: {', '.join(map(str, known))}"
            raise InputError.at("--robot", f"the fleet has no robot {number}", hint=hint)
    return [known[number] for number in ids] if ids else list(all_of_them)


def _inspect(chosen: list[FleetRobot], *, watch: bool, json: bool) -> None:
    from pybuzz.link.inspection import inspect

    while True:
        with ThreadPoolExecutor(len(chosen)) as pool:
            reports = list(pool.map(inspect, chosen))
        if json:
            reporting.as_json(reports)
        else:
            for report in reports:
                _print(report)
        if not watch:
            break
        sleep(_WATCH_S)
    if not all(report["answers"] for report in reports):
        raise typer.Exit(3)


def _print(report: dict[str, Any]) -> None:
    values = report["values"]
    battery = "?" if report["percent"] is None else f"{report['percent']:g} %"
    volts = "" if report["volts"] is None else f" {report['volts']:.2f} V"
    state = f"firmware {report['firmware']}, battery {battery}{volts}, {values.get('reply_ms', 0):g} ms"
    print(f"robot {report['robot']} {report['name']} ({report['link']}): {state if report['answers'] else 'no answer'}")
    for name in ("proximity", "ground", "light", "ultrasound", "encoders"):
        if values.get(name):
            print(f"  {name:<11}" + " ".join(f"{value:>5g}" for value in values[name]))
    for finding in report["findings"]:
        print(f"  {finding['text']}\n    hint: {finding['remedy']}")


def _test(chosen: list[FleetRobot], *, wheels: bool, leds: bool, json: bool) -> None:
    from pybuzz.link.inspection import lights_test, wheels_test
    from pybuzz.link.relay import release_relays

    if wheels:
        release_relays(chosen)
    results = []
    for robot in chosen:
        result: dict[str, Any] = {"robot": robot.id}
        if wheels:
            result["wheels"] = _with_session(robot, wheels_test)
        if leds:
            _with_session(robot, lights_test)
            result["leds"] = "shown"
        results.append(result)
        if not json:
            found = ", ".join(f"{side} wheel: {text}" for side, text in result.get("wheels", {}).items())
            print(f"robot {robot.id} {robot}: {found or 'lights shown: red, green, blue'}")
    if json:
        reporting.as_json(results)
    if any(text != "good" for result in results for text in result.get("wheels", {}).values()):
        raise typer.Exit(3)


def _calibrate(robot: FleetRobot, folder: Path) -> None:
    from pybuzz.khepera import load_model
    from pybuzz.link.calibrating import Guide, calibrate
    from pybuzz.link.calibration import default_calibration
    from pybuzz.link.calibration_file import read_calibration, write_calibration
    from pybuzz.link.relay import release_relays

    release_relays([robot])
    model = load_model()
    path = robot.calibration or folder / "calibration" / f"{robot.name}.yaml"
    known = read_calibration(path, model) if path.is_file() else default_calibration(model)
    print(f"robot {robot.id} {robot}")
    found = _with_session(robot, lambda session: calibrate(Guide(session, model, _asked, print), known))
    write_calibration(path, robot.id, found)
    print(f"wrote {path}")
    if robot.calibration is None:
        print(f"  now write  calibration: {path.relative_to(folder)}  for this robot in the fleet file")


def _survey(robot: FleetRobot, folder: Path) -> None:
    from pybuzz.link.relay import release_relays
    from pybuzz.link.survey import survey

    release_relays([robot])
    with signals_as_interrupts():
        text = _with_links_checked(robot, lambda: survey(robot, _asked))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{robot.name}.md"
    path.write_text(text, "utf-8")
    print(f"wrote {path}")


def _asked(text: str) -> str:
    """What the person answers. Raises InputError when nobody is there."""
    try:
        return input(text)
    except EOFError:
        hint = "run it at a terminal; nothing was written"
        raise InputError.at("stdin", "the answers end before the questions", hint=hint) from None


def _with_session(robot: FleetRobot, action: Callable[[Session], Result]) -> Result:
    """Connect, act, and leave a standing robot behind, whatever happens."""
    from pybuzz.link.session import Session

    def act() -> Result:
        session = Session(robot.link)
        session.connect()
        try:
            found = action(session)
        except BaseException:
            _stop(robot, session)
            raise
        if not _stop(robot, session):
            raise typer.Exit(3)
        return found

    with signals_as_interrupts():
        return _with_links_checked(robot, act)


def _stop(robot: FleetRobot, session: Session) -> bool:
    """Stop the robot and close the line; whether it stands. Says so if it does not."""
    with signals_ignored():
        report = session.stop()
        session.close()
    if not report.stopped:
        hint = "switch it off by hand"
        reporting.print_note(f"robot {robot.id} {robot}: {report.outcome}: {report.text}\n  hint: {hint}")
    return report.stopped


def _with_links_checked(robot: FleetRobot, action: Callable[[], Result]) -> Result:
    """Raises LinkError for what goes wrong on the line."""
    from pybuzz.link.conversation import ExchangeError
    from pybuzz.link.session import HandshakeError
    from pybuzz.link.transports import LinkLostError

    try:
        return action()
    except (LinkLostError, HandshakeError, ExchangeError) as error:
        place = Place(f"robot {robot.id} ({robot.link})")
        hint = "pybuzz robots --fleet FLEET.yaml says what to do"
        raise LinkError(Diagnostic(place, "link", str(error), hint=hint)) from None
