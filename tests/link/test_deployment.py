"""Deployments on emulated robots, from the command line to the recording."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import dist
from pathlib import Path

import pytest
from rehearsals import CALM_PERIOD_S, CALM_RAMP, LINE, assert_safe, rehearse, run, run_in_step, write_fleet, write_scene

import pybuzz
from pybuzz.emulator.process import EmulatorProcess
from pybuzz.recording import Recording

ATTEMPTS = 3

OPEN_LOOP = """\
function init() { t = 0 }
function step() {
  t = t + 1
  if(t <= 6) set_wheels(10.0, 10.0)
  else if(t <= 12) set_wheels(-4.0, 4.0)
  else if(t <= 18) set_wheels(12.0, 6.0)
  else set_wheels(0.0, 0.0)
  if(t == 4) {
    set_leds(255, 0, 0)
    log("ahead ", proximity[0].value, " raw ", proximity[0].raw > 50)
  }
}
"""
TICKS = 22


@dataclass(frozen=True)
class Rehearsal:
    """The emulator as the deployment left it, what that printed, and its recording."""

    emulator: EmulatorProcess
    output: str
    recording: Path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("five")


@pytest.fixture(scope="module")
def scene(folder: Path) -> Path:
    return write_scene(folder, OPEN_LOOP, 5, LINE.replace("ticks_per_second: 10", "ticks_per_second: 4"))


@pytest.fixture(scope="module", params=["tcp", "pty"])
def rehearsal(folder: Path, scene: Path, request: pytest.FixtureRequest) -> Iterator[Rehearsal]:
    """Five emulated robots on which the open-loop script has run.

    A step that comes late all the same is taken a period later, and tells nothing about where a timely one ends.
    """
    for attempt in range(ATTEMPTS):
        record = folder / f"{request.param}{attempt}"
        with rehearse(scene, folder, "--stepped", terminals=request.param == "pty") as emulator:
            fleet = write_fleet(folder, emulator.urls, emulator.starts, period=str(CALM_PERIOD_S))
            done = run_in_step(
                emulator,
                "deploy", scene.with_name("script.bzz"), "--fleet", fleet, "--seconds", 6, "--record", record,
            )  # fmt: skip
            if "further ones are only counted" not in done.stderr:
                assert done.returncode == 0, done.stderr
                yield Rehearsal(emulator, done.stdout, record)
                return
    pytest.fail(f"{ATTEMPTS} times a step came late: {done.stderr}")


def test_an_open_loop_script_ends_within_1_cm_of_the_bridge_in_simulation(rehearsal: Rehearsal, scene: Path) -> None:
    with pybuzz.load(scene) as experiment:
        experiment.run(ticks=TICKS)
        expected = {robot.number: robot.pose for robot in experiment.robots.values()}
    found = rehearsal.emulator.poses()
    for robot, (x, y, yaw) in expected.items():
        assert found[robot][:2] == pytest.approx((x, y), abs=0.01)
        assert found[robot][2] == pytest.approx(yaw, abs=0.02)


def test_the_log_keeps_all_rules(rehearsal: Rehearsal) -> None:
    assert_safe(rehearsal.emulator.log(), ramp=CALM_RAMP)


def test_the_recording_opens_as_any_other(rehearsal: Rehearsal) -> None:
    recording = Recording.open(rehearsal.recording)
    assert recording.status == "completed"
    assert recording.poses.shape == (25, 5, 3)
    assert list(recording.leds[20, :, 0]) == [255] * 5
    for row, (x, y, _) in enumerate(rehearsal.emulator.poses().values()):
        assert recording.poses[-1, row, :2] == pytest.approx((x, y), abs=0.005)


def test_log_lines_carry_the_robots_names_and_stdout_holds_nothing_else(rehearsal: Rehearsal) -> None:
    assert sorted(rehearsal.output.splitlines()) == [f"[kh{robot}] ahead 0 raw 1" for robot in range(1, 6)]


def test_lights_are_out_and_motors_idle_at_the_end(rehearsal: Rehearsal) -> None:
    for robot in rehearsal.emulator.ask("state")["robots"]:
        assert robot["lights"] == [0] * 9
        assert robot["mode"] == 0
        assert not robot["connected"]


def test_left_and_right_are_not_exchanged(rehearsal: Rehearsal) -> None:
    """The script turns left on the spot, then drives a bend to the right: K of the lights is the same for all."""
    lines = {entry.line for entry in rehearsal.emulator.log() if entry.kind == "received"}
    assert "D,-59,59" in lines
    assert "D,177,88" in lines
    assert "K,63,0,0,63,0,0,63,0,0" in lines


@pytest.mark.long
@pytest.mark.parametrize("terminals", [False, True], ids=["tcp", "pty"])
def test_in_real_time_at_10_hz_it_ends_within_1_cm_too(tmp_path: Path, terminals: bool) -> None:
    """The machine must be quiet: an order that comes 0.1 s late is 1 cm."""
    script = OPEN_LOOP.replace("<= 6", "<= 20").replace("<= 12", "<= 40").replace("<= 18", "<= 60")
    scene = write_scene(tmp_path, script, robots=5)
    with rehearse(scene, tmp_path, terminals=terminals) as emulator, pybuzz.load(scene) as experiment:
        fleet = write_fleet(tmp_path, emulator.urls, emulator.starts)
        done = run("deploy", tmp_path / "script.bzz", "--fleet", fleet, "--seconds", 9)
        assert done.returncode == 0, done.stderr
        experiment.run(ticks=80)
        found = emulator.poses()
    errors = [100 * dist(found[robot.number][:2], robot.pose[:2]) for robot in experiment.robots.values()]
    print("cm:", errors)
    assert max(errors) < 1.0
