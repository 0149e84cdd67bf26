"""`pybuzz robots`: values, single tests, survey and calibration, on emulated robots."""

from __future__ import annotations

import json
import math
import signal
import time
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from fake_robot import FakeRobot, good_reply
from rehearsals import Share, assert_safe, driving, run, run_here, since, start, undisturbed, wait_until, write_fleet

from pybuzz.emulator.process import EmulatorProcess
from pybuzz.khepera import load_model
from pybuzz.link.addresses import parse_address
from pybuzz.link.calibrating import Guide
from pybuzz.link.calibration import default_calibration
from pybuzz.link.session import Session

MODEL = load_model()
KNOWN = default_calibration(MODEL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("robots")


@pytest.fixture(scope="module")
def emulator(hall: EmulatorProcess) -> Share:
    return Share(hall, 1, 2)


@pytest.fixture(scope="module")
def fleet(folder: Path, emulator: Share) -> Path:
    return write_fleet(folder, emulator.urls, emulator.starts)


def test_values_of_all_robots_are_told(fleet: Path) -> None:
    done = run("robots", "--fleet", fleet, "--json")
    assert done.returncode == 0
    reports = json.loads(done.stdout)
    assert [report["firmware"] for report in reports] == ["B 5", "B 5"]
    assert [len(report["values"]["proximity"]) for report in reports] == [8, 8]
    assert all(0 < report["percent"] <= 100 for report in reports)
    assert all(report["findings"] == [] for report in reports)


def test_a_robot_that_does_not_answer_is_told_with_a_remedy_and_3(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = write_fleet(folder.parent, {5: "tcp://127.0.0.1:1"}, {5: (0.0, 0.0, 0.0)})
    done = run_here(capsys, "robots", "--fleet", gone)
    assert done.returncode == 3
    assert "robot 5 kh5 (tcp://127.0.0.1:1): no answer" in done.stdout
    assert "hint: start the relay on the robot" in done.stdout


def test_the_wheels_are_tested_one_by_one_and_end_where_they_began(
    emulator: Share, fleet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, begin = emulator.poses()[1], time.monotonic()
    done = undisturbed(emulator, lambda: run_here(capsys, "robots", "--fleet", fleet, "--robot", 1, "--wheels"))
    assert done.stdout == f"robot 1 kh1 ({emulator.urls[1]}): left wheel: good, right wheel: good\n"
    assert emulator.poses()[1][:2] == pytest.approx(before[:2], abs=0.01)
    assert_safe(since(emulator, begin))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP], ids=lambda n: n.name)
def test_a_signal_during_a_test_of_wheels_leaves_a_standing_robot(
    emulator: Share, fleet: Path, number: signal.Signals
) -> None:
    begin = time.monotonic()
    process = start("robots", "--fleet", fleet, "--robot", 1, "--wheels", start_new_session=True)
    wait_until(lambda: bool(driving(since(emulator, begin), 1)))
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "fault of pybuzz" not in errors
    assert [max(map(abs, robot["speeds"])) for robot in emulator.states()] == [0, 0]


def test_a_wheel_that_is_held_is_found(emulator: Share, fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    emulator.fault("2:stuck=left")
    arguments = ("robots", "--fleet", fleet, "--robot", 2, "--wheels", "--json")
    done = undisturbed(emulator, lambda: run_here(capsys, *arguments))
    emulator.clear()
    assert json.loads(done.stdout) == [{"robot": 2, "wheels": {"left": "hardly turns", "right": "good"}}]
    assert done.returncode == 3


def test_the_lights_are_shown_and_put_out(emulator: Share, fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begin = time.monotonic()
    assert run_here(capsys, "robots", "--fleet", fleet, "--robot", 1, "--leds").returncode == 0
    shown = [entry.line for entry in since(emulator, begin) if entry.kind == "received" and entry.letter == "K"]
    assert shown[:4] == [
        "K,63,0,0,63,0,0,63,0,0",
        "K,0,63,0,0,63,0,0,63,0",
        "K,0,0,63,0,0,63,0,0,63",
        "K,0,0,0,0,0,0,0,0,0",
    ]


def test_an_unknown_robot_is_wrong_usage(fleet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run_here(capsys, "robots", "--fleet", fleet, "--robot", 9)
    assert (done.returncode, "it has: 1, 2" in done.stderr) == (2, True)


def test_a_survey_answers_the_open_questions(
    folder: Path, fleet: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pybuzz.link.survey._RATE_S", 0.5)
    monkeypatch.setattr("sys.stdin", StringIO("y\n"))
    assert (
        run_here(capsys, "robots", "--fleet", fleet, "--robot", 1, "--survey", "-o", folder / "survey").returncode == 0
    )
    report = (folder / "survey" / "kh1.md").read_text()
    assert "`B` answers `62 2c 42 2c 35 0d 0a`" in report
    assert "`X` answers `128 bytes" in report
    assert "ultrasound switched off: (2000, 2000, 2000, 2000, 2000)" in report
    assert "`D N R`:" in report
    assert "After `D,0,0` the wheels stand within" in report


class Table:
    """A robot on a table: what its sensors say depends on what the person was asked to do last."""

    def __init__(self) -> None:
        self.asked = ""
        self.encoders = [0, 0]
        self.answers = {"really drive": "2.02", "really turn": "3650"}
        self.counted: dict[str, tuple[int, ...]] = {}
        self.said: list[str] = []

    def ask(self, text: str) -> str:
        self.asked = text
        self.counted |= {words: tuple(self.encoders) for words in self.answers if words in text}
        return next((answer for words, answer in self.answers.items() if words in text), "")

    def reply(self, line: str) -> bytes:
        if line[0] == "D":
            left, right = map(int, line[2:].split(","))
            self.encoders = [self.encoders[0] + 200 * left, self.encoders[1] + 200 * right]
        if line == "R":
            return f"r,{self.encoders[0]},{self.encoders[1]}\r\n".encode()
        if line == "N":
            ring = 700 if "paper" in self.asked else 90
            ground = 250 if "black" in self.asked else 940
            return ("n" + f",{ring}" * 8 + f",{ground}" * 4 + "\r\n").encode()
        if line == "O":
            return ("o" + (",800" if "lamp," in self.asked else ",60") * 12 + "\r\n").encode()
        return good_reply(line)


@pytest.fixture
def table() -> Iterator[tuple[Table, Guide]]:
    made = Table()
    robot = FakeRobot(made.reply, delay_s=0.0)
    session = Session(parse_address(robot.url))
    session.connect()
    yield made, Guide(session, MODEL, made.ask, made.said.append, sleep=lambda seconds: None)
    session.close()
    robot.close()


def test_proximity_is_calibrated_over_the_floor_and_before_paper(table: tuple[Table, Guide]) -> None:
    found = table[1].proximity(KNOWN)
    assert (found.proximity_floor, found.proximity_near, found.proximity_noise) == ((90,) * 8, (700,) * 8, (0.0,) * 8)


def test_ground_and_light_are_calibrated_between_their_ends(table: tuple[Table, Guide]) -> None:
    found = table[1].light(table[1].ground(KNOWN))
    assert (found.ground_black, found.ground_white) == ((250,) * 4, (940,) * 4)
    assert (found.light_dark, found.light_bright) == ((60,) * 8, (800,) * 8)


def test_wheels_are_scaled_by_what_a_person_measures(table: tuple[Table, Guide]) -> None:
    """2.02 m measured against what was counted; ten turns of 360 degrees measured as 3650."""
    made, guide = table
    wheels = guide.wheels(KNOWN).wheels
    metres = made.counted["really drive"][0] * MODEL.limits.pulse
    turn = made.counted["really turn"][1] - made.counted["really turn"][0]
    degrees = math.degrees(turn * MODEL.limits.pulse * wheels.left / MODEL.body.axle)
    assert metres == pytest.approx(2.0, abs=0.3)
    assert wheels.left == wheels.right == pytest.approx(2.02 / metres)
    assert wheels.axle == pytest.approx(degrees / 3650)


def test_what_is_left_out_is_kept(table: tuple[Table, Guide]) -> None:
    table[0].answers = {"[": "s"}
    guide = table[1]
    assert guide.wheels(guide.light(guide.ground(guide.proximity(KNOWN)))) == KNOWN


def test_a_lamp_that_changes_nothing_is_refused(table: tuple[Table, Guide]) -> None:
    made, _ = table
    robot = FakeRobot(lambda line: b"o" + b",60" * 12 + b"\r\n" if line == "O" else good_reply(line), delay_s=0.0)
    session = Session(parse_address(robot.url))
    session.connect()
    found = Guide(session, MODEL, made.ask, made.said.append, sleep=lambda seconds: None).light(KNOWN)
    session.close()
    robot.close()
    assert found.light_bright == KNOWN.light_bright
    assert any("hardly different" in text for text in made.said)


def test_calibrate_writes_the_file_and_says_where_it_belongs(
    folder: Path, fleet: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("s\n" * 20))
    done = run_here(capsys, "robots", "--fleet", fleet, "--robot", 1, "--calibrate")
    assert "now write  calibration: calibration/kh1.yaml  for this robot in the fleet file" in done.stdout
    assert "robot: 1" in (folder / "calibration" / "kh1.yaml").read_text()


@pytest.mark.parametrize("what", ["--calibrate", "--survey"])
def test_questions_that_nobody_answers_end_it_with_a_standing_robot(
    emulator: Share, fleet: Path, what: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO(""))
    begin = time.monotonic()
    done = run_here(capsys, "robots", "--fleet", fleet, "--robot", 1, what)
    assert (done.returncode, "the answers end before the questions" in done.stderr) == (2, True)
    assert_safe(since(emulator, begin))
