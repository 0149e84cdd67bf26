"""Whole deployments against emulated robots: the command in a process of its own, the emulator's log to judge by."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

from pybuzz.cli.app import run_app
from pybuzz.emulator.assertions import Bounds, faults, zero_since
from pybuzz.emulator.journal import Entry
from pybuzz.emulator.process import EmulatorProcess

Result = TypeVar("Result")

ROOT = Path(__file__).parents[2]
MAX_ORDER = 295
RAMP = 30
CALM_PERIOD_S = 0.25
"""Long enough for every step to come in time on a busy machine; and what an order may then change."""
CALM_RAMP = 75
LEAST_TIMEOUT_S = 0.19
"""A reply is waited for 0.3 s; the last try before a link counts as lost is cut short at 0.5 s, and a pause follows."""
HANDOVERS = 4
"""From the terminal to the process with the scripts, to that with the links, to its thread, to the robot."""
_LOG_LAG_S = 0.3
"""The emulator's log is complete so long ago, on a busy machine too."""

LINE = """\
experiment: {ticks_per_second: 10, length: 60, seed: 1}
arena: {size: [4, 4], walls: true}
robots:
  - {kind: kheperaiv, script: script.bzz, drive: bridge, count: COUNT,
     place: {grid: {center: [0, 0], distances: [0.6, 0.6], layout: [5, 4]}}, yaw: 90}
"""

HALL = """\
experiment: {ticks_per_second: 10, length: 60, seed: 1}
arena: {size: [16, 16], walls: true}
robots:
  - {kind: kheperaiv, script: script.bzz, count: COUNT, yaw: 90,
     place: {grid: {center: [0, 0], distances: [3, 3], layout: [5, 5]}}}
"""

FORWARD = "function init() {}\nfunction step() { set_wheels(10.0, 10.0) }\n"


def rehearse(target: Path, folder: Path, *arguments: str, terminals: bool = False) -> EmulatorProcess:
    """The emulated robots of an experiment, which keep real time."""
    return EmulatorProcess(target, folder, *arguments, terminals=terminals)


class Share:
    """Some robots of an emulator, for tests that leave the others to others."""

    def __init__(self, emulator: EmulatorProcess, *robots: int) -> None:
        self._emulator = emulator
        self.urls = {robot: emulator.urls[robot] for robot in robots}
        self.starts = {robot: emulator.starts[robot] for robot in robots}

    def log(self) -> list[Entry]:
        """What was said and done on these robots, and what the emulator says about itself."""
        return [entry for entry in self._emulator.log() if entry.robot in (0, *self.urls)]

    def states(self) -> list[dict[str, Any]]:
        """The truth about them."""
        return [robot for robot in self._emulator.ask("state")["robots"] if robot["robot"] in self.urls]

    def poses(self) -> dict[int, tuple[float, float, float]]:
        return {robot["robot"]: tuple(robot["pose"]) for robot in self.states()}

    def fault(self, text: str) -> None:
        """As `EmulatorProcess.fault`; ends with `clear`."""
        self._emulator.fault(text)

    def clear(self) -> None:
        for robot in self.urls:
            self._emulator.ask("clear", robot=robot)


Emulated = EmulatorProcess | Share


def write_scene(folder: Path, script: str = FORWARD, robots: int = 1, scene: str = LINE) -> Path:
    """An experiment with its script; the path of the experiment."""
    (folder / "script.bzz").write_text(script)
    path = folder / "scene.yaml"
    path.write_text(scene.replace("COUNT", str(robots)))
    return path


def write_fleet(
    folder: Path, urls: dict[int, str], starts: dict[int, Sequence[float]], extra: str = "", **keys: str
) -> Path:
    """A fleet file; keys: further ones of every robot, extra: further sections."""
    lines = ["robots:"]
    for robot, url in urls.items():
        x, y, yaw = starts[robot]
        more = "".join(f", {key}: {value}" for key, value in keys.items())
        degrees = yaw * 180.0 / 3.141592653589793
        lines.append(f'  - {{id: {robot}, link: "{url}", start: [{x:.6f}, {y:.6f}, {degrees:.6f}]{more}}}')
    path = folder / "fleet.yaml"
    path.write_text("\n".join([*lines, extra]) + "\n")
    return path


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "pybuzz", *map(str, arguments)]


def start(*arguments: object, **options: object) -> subprocess.Popen[str]:
    """A command of pybuzz that runs on."""
    options = {
        "stdin": subprocess.DEVNULL,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        "text": True,
    } | options
    return subprocess.Popen(command(*arguments), cwd=ROOT, env=os.environ | {"PYTHONUNBUFFERED": "1"}, **options)  # type: ignore[call-overload, no-any-return]


def keeper_of(process: subprocess.Popen[str]) -> int:
    """The number of the process that holds the links of a deployment."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    keepers = [int(child) for child in children if b"pybuzz.link.keeper" in Path(f"/proc/{child}/cmdline").read_bytes()]
    assert len(keepers) == 1, children
    return keepers[0]


def run_here(capsys: pytest.CaptureFixture[str], *arguments: object) -> subprocess.CompletedProcess[str]:
    """A command of pybuzz in this process, to its end: for what begins no run, and sooner."""
    capsys.readouterr()
    texts = list(map(str, arguments))
    code = run_app(texts)
    return subprocess.CompletedProcess(texts, code, *capsys.readouterr())


def run(*arguments: object, timeout: float = 90.0) -> subprocess.CompletedProcess[str]:
    """A command of pybuzz, to its end."""
    return subprocess.run(
        command(*arguments), cwd=ROOT, text=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout,
        check=False,
    )  # fmt: skip


def run_in_step(emulator: EmulatorProcess, *arguments: object) -> subprocess.CompletedProcess[str]:
    """A deployment on a stepped emulator: a calm period passes for the robots when each has had one more order.

    So how late an order comes on a busy machine does not change where robots end.
    """
    process, passed, seen = start(*arguments), 0, 0
    ordered = dict.fromkeys(emulator.urls, 0)
    while process.poll() is None:
        log = emulator.log()
        for entry in log[seen:]:
            if entry.kind == "received" and entry.letter == "D":
                ordered[entry.robot] += 1
        seen = len(log)
        if min(ordered.values()) > passed:
            emulator.ask("step", seconds=CALM_PERIOD_S)
            passed += 1
        elif not any(ordered.values()):
            emulator.ask("step", seconds=0.01)  # Sensors that repeat themselves count as dead.
        time.sleep(0.005)
    output, errors = process.communicate()
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


def wait_until(true: Callable[[], bool], timeout: float = 60.0) -> None:
    end = time.monotonic() + timeout
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


class Lateness:
    """How late this machine wakes a thread that does nothing else: what no program on it can be better than."""

    def __init__(self) -> None:
        self._seen: list[tuple[float, float]] = []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Lateness:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._ended.set()
        self._thread.join()

    def since(self, moment: float) -> list[float]:
        """Some hundred a second, in s; some 0.1 ms each when the machine is idle."""
        return [late for at, late in self._seen if at >= moment]

    def allows(self, limit_s: float, moment: float, emulator: Emulated) -> float:
        """The limit for something that begins then and is handed from process to process a few times."""
        behind = [e.details["seconds"] for e in emulator.log() if e.kind == "late" and e.t >= moment]
        return limit_s + HANDOVERS * max(self.since(moment), default=0.0) + max(behind, default=0.0)

    def _watch(self) -> None:
        while not self._ended.is_set():
            due = time.monotonic() + 0.01
            time.sleep(0.01)
            now = time.monotonic()
            self._seen.append((now, now - due))


def undisturbed(emulator: Emulated, attempt: Callable[[], Result]) -> Result:
    """What comes of the first attempt during which the emulator was not held up, or of the third."""
    for _ in range(2):
        begin = time.monotonic()
        result = attempt()
        if not any(entry.kind == "late" for entry in since(emulator, begin)):
            return result
    return attempt()


def wait_until_driving(emulator: Emulated, process: subprocess.Popen[str], least: int = 5, begin: float = 0.0) -> None:
    """Until the deployment has given every robot so many orders to move, after `begin`. The first run compiles much."""

    def are_driving() -> bool:
        assert process.poll() is None, process.communicate()[1]
        log = since(emulator, begin)
        return all(len(driving(log, robot)) >= least for robot in emulator.urls)

    wait_until(are_driving, timeout=150.0)


def driving(log: Sequence[Entry], robot: int) -> list[Entry]:
    return [entry for entry in orders(log, robot) if entry.line != "D,0,0"]


def orders(log: Sequence[Entry], robot: int) -> list[Entry]:
    """Its wheel orders, in time."""
    return [entry for entry in log if entry.robot == robot and entry.kind == "received" and entry.letter == "D"]


def since(emulator: Emulated, moment: float) -> list[Entry]:
    """The log from then on."""
    time.sleep(_LOG_LAG_S)
    return [entry for entry in emulator.log() if entry.t >= moment]


def time_to_stop(emulator: Emulated, moment: float, timeout: float = 30.0) -> float:
    """How long after `moment` the last robot that was driving was ordered to stop for good. Waits for it."""

    def stops() -> list[float | None]:
        log = emulator.log()
        return [zero_since(log, robot, moment) for robot in emulator.urls]

    time.sleep(_LOG_LAG_S)
    wait_until(lambda: None not in stops(), timeout)
    return max(stop for stop in stops() if stop is not None) - moment


def assert_safe(log: Sequence[Entry], *, loses_links: bool = False, ramp: int = RAMP) -> None:
    """The properties that must hold in every log, however the run ended."""
    found = faults(_without_stalls(log), Bounds(MAX_ORDER, ramp, LEAST_TIMEOUT_S), loses_links=loses_links)
    assert not found, found


def _without_stalls(log: Sequence[Entry]) -> list[Entry]:
    """Without the input that was thrown away because the emulator itself stood still for longer than clients wait."""
    stalls = [(entry.t - entry.details["seconds"], entry.t + 0.1) for entry in log if entry.kind == "late"]
    return [
        entry for entry in log if entry.kind != "flushed" or not any(begin <= entry.t <= end for begin, end in stalls)
    ]
