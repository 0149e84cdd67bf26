"""Milliseconds per tick of swarms of many sizes, as a Markdown table beside ARGoS 3 with C Buzz.

    python benchmarks/scale.py [SCENE...] [--repeats N]

Each scene is loaded once and run for 5 ticks unmeasured, which compiles the kernels. Then, five times: load, run the
first tick, and time the following 20 ticks (200 for 10 robots and fewer) in process time. The median counts. A
calibration loop is timed in between; results are scaled to a machine on which it takes 0.066 s, where ARGoS's
figures were taken too (headless, one thread, ticks after start-up).
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median
from time import process_time

import pybuzz

FOLDER = Path(__file__).parent / "scale"
CALIBRATION_S = 0.066

ARGOS_MS: dict[str, float] = {
    "hexagon_10": 1.87,
    "hexagon_100": 43.7,
    "hexagon_300": 106.0,
    "hexagon_1000": 332.0,
    "hexagon_lidar_10": 7.7,
    "hexagon_lidar_100": 175.0,
    "hexagon_lidar_1000": 1737.0,
    "dense_200": 284.0,
    "sparse_400": 347.0,
    "wheels_1000": 250.0,
}


def calibration_seconds() -> float:
    """How long one million additions take in this Python, now; best of 3."""
    return min(_loop_seconds() for _ in range(3))


def _loop_seconds() -> float:
    start = process_time()
    i = s = 0
    while i < 1000000:
        s += i
        i += 1
    return process_time() - start


def measure(scene: str, *, exact: bool = False) -> float:
    """Seconds of process time per tick after the first one."""
    with pybuzz.load(FOLDER / f"{scene}.argos", exact=exact) as experiment:
        experiment.step()
        ticks = 200 if len(experiment.robots) <= 10 else 20
        start = process_time()
        for _ in range(ticks):
            experiment.step()
        return (process_time() - start) / ticks


def warm_up(scene: str, *, exact: bool = False) -> None:
    with pybuzz.load(FOLDER / f"{scene}.argos", exact=exact) as experiment:
        for _ in range(5):
            experiment.step()


def scaled_milliseconds(scene: str, repeats: int, *, exact: bool = False) -> tuple[float, float]:
    """(ms per tick scaled to the reference machine, ms per tick as measured): medians."""
    warm_up(scene, exact=exact)
    scaled, measured = [], []
    for _ in range(repeats):
        calibration = calibration_seconds()
        seconds = measure(scene, exact=exact)
        calibration = min(calibration, calibration_seconds())
        measured.append(1000.0 * seconds)
        scaled.append(1000.0 * seconds * CALIBRATION_S / calibration)
    return median(scaled), median(measured)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", default=list(ARGOS_MS), metavar="SCENE")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    print("| scene | ms per tick (scaled) | ms per tick (here) | ARGoS 3, ms | times faster |")
    print("| --- | --- | --- | --- | --- |")
    for scene in options.scenes:
        scaled, measured = scaled_milliseconds(scene, options.repeats)
        argos = ARGOS_MS.get(scene)
        reference = f"{argos:g} | {argos / scaled:.1f}" if argos else "- | -"
        print(f"| {scene} | {scaled:.3g} | {measured:.3g} | {reference} |", flush=True)


if __name__ == "__main__":
    main()
