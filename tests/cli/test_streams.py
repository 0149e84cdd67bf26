"""What happens to stdout, and to the process, from outside: readers that leave, full disks, Ctrl-C, kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

_TALKER = 'function init() { }\nfunction step() { i = 0 while(i < 20000) { log("line ", i) i = i + 1 } }\n'
_ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
_RUN = "run talk.bzz --robots 1 --seed 1 --ticks"


@pytest.fixture
def shell(tmp_path: Path):
    (tmp_path / "talk.bzz").write_text(_TALKER)
    (tmp_path / "letters.bzz").write_text('function init() { log("grün") }\nfunction step() { }\n')

    def run(arguments: str, redirection: str = "", **environment: str) -> tuple[int, str, str]:
        command = f"{sys.executable} -m pybuzz {arguments} {redirection}"
        done = subprocess.run(
            ["bash", "-c", f"set -o pipefail; {command}"], cwd=tmp_path, capture_output=True, text=True, timeout=200,
            env={**_ENVIRONMENT, **environment},
        )  # fmt: skip
        assert "Traceback" not in done.stderr
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.mark.parametrize("command", [f"{_RUN} 3", "exec --steps 3 talk.bzz"])
def test_a_reader_that_leaves_is_no_error(shell, command: str) -> None:
    code, out, err = shell(command, "| head -n 1")
    assert (code, "error" in err) == (0, False)
    assert out in {"[kh1] line 0\n", "line 0\n"}


@pytest.mark.parametrize("streams", ["|", "2>&1 |"])
def test_a_run_whose_reader_leaves_goes_on_to_its_own_end(shell, tmp_path: Path, streams: str) -> None:
    (tmp_path / "late.bzz").write_text(
        'function init() { t = 0 }\nfunction step() { log("line") t = t + 1 if(t == 300) { nothing() } }\n'
    )
    options = "--robots 1 --seed 1 --ticks 400 --record r"
    code, out, _ = shell(f"run late.bzz {options}", f"{streams} head -n 1")
    from pybuzz.recording import Recording

    recording = Recording.open(tmp_path / "r")
    assert (code, recording.status, len(recording.events)) == (1, "completed", 1)
    assert out.count("\n") == 1


def test_the_summary_of_a_run_that_nobody_reads_leaves_its_exit_code(shell, tmp_path: Path) -> None:
    (tmp_path / "fails.bzz").write_text("function init() { }\nfunction step() { nothing() }\n")
    assert shell("run fails.bzz --ticks 2 --json", "| true")[0] == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("command", [f"{_RUN} 3", "exec --steps 3 talk.bzz"])
def test_a_full_disk_is_named(shell, command: str) -> None:
    code, _, err = shell(command, "> /dev/full")
    assert code == 2
    assert "error: " in err
    assert "No space left on device" in err


@pytest.mark.parametrize("command", [f"{_RUN} 1", "exec --steps 1 talk.bzz"])
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_streams_are_no_error(shell, command: str, closed: str) -> None:
    assert shell(command, closed)[0] == 0


def test_letters_that_stdout_does_not_know_are_no_error(shell) -> None:
    code, out, _ = shell("run letters.bzz --robots 1 --ticks 1", PYTHONIOENCODING="ascii")
    assert (code, out) == (0, "[kh1] gr\\xfcn\n")


@pytest.mark.parametrize(
    ("signal_number", "code", "status"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGKILL, -9, "")]
)
def test_what_was_recorded_until_a_run_is_stopped_is_kept(
    tmp_path: Path, pybuzz, signal_number: int, code: int, status: str
) -> None:
    (tmp_path / "walk.bzz").write_text("function init() { }\nfunction step() { gotop(5.0, 0.1) }\n")
    options = ["--ticks", "10000000", "--record", "r", "--robots", "2"]
    command = [sys.executable, "-m", "pybuzz", "run", "walk.bzz", *options]
    process = subprocess.Popen(command, cwd=tmp_path, env=_ENVIRONMENT, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        time.sleep(0.2)
        if any(file.stat().st_size > 0 for file in (tmp_path / "r").rglob("*.parquet")):
            break
    time.sleep(1)
    process.send_signal(signal_number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert "Traceback" not in err
    assert ("interrupted" in err) == bool(status)
    answer = pybuzz("query", "r", "SELECT count(*) > 100 AS many FROM poses")
    assert (answer.code, "true" in answer.out.lower()) == (0, True)
    if status:
        import pybuzz as package

        assert package.Recording.open(tmp_path / "r").status == status


def test_an_end_of_file_that_nobody_foresaw_is_a_fault_and_not_an_interruption(pybuzz, write, monkeypatch) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise EOFError("no more data")

    write("x.bzz", "")
    monkeypatch.setattr("pybuzz.buzz.compile_program", fail)
    result = pybuzz("exec", "x.bzz")
    assert "fault of pybuzz: EOFError: no more data" in result.err
    assert result.code == 70
