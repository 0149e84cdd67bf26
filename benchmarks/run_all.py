"""All speed measurements in one go, written as Markdown.

    python benchmarks/run_all.py [--output benchmarks/RESULTS.md] [--quick]

Every scene by the rules of benchmarks/scale.py, by default and with `--exact`; swarms of 10 to 3,000 robots at equal
density; rays; the cost of a recording. --quick: fewer repeats, for a look.
"""

from __future__ import annotations

import argparse
import platform
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import rays
import scale

import pybuzz
from pybuzz.experiment.plan import Device
from pybuzz.sim.sensors import Mount, Sensors

SIZES = (10, 30, 100, 300, 1000, 3000)
RECORDED_SCENE, RECORDED_TICKS = "hexagon_1000", 200


def scenes(repeats: int) -> Iterator[str]:
    yield "| scene | ms per tick | ARGoS 3, ms | times faster | with `--exact`, ms | of the default |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for scene, argos in scale.ARGOS_MS.items():
        plain, _ = scale.scaled_milliseconds(scene, repeats)
        exact, _ = scale.scaled_milliseconds(scene, repeats, exact=True)
        reference = f"{argos:g} | {argos / plain:.1f}" if argos else "- | -"
        yield f"| {scene} | {plain:.3g} | {reference} | {exact:.3g} | {exact / plain:.2f} |"


def sizes(repeats: int) -> Iterator[str]:
    yield "| robots | ms per tick | microseconds per robot |"
    yield "| --- | --- | --- |"
    for robots in SIZES:
        ms, _ = scale.scaled_milliseconds(f"hexagon_{robots}", repeats)
        yield f"| {robots} | {ms:.3g} | {1000.0 * ms / robots:.1f} |"


def ray_lines() -> Iterator[str]:
    yield "| threads | microseconds per ray |"
    yield "| --- | --- |"
    robots = 1000
    world = rays.scene(robots)
    mounts = [[Mount(Device(name)) for name in rays.SENSORS]] * robots
    for threads in (1, 2):
        sensors = Sensors(world, mounts, threads=threads)
        clock = process_time if threads == 1 else perf_counter
        calibration = scale.calibration_seconds()
        ms = rays.lidar_ms(sensors, clock=clock)
        yield f"| {threads} | {1000.0 * ms / (682 * robots) * scale.CALIBRATION_S / calibration:.4f} |"


def recording_lines(repeats: int) -> Iterator[str]:
    yield "| what is kept | ms per tick | of the run in memory only |"
    yield "| --- | --- | --- |"
    kinds: dict[str, tuple[bool, tuple[str, ...]]] = {
        "in memory only": (False, ()),
        "poses, in a folder": (True, ()),
        "and the infrared ring": (True, ("proximity",)),
    }
    # In turns, for the machine may be quicker at one time than at another.
    turns = [{label: _recorded_ms(*kind) for label, kind in kinds.items()} for _ in range(repeats)]
    for label in kinds:
        ms = median(turn[label] for turn in turns)
        ratio = median(turn[label] / turn["in memory only"] for turn in turns)
        yield f"| {label} | {ms:.3g} | {ratio:.2f} |"


def _recorded_ms(in_folder: bool, sensors: tuple[str, ...]) -> float:
    """ms per tick, the end of the recording included."""
    path = scale.FOLDER / f"{RECORDED_SCENE}.argos"
    calibration = scale.calibration_seconds()
    with (
        tempfile.TemporaryDirectory() as folder,
        pybuzz.load(path, record=Path(folder) / "run" if in_folder else None, record_sensors=sensors) as experiment,
    ):
        experiment.step()
        start = process_time()
        for _ in range(RECORDED_TICKS):
            experiment.step()
        experiment.close()
        spent = process_time() - start
    return 1000.0 * spent / RECORDED_TICKS * scale.CALIBRATION_S / calibration


def report(repeats: int) -> Iterator[str]:
    yield "# Results"
    yield ""
    yield f"Python {platform.python_version()} on {platform.machine()}, by `python benchmarks/run_all.py`."
    yield "All figures are process time of one process, scaled to a machine on which a million additions take 0.066 s,"
    yield "the one that ARGoS's figures come from; medians. Times with two threads are by the clock: they mean"
    yield "something on an idle machine only."
    for title, lines in (
        ("Scenes, against ARGoS 3 with C Buzz", scenes(repeats)),
        ("Swarms of many sizes at equal density (hexagon)", sizes(repeats)),
        ("Rays: 1,000 robots with 682 beams among boxes and cylinders", ray_lines()),
        (f"Recording ({RECORDED_SCENE})", recording_lines(repeats)),
    ):
        yield f"\n## {title}\n"
        yield from lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "RESULTS.md")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    with options.output.open("w", encoding="utf-8") as output:
        for line in report(1 if options.quick else 5):
            print(line, flush=True)
            print(line, file=output, flush=True)


if __name__ == "__main__":
    main()
