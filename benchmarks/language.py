"""How fast compiled Buzz is, as a multiple of plain Python doing the same work.

    python benchmarks/language.py [--single-precision] [--rounds N] [NAME...]

Each pair in benchmarks/language/ does the same in Buzz and in Python, without Python having to wrap integers, treat
nil or keep the order of tables: a bound that cannot quite be met. Both are measured in process time, interleaved, the
script compiled and the imports done; the best of the rounds counts.
"""

from __future__ import annotations

import argparse
import contextlib
import io
from importlib import import_module
from math import prod
from pathlib import Path
from time import process_time

from pybuzz.buzz import compile_program

PAIRS = Path(__file__).with_name("language")
GROUPS = {"calls, globals, tables, closures": ("calls", "globals", "tables", "closures"),
          "ordered, methods, steer": ("ordered", "methods", "steer")}  # fmt: skip


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("names", nargs="*", default=[name for group in GROUPS.values() for name in group])
    options.add_argument("--single-precision", action="store_true")
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    if chosen.single_precision:
        # As in a simulation, where it is loaded for other things: the C library's float functions go through it.
        import_module("numba")
    ratios = {}
    for name in chosen.names:
        buzz, python = measure(name, chosen.rounds, chosen.single_precision)
        ratios[name] = buzz / python
        print(f"{name:10} Buzz {buzz * 1e3:7.1f} ms   Python {python * 1e3:7.1f} ms   ratio {ratios[name]:5.2f}")
    for title, names in GROUPS.items():
        if all(name in ratios for name in names):
            print(f"{title}: {geometric_mean([ratios[name] for name in names]):.2f}")


def measure(name: str, rounds: int = 5, single_precision: bool = False) -> tuple[float, float]:
    """Process time in s of the Buzz and of the Python program, each the best of the rounds."""
    program = compile_program(PAIRS / f"{name}.bzz", single_precision=single_precision)
    code = compile((PAIRS / f"{name}.py").read_text(), f"{name}.py", "exec")
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        machine = program.new_machine(1, log=lambda values: None)
        start = process_time()
        machine.run_global_part()
        times[0].append(process_time() - start)
        with contextlib.redirect_stdout(io.StringIO()):
            start = process_time()
            exec(code, {"__name__": name})
            times[1].append(process_time() - start)
    return min(times[0]), min(times[1])


def geometric_mean(values: list[float]) -> float:
    return prod(values) ** (1 / len(values))


if __name__ == "__main__":
    main()
