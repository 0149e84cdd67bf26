"""Machines of one program share its code, and what Python remembers in it."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

from pybuzz.buzz import Machine, Program, compile_program
from pybuzz.buzz.layout import Layout

SCRIPTS = Path(__file__).parents[2] / "benchmarks" / "scale"


def machine_of(program: Program, number: int) -> Machine:
    machine = program.new_machine(number, log=lambda values: None)
    machine.register("a_host_function", len)
    machine.run_global_part()
    return machine


def test_a_thousand_machines_share_one_code_object_and_take_little() -> None:
    program = compile_program(SCRIPTS / "hexagon.bzz")
    machine_of(program, 0)
    tracemalloc.start()
    machines = [machine_of(program, number) for number in range(1, 1000)]
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len({id(machine.get_global("step").__code__) for machine in machines}) == 1
    assert used / len(machines) < 50_000


def test_machines_laid_out_alike_have_globals_of_their_own() -> None:
    program = compile_program("counter.bzz", "function step() { count = count + id }\ncount = 0\n")
    machines = [machine_of(program, number) for number in range(5)]
    for _ in range(50):
        for machine in machines:
            machine.call_named("step")
    assert [machine.get_global("count") for machine in machines] == [0, 50, 100, 150, 200]


def test_a_layout_takes_up_keys_without_giving_them_values() -> None:
    layout = Layout({"a": 1})
    layout.new_globals()["b"] = 2
    layout.widen(["a", "b"])
    assert layout.new_globals() == {"a": 1, "b": None}
