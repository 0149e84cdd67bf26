"""Every way in which a deployment ends, and when the wheels stand. Times are those of the emulator's own log."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rehearsals import (
    FORWARD,
    Lateness,
    Share,
    assert_safe,
    keeper_of,
    orders,
    run,
    since,
    start,
    time_to_stop,
    wait_until,
    wait_until_driving,
    write_fleet,
)
from test_relay import DEAD_MAN_S, RelayProcess

from pybuzz.emulator.process import EmulatorProcess

HEALTHY_S = 0.2
PERIOD_S = 0.1

ENDLESS = """\
function init() { t = 0 }
function step() {
  t = t + 1
  set_wheels(10.0, 10.0)
  if(t == 15) { log("looping") while(1) { t = t + 1 } }
}
"""
FAILING = """\
function init() { t = 0 }
function step() {
  t = t + 1
  set_wheels(10.0, 10.0)
  if(t == 15) { log("failing") nothing.here() }
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("stopping")


@pytest.fixture(scope="module")
def emulator(hall: EmulatorProcess) -> Share:
    return Share(hall, 10, 11)


@pytest.fixture(scope="module")
def fleet(folder: Path, emulator: Share) -> Path:
    return write_fleet(folder, emulator.urls, emulator.starts)


@pytest.fixture(autouse=True)
def _free(emulator: Share) -> Iterator[None]:
    """Every test begins and ends with robots that nobody holds."""
    yield
    wait_until(lambda: not any(robot["connected"] for robot in emulator.states()))


def deployed(folder: Path, fleet: Path, script: str = FORWARD) -> subprocess.Popen[str]:
    path = folder / "running.bzz"
    path.write_text(script)
    return start("deploy", path, "--fleet", fleet, start_new_session=True)


def send_to_both(process: subprocess.Popen[str], number: signal.Signals) -> int:
    """A signal to the process of the scripts and to the keeper, whose number is returned.

    The keeper is in a session of its own; it stands still first, so that it cannot answer what happens to the other.
    """
    keeper = keeper_of(process)
    os.kill(keeper, signal.SIGSTOP)
    process.send_signal(number)
    os.kill(keeper, number)
    return keeper


def code_of(errors: str, code: int) -> int:
    """The exit code of a deployment; a machine that stands still for half a second loses links, which is 3."""
    return 3 if "the link is lost" in errors else code


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGINT,
        pytest.param(signal.SIGTERM, marks=pytest.mark.long),
        pytest.param(signal.SIGHUP, marks=pytest.mark.long),
        pytest.param(signal.SIGQUIT, marks=pytest.mark.long),
        signal.SIGTSTP,
    ],
    ids=lambda number: number.name,
)
def test_a_signal_stops_all_robots_at_once(
    emulator: Share, folder: Path, fleet: Path, number: signal.Signals, lateness: Lateness
) -> None:
    begin = time.monotonic()
    process = deployed(folder, fleet)
    wait_until_driving(emulator, process, begin=begin)
    sent = time.monotonic()
    process.send_signal(number)
    _, errors = process.communicate(timeout=20)
    log = since(emulator, begin)
    assert time_to_stop(emulator, sent) < lateness.allows(HEALTHY_S, sent, emulator)
    assert process.returncode == code_of(errors, 130), errors
    assert number.name in errors
    assert_safe(log)


@pytest.mark.long
def test_ctrl_c_of_a_terminal_stops_all_robots(emulator: Share, folder: Path, fleet: Path, lateness: Lateness) -> None:
    begin = time.monotonic()
    process = deployed(folder, fleet)
    wait_until_driving(emulator, process, begin=begin)
    sent = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 130
    assert time_to_stop(emulator, sent) < lateness.allows(HEALTHY_S, sent, emulator)
    assert_safe(since(emulator, begin))


def test_a_script_error_stops_the_robots_and_the_run(
    emulator: Share, folder: Path, fleet: Path, lateness: Lateness
) -> None:
    begin = time.monotonic()
    process = deployed(folder, fleet, FAILING)
    failed_at = _time_of_line(process, "failing")
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 1
    assert "running.bzz:5" in errors
    log = since(emulator, begin)
    assert time_to_stop(emulator, failed_at) < lateness.allows(HEALTHY_S, failed_at, emulator)
    assert_safe(log)


def test_an_endless_loop_is_stopped_by_the_second_missed_period(
    emulator: Share, folder: Path, fleet: Path, lateness: Lateness
) -> None:
    process = deployed(folder, fleet, ENDLESS)
    looping_at = _time_of_line(process, "looping")
    assert time_to_stop(emulator, looping_at) < lateness.allows(2 * PERIOD_S + HEALTHY_S, looping_at, emulator)
    process.kill()
    process.communicate(timeout=20)


@pytest.mark.long
def test_end_of_stdin_stops_all_robots(emulator: Share, folder: Path, fleet: Path, lateness: Lateness) -> None:
    begin = time.monotonic()
    path = folder / "running.bzz"
    path.write_text(FORWARD)
    process = start("deploy", path, "--fleet", fleet, stdin=subprocess.PIPE)
    wait_until_driving(emulator, process, begin=begin)
    assert process.stdin is not None
    closed = time.monotonic()
    process.stdin.close()
    process.stdin = None
    process.communicate(timeout=20)
    assert time_to_stop(emulator, closed) < lateness.allows(HEALTHY_S + PERIOD_S, closed, emulator)


def test_pybuzz_stop_stops_a_deployment_that_is_alive(emulator: Share, folder: Path, fleet: Path) -> None:
    begin = time.monotonic()
    process = deployed(folder, fleet)
    wait_until_driving(emulator, process, begin=begin)
    done = run("stop", "--fleet", fleet, "--json")
    _, errors = process.communicate(timeout=20)
    assert done.returncode == 0
    assert [robot["way"] for robot in json.loads(done.stdout)] == ["deployment"] * 2, (done.stdout, errors)
    assert process.returncode == code_of(errors, 130), errors
    assert "pybuzz stop" in errors
    assert_safe(since(emulator, begin))


@pytest.mark.long
def test_pybuzz_stop_takes_less_than_200_ms_from_the_order_on(
    emulator: Share, folder: Path, fleet: Path, lateness: Lateness
) -> None:
    from pybuzz.link.control import ask_running_deployment

    begin = time.monotonic()
    process = deployed(folder, fleet)
    wait_until_driving(emulator, process, begin=begin)
    sent = time.monotonic()
    assert ask_running_deployment(str(fleet), "stop", 5.0) is not None
    assert time_to_stop(emulator, sent) < lateness.allows(HEALTHY_S, sent, emulator)
    process.communicate(timeout=20)


@pytest.mark.long
def test_pybuzz_stop_stops_a_deployment_whose_script_process_hangs(
    emulator: Share, folder: Path, fleet: Path, lateness: Lateness
) -> None:
    begin = time.monotonic()
    process = deployed(folder, fleet)
    wait_until_driving(emulator, process, begin=begin)
    process.send_signal(signal.SIGSTOP)
    hung = time.monotonic()
    assert time_to_stop(emulator, hung) < lateness.allows(3 * PERIOD_S + HEALTHY_S, hung, emulator)
    done = run("stop", "--fleet", fleet, "--json")
    assert [robot["way"] for robot in json.loads(done.stdout)] == ["deployment"] * 2
    process.kill()
    process.communicate(timeout=20)


@pytest.mark.long
def test_kill_9_of_the_script_process_leaves_the_keeper_to_stop_the_robots(
    emulator: Share, folder: Path, fleet: Path, lateness: Lateness
) -> None:
    begin = time.monotonic()
    process = deployed(folder, fleet)
    wait_until_driving(emulator, process, begin=begin)
    killed = time.monotonic()
    process.kill()
    assert time_to_stop(emulator, killed) < lateness.allows(HEALTHY_S, killed, emulator)
    process.communicate(timeout=20)


@pytest.mark.long
def test_kill_9_of_everything_leaves_turning_wheels_that_pybuzz_stop_reaches_directly(
    emulator: Share, folder: Path, fleet: Path
) -> None:
    begin = time.monotonic()
    process = deployed(folder, fleet)
    wait_until_driving(emulator, process, begin=begin)
    send_to_both(process, signal.SIGKILL)
    process.communicate(timeout=20)
    assert _orders_now(emulator) == [[147, 147]] * 2, "nothing on a robot without relay stops it"
    done = run("stop", "--fleet", fleet)
    assert done.returncode == 0
    assert done.stdout.count("stopped (link)") == 2
    assert _orders_now(emulator) == [[0, 0]] * 2


def test_a_fleet_that_nobody_reaches_is_exit_code_3(tmp_path: Path) -> None:
    fleet = write_fleet(tmp_path, {7: "tcp://127.0.0.1:1"}, {7: (0.0, 0.0, 0.0)})
    done = run("stop", "--fleet", fleet)
    assert done.returncode == 3
    assert "robot 7 kh7 (tcp://127.0.0.1:1): not reached: connection refused; switch it off by hand" in done.stdout


def _orders_now(emulator: Share) -> list[list[int]]:
    return [robot["orders"] for robot in emulator.states()]


def _time_of_line(process: subprocess.Popen[str], word: str) -> float:
    assert process.stdout is not None
    for line in process.stdout:
        if word in line:
            return time.monotonic()
    raise AssertionError(f"it never said {word}")


# Through the relay


@pytest.fixture
def relayed(terminal: EmulatorProcess, tmp_path: Path) -> Iterator[Path]:
    """A fleet file of the robot behind its relay."""
    with RelayProcess(terminal.urls[1].removeprefix("serial://").split("?")[0]) as (port, stop_port):
        urls = {1: f"tcp://127.0.0.1:{port}"}
        yield write_fleet(tmp_path, urls, terminal.starts, relay=f'"tcp://127.0.0.1:{stop_port}"')


def test_kill_9_of_everything_stops_the_wheels_through_the_relay(
    terminal: EmulatorProcess, tmp_path: Path, relayed: Path, lateness: Lateness
) -> None:
    begin = time.monotonic()
    process = deployed(tmp_path, relayed)
    wait_until_driving(terminal, process, begin=begin)
    killed = time.monotonic()
    send_to_both(process, signal.SIGKILL)
    process.communicate(timeout=20)
    assert time_to_stop(terminal, killed) < lateness.allows(DEAD_MAN_S, killed, terminal)


@pytest.mark.long
def test_a_frozen_computer_stops_the_wheels_through_the_relay(
    terminal: EmulatorProcess, tmp_path: Path, relayed: Path, lateness: Lateness
) -> None:
    """All processes stand still and the connection stays open: only the silence tells."""
    begin = time.monotonic()
    process = deployed(tmp_path, relayed)
    wait_until_driving(terminal, process, begin=begin)
    keeper = send_to_both(process, signal.SIGSTOP)
    frozen = time.monotonic()
    assert time_to_stop(terminal, frozen) < lateness.allows(DEAD_MAN_S, frozen, terminal)
    done = run("stop", "--fleet", relayed, "--json")
    assert [robot["way"] for robot in json.loads(done.stdout)] == ["relay"]
    process.kill()
    os.kill(keeper, signal.SIGKILL)
    process.communicate(timeout=20)


@pytest.mark.long
def test_check_relay_says_whether_it_is_there(terminal: EmulatorProcess, tmp_path: Path, relayed: Path) -> None:
    script = tmp_path / "script.bzz"
    script.write_text(FORWARD)
    assert run("deploy", script, "--fleet", relayed, "--dry-run", "--check-relay").returncode == 0
    without = write_fleet(tmp_path, {1: relayed.read_text().split('"')[1]}, terminal.starts)
    done = run("deploy", script, "--fleet", without, "--dry-run", "--check-relay")
    assert done.returncode == 3
    assert "the fleet file names no relay for it" in done.stderr


@pytest.mark.long
def test_the_orders_of_a_whole_deployment_pass_the_relay(
    terminal: EmulatorProcess, tmp_path: Path, relayed: Path
) -> None:
    begin = time.monotonic()
    script = tmp_path / "script.bzz"
    script.write_text(FORWARD)
    assert run("deploy", script, "--fleet", relayed, "--seconds", 2).returncode == 0
    assert len(orders(since(terminal, begin), 1)) >= 15
    assert_safe(since(terminal, begin))
