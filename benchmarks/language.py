"""How fast compiled Buzz is, as a multiple of plain Python doing the same work.

    python benchmarks/language.py [--single-precision] [--rounds N] [--pairs-only] [NAME...]

Each pair in benchmarks/language/ does the same in Buzz and in Python, without Python having to wrap integers, treat
nil or keep the order of tables: a bound that cannot quite be met. Both are measured in process time, interleaved, the
script compiled and the imports done; the best of the rounds counts.

What has no pair in Python follows in its own units, in double precision: talk among robots that each hear 25 others,
building strings, compiling, memory. Naming pairs leaves it out, as --pairs-only does.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import tracemalloc
from collections.abc import Callable, Iterator
from importlib import import_module
from math import prod
from pathlib import Path
from time import process_time

from swarm import LISTEN, MAP, PUT, Case, Ring, seconds

from pybuzz.buzz import Program, compile_program

PAIRS = Path(__file__).with_name("language")
GROUPS = {"calls, globals, tables, closures": ("calls", "globals", "tables", "closures"),
          "ordered, methods, steer": ("ordered", "methods", "steer")}  # fmt: skip

MACHINES, LINES, TURNS = 1000, 500, 20_000
STRINGS = """
text = "robot 0 at the start"
i = 0
while(i < {turns}) {{
  text = string.concat("robot ", string.tostring(i), " at ", string.sub(text, 0, 8))
  i = i + 1
}}
"""
FUNCTION = """
# Turns away from what is near.
function avoid_{number}(readings, limit) {{
  var x = 0.0
  var y = 0.0
  foreach(readings, function(key, reading) {{
    if(reading.value > limit and key != {number}) {{
      log("near: ", key)
    }}
  }})
  for(i = 0, i < size(readings), i = i + 1) {{
    x = x + readings[i].value * math.cos(readings[i].angle)
    y = y + readings[i].value * math.sin(readings[i].angle)
  }}
  if(x * x + y * y < limit ^ 2) return 0
  else {{
    state_{number} = {{.x = x, .y = y, .turns = (state_{number} != nil)}}
    return math.atan(y, x) + {number}.5
  }}
}}
"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("names", nargs="*", metavar="NAME", help="pairs to measure, by default all")
    options.add_argument("--pairs-only", action="store_true")
    options.add_argument("--single-precision", action="store_true")
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    if chosen.single_precision:
        # As in a simulation, where it is loaded for other things: the C library's float functions go through it.
        import_module("numba")
    ratios = {}
    for name in chosen.names or [name for group in GROUPS.values() for name in group]:
        buzz, python = measure(name, chosen.rounds, chosen.single_precision)
        ratios[name] = buzz / python
        print(f"{name:10} Buzz {buzz * 1e3:7.1f} ms   Python {python * 1e3:7.1f} ms   ratio {ratios[name]:5.2f}")
    for title, names in GROUPS.items():
        if all(name in ratios for name in names):
            print(f"{title}: {geometric_mean([ratios[name] for name in names]):.2f}")
    if not (chosen.names or chosen.pairs_only):
        for title, figure in figures(chosen.rounds):
            print(f"{title:60} {figure}")


def figures(rounds: int) -> Iterator[tuple[str, str]]:
    """What is reported beside the pairs, with its unit."""
    for title, script in (("map and reduce over 25 neighbours", MAP), ("broadcast, and listening to 25", LISTEN),
                          ("stigmergy put and get among 25", PUT)):  # fmt: skip
        yield title, f"{microseconds_per_robot(script):8.1f} µs per robot and step"
    yield "building strings: concat, tostring and sub", f"{1e9 * seconds_per_string(rounds):8.0f} ns"
    text = long_script(LINES)
    compiling = best(rounds, lambda: compile_program("long.bzz", text))
    yield f"compiling a script of {text.count(chr(10))} lines", f"{1e3 * compiling:8.1f} ms"
    yield f"memory of each of {MACHINES} machines", f"{kilobytes_per_machine():8.1f} kB"


def microseconds_per_robot(script: str) -> float:
    """Packets, neighbours and step of one robot that hears 25 others, sent and received, in process time."""
    case = Case("ring", 100, 25, script)
    ring = Ring(case)
    ring.step()
    return seconds(ring.step, 4) / case.robots * 1e6


def seconds_per_string(rounds: int) -> float:
    """One turn of a loop that prints a number and joins it to others, in process time."""
    program = compile_program("strings.bzz", STRINGS.format(turns=TURNS))
    return best(rounds, lambda: _run(program)) / TURNS


def long_script(lines: int) -> str:
    """A script of this many lines or a few more: functions that all differ a little."""
    functions = range(-(-lines // FUNCTION.count("\n")))
    return "".join(FUNCTION.format(number=number) for number in functions)


def kilobytes_per_machine() -> float:
    """What each machine of one script allocates before its script does, of the program's first machine apart."""
    program = compile_program("long.bzz", long_script(LINES))
    first = program.new_machine(0, log=print)
    gc.collect()
    tracemalloc.start()
    machines = [program.new_machine(number, log=print) for number in range(1, MACHINES + 1)]
    allocated, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert {machine.program for machine in [first, *machines]} == {program}
    return allocated / MACHINES / 1000


def best(rounds: int, action: Callable[[], object]) -> float:
    """The shortest process time in s of some rounds."""
    taken = []
    for _ in range(rounds):
        start = process_time()
        action()
        taken.append(process_time() - start)
    return min(taken)


def _run(program: Program) -> None:
    program.new_machine(1, log=lambda values: None).run_global_part()


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
