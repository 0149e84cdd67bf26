"""Where the input of a deployment comes from: its end stops the robots; a background job leaves the terminal alone."""

from __future__ import annotations

import os
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from rehearsals import ROOT, Share, command, run, start, wait_until, wait_until_driving, write_fleet

from pybuzz.emulator.process import EmulatorProcess

FORWARD = "function init() { }\nfunction step() { set_wheels(8.0, 8.0) }\n"
TALKS = "function init() { }\nfunction step() { set_wheels(8.0, 8.0) log(1) }\n"


@pytest.fixture(scope="module")
def emulator(hall: EmulatorProcess) -> Share:
    return Share(hall, 22)


@pytest.fixture
def fleet(tmp_path: Path, emulator: Share) -> Iterator[Path]:
    path = write_fleet(tmp_path, emulator.urls, emulator.starts)
    (tmp_path / "forward.bzz").write_text(FORWARD)
    (tmp_path / "talks.bzz").write_text(TALKS)
    yield path
    run("stop", "--fleet", path)
    wait_until(lambda: not any(robot["connected"] for robot in emulator.states()))


def stands(emulator: Share) -> bool:
    return not any(abs(speed) > 3.0 for robot in emulator.states() for speed in robot["speeds"])


def test_the_end_of_a_socket_as_input_stops_the_robots(emulator: Share, fleet: Path) -> None:
    begin = time.monotonic()
    ours, theirs = socket.socketpair()
    with closing(ours), closing(theirs):
        process = start("deploy", fleet.parent / "forward.bzz", "--fleet", fleet, stdin=theirs.fileno())
        wait_until_driving(emulator, process, begin=begin)
    _, errors = process.communicate(timeout=60)
    assert "stopped at the terminal" in errors
    assert process.returncode == 130
    assert stands(emulator)


def test_who_ends_the_reader_of_the_log_stops_the_robots(emulator: Share, fleet: Path) -> None:
    begin = time.monotonic()
    process = start("deploy", fleet.parent / "talks.bzz", "--fleet", fleet)
    wait_until_driving(emulator, process, begin=begin)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    assert process.wait(60) == 130, errors
    assert "nobody reads the log any more" in errors
    assert "1 of 1 robots confirmed their stop" in errors
    assert stands(emulator)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal")
def test_a_job_in_the_background_is_not_suspended_by_its_terminal(tmp_path: Path) -> None:
    import fcntl
    import pty
    import termios

    (tmp_path / "forward.bzz").write_text(FORWARD)
    fleet = write_fleet(tmp_path, {1: "tcp://127.0.0.1:1"}, {1: (0.0, 0.0, 0.0)})
    deploy = shlex.join(command("deploy", tmp_path / "forward.bzz", "--fleet", fleet, "--dry-run"))
    master, slave = pty.openpty()
    shell = subprocess.Popen(
        ["bash", "-mc", f"{deploy} 2> {tmp_path}/errors & wait $!; echo $? > {tmp_path}/code; kill -9 $! 2> /dev/null"],
        stdin=slave, stdout=slave, stderr=slave, start_new_session=True, cwd=ROOT,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )  # fmt: skip
    os.close(slave)
    shell.wait(60)
    os.close(master)
    assert "connection refused" in (tmp_path / "errors").read_text()
    assert (tmp_path / "code").read_text() == "3\n"
