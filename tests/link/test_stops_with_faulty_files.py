"""`pybuzz stop` with fleet files that are faulty, moved or cut: what can be stopped is stopped first."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rehearsals import Share, keeper_of, run, start, wait_until, wait_until_driving, write_fleet

from pybuzz.emulator.process import EmulatorProcess
from pybuzz.link.control import ControlServer, known_deployments
from pybuzz.link.fleet_file import read_fleet
from pybuzz.link.salvage import read_for_stop

FORWARD = "function init() { }\nfunction step() { set_wheels(12.0, 12.0) }\n"


@pytest.fixture(scope="module")
def emulator(hall: EmulatorProcess) -> Share:
    return Share(hall, 20, 21)


@pytest.fixture
def fleet(tmp_path: Path, emulator: Share, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """With a temporary folder of its own: `--all` must not reach other tests."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    path = write_fleet(tmp_path, emulator.urls, emulator.starts)
    text = path.read_text()
    yield path
    path.write_text(text)
    run("stop", "--fleet", path)
    wait_until(lambda: not any(robot["connected"] for robot in emulator.states()))


def deployed(emulator: Share, fleet: Path) -> subprocess.Popen[str]:
    (fleet.parent / "running.bzz").write_text(FORWARD)
    begin = time.monotonic()
    process = start("deploy", fleet.parent / "running.bzz", "--fleet", fleet, start_new_session=True)
    wait_until_driving(emulator, process, begin=begin)
    return process


def turning(emulator: Share) -> list[int]:
    return [robot["robot"] for robot in emulator.states() if max(map(abs, robot["speeds"])) > 3.0]


def misspelt(text: str) -> str:
    return text + "limit: {wheel_speed: 10}\n"


def without_calibration(text: str) -> str:
    return text.replace("}", ", calibration: none.yaml}")


def without_script(text: str) -> str:
    return text.replace("}", ", script: none.bzz}")


def cut(text: str) -> str:
    return text[: text.rindex("tcp://") + 9]


def with_one_link_twice(text: str) -> str:
    first, second = (line for line in text.splitlines() if "link" in line)
    return text.replace(second, first.replace("id: 20", "id: 21"))


def test_a_deployment_is_stopped_by_the_path_of_a_cut_or_missing_file(emulator: Share, fleet: Path) -> None:
    text = fleet.read_text()
    process = deployed(emulator, fleet)
    fleet.write_text(cut(text))
    done = run("stop", "--fleet", fleet)
    assert turning(emulator) == [], done.stderr
    assert done.returncode == 3
    assert done.stdout.count("stopped (deployment)") == 2
    assert "fleet.yaml" in done.stderr
    process.communicate(timeout=60)


def test_a_deployment_whose_file_was_renamed_is_found_by_its_links(emulator: Share, fleet: Path) -> None:
    process = deployed(emulator, fleet)
    renamed = fleet.rename(fleet.with_name("other.yaml"))
    done = run("stop", "--fleet", renamed)
    assert turning(emulator) == [], done.stderr
    assert (done.returncode, done.stdout.count("stopped (deployment)")) == (0, 2)
    process.communicate(timeout=60)


def test_all_stops_whatever_is_driven_from_this_computer(emulator: Share, fleet: Path) -> None:
    process = deployed(emulator, fleet)
    fleet.unlink()
    done = run("stop", "--all")
    assert turning(emulator) == [], done.stderr
    assert (done.returncode, done.stdout.count("stopped (deployment)")) == (0, 2)
    process.communicate(timeout=60)
    assert "no deployment runs" in run("stop", "--all").stdout


def test_all_stops_what_a_killed_deployment_left_driving(emulator: Share, fleet: Path) -> None:
    process = deployed(emulator, fleet)
    keeper = keeper_of(process)
    os.kill(process.pid, signal.SIGSTOP)
    os.kill(keeper, signal.SIGKILL)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=60)
    assert turning(emulator) == [20, 21]
    done = run("stop", "--all")
    assert turning(emulator) == [], done.stderr
    assert (done.returncode, done.stdout.count("stopped (link)")) == (0, 2)
    assert known_deployments() == []


@pytest.mark.parametrize(("mistake", "code"), [(misspelt, 0), (with_one_link_twice, 3)])
def test_mistakes_are_told_after_the_stop(
    mistake: Callable[[str], str], code: int, emulator: Share, fleet: Path
) -> None:
    fleet.write_text(mistake(fleet.read_text()))
    done = run("stop", "--fleet", fleet)
    assert done.returncode == code, done.stderr
    assert "stopped (link)" in done.stdout
    assert "fleet.yaml:" in done.stderr


@pytest.mark.parametrize("mistake", [misspelt, without_calibration, without_script])
def test_mistakes_that_do_not_hide_a_robot_leave_the_file_whole(mistake: Callable[[str], str], fleet: Path) -> None:
    robots = read_fleet(fleet).robots
    fleet.write_text(mistake(fleet.read_text()))
    found = read_for_stop(fleet)
    assert found.error is not None
    assert found.is_whole
    assert [(one.id, one.name, one.link) for one in found.robots] == [(one.id, one.name, one.link) for one in robots]


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ('robots:\n  - {id: 1, link: "tcp://a:1"}\n  - {id: 2, link: "tcp://b', ["tcp://a:1"]),
        ("robots:\n  - id: 1\n    link: tcp://a:1\n  - id: 2\n    lnk: tcp://b:1\n   x", ["tcp://a:1", "tcp://b:1"]),
        ("robots: [{id: 1, link: 'tcp://a:1'}, {id: 2, link: 'tcp://a:1'}]", ["tcp://a:1", "tcp://a:1"]),
        ("robots: [{id: 1, link: 'tcp://a:1'}, {id: 2, link: 'what'}]", ["tcp://a:1"]),
        ("robots: [{id: 1, link: 'tcp://a:1'}, {id: 2}]", ["tcp://a:1"]),
        ("robots:\n  - {id: 1, link: what, relay: 'tcp://a:7001'}", [""]),
        ("# - {id: 1, link: tcp://a:1}\nrobots: [{id: 2, link: tcp://b:1, what: 1}, {id: 3", ["tcp://b:1"]),
        ("\x00", []),
        ("", []),
    ],
)
def test_what_can_be_read_is_taken_and_the_rest_is_known_to_be_missing(
    text: str, links: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "fleet.yaml"
    path.write_text(text)
    found = read_for_stop(path)
    assert [robot.link.text for robot in found.robots] == links
    assert not found.is_whole
    assert found.error is not None


def test_a_file_that_is_not_there_and_that_nothing_runs_with_ends_with_3(fleet: Path) -> None:
    done = run("stop", "--fleet", fleet.with_name("nothing.yaml"))
    assert done.returncode == 3
    assert "no robot was found" in done.stdout
    assert "cannot be read" in done.stderr


def test_a_control_file_names_the_robots(fleet: Path) -> None:
    robots = read_fleet(fleet).robots
    server = ControlServer(str(fleet), lambda _order: {}, robots)
    (known,) = known_deployments()
    server.close()
    assert known.fleet == str(fleet.resolve())
    assert [(one.id, one.link) for one in known.robots] == [(one.id, one.link) for one in robots]
