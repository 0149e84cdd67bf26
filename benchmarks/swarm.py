"""What neighbours, messages and stigmergy cost: microseconds per robot and step, nanoseconds per link.

    python benchmarks/swarm.py [words of the cases to run]

Process time, the median of several runs. The last line gives a million turns of a plain Python loop, to compare
machines by.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from pybuzz.buzz.program import compile_program
from pybuzz.swarm.mind import Mind

_STEPS = 4
_RUNS = 5


@dataclass(frozen=True)
class Case:
    """A script, and how many robots each of which hears how many."""

    name: str
    robots: int
    heard: int
    script: str


_EMPTY = "function init() {}\nfunction step() {}\n"
LISTEN = """
function init() { n = 0 neighbors.listen("x", function(topic, value, robot) { n = n + value }) }
function step() { neighbors.broadcast("x", id) }
"""
_FORCE = """
function init() {}
function step() {
  sx = 0.0
  sy = 0.0
  neighbors.foreach(function(rid, d) {
    var f = (20.0 / d.distance) * ((35.0 / d.distance)^4 - (35.0 / d.distance)^2)
    sx = sx - f * math.cos(d.azimuth)
    sy = sy - f * math.sin(d.azimuth)
  })
}
"""
MAP = """
include "vec2.bzz"
function init() {}
function to_vec(rid, d) { return math.vec2.newp(1.0 - 60.0 / d.distance, d.azimuth) }
function add(rid, v, sum) { return math.vec2.add(v, sum) }
function step() { sum = neighbors.map(to_vec).reduce(add, math.vec2.new(0.0, 0.0)) }
"""
_WALK = """
function init() { n = 0 }
function visit(rid, d) { n = rid }
function step() { neighbors.foreach(visit) }
"""
_KIN = """
function init() { s = swarm.create(1) if(id % 2 == 0) { s.join() } }
function step() { s.exec(function() { n = neighbors.kin().count() }) }
"""
PUT = """
function init() { v = stigmergy.create(1) n = 0 }
function step() { n = n + 1 v.put(n % 4, id) x = v.get(1) }
"""
CASES = [
    Case("neighbours not mentioned", 200, 25, _EMPTY),
    Case("neighbours mentioned, never asked", 200, 25, _EMPTY + "function other() { return neighbors.count() }\n"),
    Case("foreach, empty body", 200, 25, _WALK),
    Case("foreach, empty body, dense", 200, 190, _WALK),
    Case("foreach, hexagon's force", 200, 25, _FORCE),
    Case("map and reduce with vec2, dense", 200, 190, MAP),
    Case("broadcast and listen", 200, 25, LISTEN),
    Case("broadcast and listen, dense", 200, 190, LISTEN),
    Case("kin within exec", 200, 25, _KIN),
    Case("stigmergy put and get", 200, 25, PUT),
]


class Ring:
    """Robots in a ring, each hearing the next ones."""

    def __init__(self, case: Case) -> None:
        program = compile_program(f"{case.name}.bzz", case.script)
        self._minds = [self._mind(program.new_machine(number, log=print), number) for number in range(case.robots)]
        everyone = range(case.robots)
        offsets = range(1, case.heard + 1)
        self._heard = [
            sorted(((number + offset) % case.robots for offset in offsets), key=lambda heard: heard % 10)
            for number in everyone
        ]
        distances = [30.0 + offset for offset in offsets]
        self._readings = (distances, [0.01 * offset for offset in offsets], [0.0] * case.heard)

    def _mind(self, machine: object, number: int) -> Mind:
        mind = Mind(machine, number, data_size=100, log_oversize=lambda *report: None)  # type: ignore[arg-type]
        mind.start()
        mind.init()
        return mind

    def step(self) -> None:
        packets = [mind.packet() for mind in self._minds]
        for mind, heard in zip(self._minds, self._heard, strict=True):
            speaking = [packets[sender] for sender in heard if not packets[sender].is_silent]
            received = sorted(speaking, key=lambda packet: packet.message_bucket)
            mind.take_in(heard, self._readings, received, in_order=True)
            mind.step()
        failed = next((mind.error for mind in self._minds if mind.error), None)
        if failed:
            raise failed


def seconds(action: Callable[[], object], turns: int) -> float:
    """Process time of one turn, the median of some runs."""
    taken = []
    for _ in range(_RUNS):
        start = time.process_time()
        for _ in range(turns):
            action()
        taken.append((time.process_time() - start) / turns)
    return statistics.median(taken)


def plain_loop() -> None:
    total = turn = 0
    while turn < 1_000_000:
        total += turn
        turn += 1


def main() -> None:
    words = sys.argv[1:]
    print(f"{'case':40} {'µs per robot':>14} {'ns per link':>12}")
    for case in CASES:
        if all(word in case.name for word in words):
            ring = Ring(case)
            ring.step()
            per_robot = seconds(ring.step, _STEPS) / case.robots
            print(f"{case.name:40} {per_robot * 1e6:14.1f} {per_robot / case.heard * 1e9:12.0f}")
    print(f"{'a million turns of a plain loop':40} {seconds(plain_loop, 1) * 1e3:11.1f} ms")


if __name__ == "__main__":
    main()
