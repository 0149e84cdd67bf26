"""What it costs a run to be shown: process time per tick of the stage with a page attached, beside the run by itself.

    python benchmarks/workbench.py [SCENE...] [--ticks N] [--repeats N]

Both load the same scene, run one tick and time those after it; by turns, and the medians count. The reader of the pipe,
in a process of its own, takes what the server would: every frame, changed globals and log lines. Nothing is inspected
and no layer is on.
"""

from __future__ import annotations

import argparse
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, cast

import pybuzz
from pybuzz.workbench.options import StageOptions
from pybuzz.workbench.pipe import pack, unpack
from pybuzz.workbench.stage import serve

FOLDER = Path(__file__).parent / "scale"
SCENES = ("hexagon_1000", "hexagon_100", "wheels_1000")


class TimedConnection:
    """Notes the process time at which each tick's frame goes out."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.times: dict[int, float] = {}
        self.bytes = 0

    def send_bytes(self, data: bytes) -> None:
        self._connection.send_bytes(data)
        self.bytes += len(data)
        frame = unpack(data) if data[:1] == b"\0" else None
        if isinstance(frame, bytes):
            self.times[int.from_bytes(frame[:4], "little")] = process_time()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


def staged_seconds(scene: str, ticks: int) -> tuple[float, float]:
    """Seconds of process time, and bytes sent, per tick after the first one."""
    own, other = Pipe()
    reader = get_context("spawn").Process(target=read_to_end, args=(other, ticks))
    reader.start()
    other.close()
    timed = TimedConnection(own)
    path = FOLDER / f"{scene}.argos"
    serve(cast(Connection, timed), StageOptions(str(path), str(FOLDER), speed=None))
    reader.join()
    return (timed.times[1 + ticks] - timed.times[1]) / ticks, timed.bytes / (2 + ticks)


def read_to_end(connection: Connection, ticks: int) -> None:
    """Have the stage run, and read what it says until it has."""
    connection.send_bytes(pack({"type": "step", "ticks": 1 + ticks}))
    while True:
        message = unpack(connection.recv_bytes())
        if isinstance(message, dict) and message["type"] == "state" and message["tick"] == 1 + ticks:
            break
    connection.close()


def plain_seconds(scene: str, ticks: int) -> float:
    with pybuzz.load(FOLDER / f"{scene}.argos") as experiment:
        experiment.step()
        start = process_time()
        for _ in range(ticks):
            experiment.step()
        return (process_time() - start) / ticks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", default=list(SCENES), metavar="SCENE")
    parser.add_argument("--ticks", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    print("| scene | by itself, ms per tick | shown, ms per tick | more | kB per tick |")
    print("| --- | --- | --- | --- | --- |")
    for scene in options.scenes:
        plain_seconds(scene, 5)
        plain, shown, size = [], [], 0.0
        for _ in range(options.repeats):
            plain.append(plain_seconds(scene, options.ticks))
            seconds, size = staged_seconds(scene, options.ticks)
            shown.append(seconds)
        more = median(shown) / median(plain) - 1
        row = (
            f"{1000 * median(plain):.3g}",
            f"{1000 * median(shown):.3g}",
            f"{100 * more:+.1f} %",
            f"{size / 1000:.3g}",
        )
        print(f"| {scene} | {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
