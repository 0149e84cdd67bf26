"""Robots that must not be driven, and what the pre-flight says about each: name, link, remedy, exit code 3."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rehearsals import FORWARD, Share, assert_safe, run, run_here, since, write_fleet

from pybuzz.emulator.process import EmulatorProcess
from pybuzz.link.addresses import parse_address
from pybuzz.link.fleet import Fleet, FleetRobot
from pybuzz.link.fleet_file import read_fleet_text
from pybuzz.link.preflight import host_findings, relay_findings
from pybuzz.link.probe import Probe, findings

ROBOT = FleetRobot(7, "kh7", parse_address("tcp://khepera7:7000"))
GOOD = Probe(7, firmware="B 5", percent=83, volts=7.8, encoders=(0, 0), proximity=(110.0,) * 12)


def good_but(**differs: object) -> Probe:
    return Probe(**{**GOOD.to_json(), **differs})


def test_a_fit_robot_is_without_findings() -> None:
    assert findings(ROBOT, GOOD) == []


@pytest.mark.parametrize(
    ("found", "text", "remedy", "can_be_forced"),
    [
        (good_but(trouble="silent", text="no kh4server answers"), "no kh4server answers", "start kh4server", False),
        (good_but(trouble="foreign", text="it says 'login:'"), "login", "log in there and start kh4server", False),
        (good_but(trouble="refused", text="connection refused"), "refused", "start the relay", False),
        (good_but(firmware="A 9"), "its firmware is A 9, and B 5 is expected", 'firmware: "A 9"', True),
        (good_but(percent=8.0), "its battery is at 8 % (7.80 V)", "charge it", True),
        (good_but(volts=6.5), "its battery is at 83 % (6.50 V)", "charge it", True),
        (good_but(encoders=None), "its encoders do not answer", "restart", False),
        (good_but(infrared_lives=False), "infrared sensors are dead", "restart", True),
        (good_but(refused=["V,5"]), "it refuses V,5", "restart", True),
    ],
)
def test_what_is_wrong_is_said_with_its_remedy(found: Probe, text: str, remedy: str, can_be_forced: bool) -> None:
    (finding,) = findings(ROBOT, found)
    assert text in finding.text
    assert remedy in finding.remedy
    assert finding.can_be_forced is can_be_forced
    assert str(finding).startswith("robot 7 kh7 (tcp://khepera7:7000): ")


def test_a_relay_written_as_the_remedy_says_is_a_good_one() -> None:
    (finding,) = relay_findings(Fleet("fleet.yaml", (ROBOT,), 0.2))
    key, value = re.findall(r'(relay): "(.*)"', finding.remedy)[0]
    text = f'robots: [{{id: 7, link: "tcp://khepera7:7000", {key}: "{value}"}}]'
    assert read_fleet_text(text, "fleet.yaml", Path()).robots[0].relay == ("host", 7001)


def test_a_relay_on_another_host_than_the_link_is_warned_of() -> None:
    good, doubtful, by_cable = (
        FleetRobot(number, f"kh{number}", parse_address(link), relay=("khepera1", 7000 + number))
        for number, link in enumerate(("tcp://Khepera1:7000", "tcp://khepera2:7000", "/dev/ttyUSB0"), start=1)
    )
    (finding,) = host_findings(Fleet("fleet.yaml", (good, doubtful, by_cable), 0.2))
    assert finding.only_warns
    assert str(finding).endswith("(tcp://khepera2:7000): its relay is on khepera1, and its link on khepera2")


def test_a_low_battery_only_warns() -> None:
    (finding,) = findings(ROBOT, good_but(percent=15.0))
    assert finding.only_warns


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("preflight")


KINDS = ("garbage", "login", "silent", "firmware=A,9", "battery=8", "frozen")


@pytest.fixture(scope="module")
def emulator(hall: EmulatorProcess, folder: Path) -> Iterator[Share]:
    """Robots that are each unfit in their own way; robot 9 is fit."""
    (folder / "script.bzz").write_text(FORWARD)
    share = Share(hall, *range(3, 10))
    for robot, kind in enumerate(KINDS, start=3):
        share.fault(f"{robot}:{kind}")
    yield share
    share.clear()


def deploy(folder: Path, emulator: Share, robot: int, *more: str) -> tuple[object, ...]:
    """What follows `pybuzz` for a deployment on one robot."""
    fleet = write_fleet(folder, {robot: emulator.urls[robot]}, emulator.starts)
    return ("deploy", folder / "script.bzz", "--fleet", fleet, *more)


@pytest.fixture(scope="module")
def refusal(folder: Path, emulator: Share) -> tuple[int, str, float]:
    """Exit code and messages of a pre-flight of all of them, and when it began."""
    begin = time.monotonic()
    fleet = write_fleet(folder, emulator.urls, emulator.starts)
    done = run("deploy", folder / "script.bzz", "--fleet", fleet, "--dry-run")
    return done.returncode, done.stderr, begin


@pytest.mark.parametrize(
    ("robot", "text"),
    [
        (3, "no kh4server answers; it says"),
        (4, "no kh4server answers; it says '"),
        (5, "no kh4server answers"),
        (6, "its firmware is A 9, and B 5 is expected"),
        (7, "its battery is at 8 %"),
        (8, "its infrared sensors are dead"),
    ],
)
def test_an_unfit_robot_is_named_with_its_link_and_a_remedy(
    emulator: Share, refusal: tuple[int, str, float], robot: int, text: str
) -> None:
    code, errors, _ = refusal
    lines = errors.splitlines()
    (place,) = [
        index for index, line in enumerate(lines) if line.startswith(f"robot {robot} ({emulator.urls[robot]}): ")
    ]
    assert text in lines[place]
    assert lines[place + 1].startswith("  hint: ")
    assert code == 3


def test_a_refused_fleet_is_not_moved(emulator: Share, refusal: tuple[int, str, float]) -> None:
    log = since(emulator, refusal[2])
    assert not [entry for entry in log if entry.letter == "D" and entry.line != "D,0,0"]
    assert "robot 9" not in refusal[1]


def test_a_dry_run_of_a_fit_robot_moves_nothing(
    folder: Path, emulator: Share, capsys: pytest.CaptureFixture[str]
) -> None:
    begin = time.monotonic()
    done = run_here(capsys, *deploy(folder, emulator, 9, "--dry-run"))
    assert (done.returncode, "1 of 1 robots are ready" in done.stderr) == (0, True)
    log = since(emulator, begin)
    assert not [entry for entry in log if entry.kind == "moving"]
    assert_safe(log)


def test_force_drives_a_robot_of_another_firmware(folder: Path, emulator: Share) -> None:
    done = run(*deploy(folder, emulator, 6, "--force", "--seconds", "1"))
    assert done.returncode == 0, done.stderr
    assert "warning: robot 6" in done.stderr


def test_force_does_not_drive_a_robot_that_nobody_can_talk_to(
    folder: Path, emulator: Share, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_here(capsys, *deploy(folder, emulator, 5, "--force", "--dry-run")).returncode == 3


def test_a_port_where_nobody_listens_is_a_robot_that_is_not_there(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fleet = write_fleet(folder, {9: "tcp://127.0.0.1:1"}, {9: (0.0, 0.0, 0.0)})
    done = run_here(capsys, "deploy", folder / "script.bzz", "--fleet", fleet, "--dry-run")
    assert done.returncode == 3
    assert "robot 9 (tcp://127.0.0.1:1): pre-flight: the link cannot be opened: connection refused" in done.stderr


def test_two_robots_with_one_id_are_a_faulty_fleet_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fleet = folder / "twice.yaml"
    fleet.write_text('robots:\n  - {id: 1, link: "tcp://a:1"}\n  - {id: 1, link: "tcp://b:1"}\n')
    done = run_here(capsys, "deploy", folder / "script.bzz", "--fleet", fleet, "--dry-run")
    assert done.returncode == 2
    assert f"{fleet}:3:10: repeated: id: another robot has 1 already, in line 2" in done.stderr


def test_a_script_that_wants_what_the_robot_lacks_is_refused(
    folder: Path, emulator: Share, capsys: pytest.CaptureFixture[str]
) -> None:
    script = folder / "lidar.bzz"
    script.write_text("function init() {}\nfunction step() { if(lidar[0] > 10) set_wheels(1.0, 1.0) }\n")
    fleet = write_fleet(folder, {9: emulator.urls[9]}, emulator.starts)
    done = run_here(capsys, "deploy", script, "--fleet", fleet, "--dry-run")
    assert done.returncode == 3
    assert "its script reads lidar, and the fleet file names no laser for it" in done.stderr


def test_a_script_with_errors_is_refused_before_any_link_is_opened(
    folder: Path, emulator: Share, capsys: pytest.CaptureFixture[str]
) -> None:
    begin = time.monotonic()
    script = folder / "broken.bzz"
    script.write_text("function step( {}\n")
    fleet = write_fleet(folder, {9: emulator.urls[9]}, emulator.starts)
    assert run_here(capsys, "deploy", script, "--fleet", fleet).returncode == 2
    assert not [entry for entry in since(emulator, begin) if entry.kind == "connected"]


@pytest.mark.parametrize("seconds", ["nan", "inf", "-1", "soon"])
def test_what_is_no_duration_is_wrong_usage(folder: Path, seconds: str, capsys: pytest.CaptureFixture[str]) -> None:
    fleet = write_fleet(folder, {9: "tcp://127.0.0.1:1"}, {9: (0.0, 0.0, 0.0)})
    done = run_here(capsys, "deploy", folder / "script.bzz", "--fleet", fleet, "--seconds", seconds)
    assert done.returncode == 2


def test_each_robot_that_starts_where_another_does_is_told_once(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = folder / "reads_pose.bzz"
    script.write_text("function init() {}\nfunction step() { x = pose.position.x }\n")
    urls = {robot: f"tcp://127.0.0.1:{robot}" for robot in range(1, 5)}
    fleet = write_fleet(folder, urls, dict.fromkeys(urls, (0.0, 0.0, 0.0)))
    done = run_here(capsys, "deploy", script, "--fleet", fleet, "--dry-run")
    assert done.returncode == 3
    assert done.stderr.count("it starts at the same place as robot 1") == 3
