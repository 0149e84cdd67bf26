"""What it costs a run to be shown: process time of the stage with a page attached, and how much of it is the run.

    python benchmarks/workbench.py [SCENE...] [--ticks N] [--repeats N]

Both are taken in one and the same run, so that they stand beside each other on a busy machine too: what
`Experiment.step` takes, which is all that a run by itself does, and the rest. The first tick does not count. The reader
of the pipe, in a process of its own, takes what the server would: every frame, changed globals and log lines. Nothing
is inspected and no layer is on. The last column is a run that is not shown, at another moment.
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


class TimedSteps:
    """Within it, `Experiment.step` notes the process time that it took, by tick."""

    def __init__(self) -> None:
        self.seconds: dict[int, float] = {}
        self._step = pybuzz.Experiment.step

    def __enter__(self) -> TimedSteps:
        step, seconds = self._step, self.seconds

        def timed(experiment: pybuzz.Experiment) -> bool:
            start = process_time()
            going_on = step(experiment)
            seconds[experiment.tick] = process_time() - start
            return going_on

        setattr(pybuzz.Experiment, "step", timed)  # noqa: B010 - a type checker minds the plain assignment
        return self

    def __exit__(self, *error: object) -> None:
        setattr(pybuzz.Experiment, "step", self._step)  # noqa: B010


def staged_seconds(scene: str, ticks: int) -> tuple[float, float, float]:
    """Per tick after the first one: seconds of process time of the steps, of all, and bytes sent."""
    own, other = Pipe()
    reader = get_context("spawn").Process(target=read_to_end, args=(other, ticks))
    reader.start()
    other.close()
    timed = TimedConnection(own)
    path = FOLDER / f"{scene}.argos"
    with TimedSteps() as steps:
        serve(cast(Connection, timed), StageOptions(str(path), str(FOLDER), speed=None))
    reader.join()
    stepping = sum(steps.seconds[tick] for tick in range(2, 2 + ticks)) / ticks
    return stepping, (timed.times[1 + ticks] - timed.times[1]) / ticks, timed.bytes / (2 + ticks)


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
    print("| scene | steps, ms per tick | all, ms per tick | more | kB per tick | by itself, ms per tick |")
    print("| --- | --- | --- | --- | --- | --- |")
    for scene in options.scenes:
        plain = [plain_seconds(scene, options.ticks)]
        runs = []
        for _ in range(options.repeats):
            runs.append(staged_seconds(scene, options.ticks))
            plain.append(plain_seconds(scene, options.ticks))
        steps, shown, size = (median(column) for column in zip(*runs, strict=True))
        more = median(whole / stepping - 1 for stepping, whole, _ in runs)
        row = (
            f"{1000 * steps:.3g}", f"{1000 * shown:.3g}", f"{100 * more:+.1f} %", f"{size / 1000:.3g}",
            f"{1000 * median(plain[1:]):.3g}",
        )  # fmt: skip
        print(f"| {scene} | {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
