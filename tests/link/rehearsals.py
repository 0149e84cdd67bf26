"""Whole deployments against emulated robots: the command in a process of its own, the emulator's log to judge by."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

from pybuzz.emulator.journal import Entry
from pybuzz.emulator.process import EmulatorProcess

ROOT = Path(__file__).parents[2]
MAX_ORDER = 295
RAMP = 30

LINE = """\
experiment: {ticks_per_second: 10, length: 60, seed: 1}
arena: {size: [4, 4], walls: true}
robots:
  - {kind: kheperaiv, script: script.bzz, drive: bridge, count: COUNT,
     place: {grid: {center: [0, 0], distances: [0.6, 0.6], layout: [5, 4]}}, yaw: 90}
"""

FORWARD = "function init() {}\nfunction step() { set_wheels(10.0, 10.0) }\n"


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
    return subprocess.Popen(
        command(*arguments), cwd=ROOT, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env=os.environ | {"PYTHONUNBUFFERED": "1"}, **options,
    )  # type: ignore[call-overload, no-any-return]  # fmt: skip


def run(*arguments: object, timeout: float = 90.0) -> subprocess.CompletedProcess[str]:
    """A command of pybuzz, to its end."""
    return subprocess.run(
        command(*arguments), cwd=ROOT, text=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout,
        check=False,
    )  # fmt: skip


def wait_until(true: Callable[[], bool], timeout: float = 60.0) -> None:
    end = time.monotonic() + timeout
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


def wait_for_orders(emulator: EmulatorProcess, robots: int = 1, count: int = 5) -> None:
    """Until so many robots have been ordered to drive so often."""
    wait_until(lambda: sum(len(driving(emulator.log(), robot)) >= count for robot in emulator.urls) >= robots)


def driving(log: Sequence[Entry], robot: int) -> list[Entry]:
    return [entry for entry in orders(log, robot) if entry.line != "D,0,0"]


def orders(log: Sequence[Entry], robot: int) -> list[Entry]:
    """Its wheel orders, in time."""
    return [entry for entry in log if entry.robot == robot and entry.kind == "received" and entry.letter == "D"]


def stopped_at(log: Sequence[Entry], robot: int) -> float:
    """When the first zero order arrived after the last one that drives."""
    last = max(driving(log, robot), key=lambda entry: entry.t).t
    return min(entry.t for entry in orders(log, robot) if entry.t > last)


def assert_safe(log: Sequence[Entry], *, ends_acknowledged: bool = True) -> None:
    """What must hold in every log: properties 1 to 3 of the specification of fake robots."""
    for robot in {entry.robot for entry in log if entry.kind == "received"}:
        own = [entry for entry in log if entry.robot == robot]
        _assert_orders(orders(log, robot))
        assert not [entry for entry in own if entry.kind == "flushed"], "two requests without a reply in between"
        if ends_acknowledged:
            for entry in own:
                if entry.kind == "disconnected":
                    assert (entry.details["left"], entry.details["right"]) == (0, 0)


def _assert_orders(entries: Sequence[Entry]) -> None:
    pairs = [tuple(map(int, entry.line.split(",")[1:])) for entry in entries]
    assert all(abs(order) <= MAX_ORDER for pair in pairs for order in pair)
    for before, now in pairwise([(0, 0), *pairs]):
        if now != (0, 0):
            assert all(abs(new - old) <= RAMP for new, old in zip(now, before, strict=True)), (before, now)
