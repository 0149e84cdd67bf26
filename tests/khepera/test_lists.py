"""What bindings give a machine that wants lists in place of tables."""

from __future__ import annotations

import pytest

from pybuzz.buzz import Machine, compile_program
from pybuzz.buzz.tables import to_python
from pybuzz.khepera.bindings import COLUMNS, ROWS, Bindings
from pybuzz.khepera.model import load_model

SCRIPT = "function step() { x = proximity[2].value + ground[1].value + pose.orientation.yaw }"


class Body:
    sensors = frozenset(("proximity", "ground", "pose"))
    actuators: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self.near = 0.25

    def read(self, sensor: str) -> list[float]:
        return {"proximity": [self.near] * 8, "ground": [0.5] * 4, "pose": [1.0, 2.0, 0.0, 3.0, 0.0, 0.0]}[sensor]


class KnowingBody(Body):
    def read_raw(self, sensor: str) -> list[float]:
        return [700.0] * len(self.read(sensor))


def _bound(body: Body, text: str = SCRIPT, *, exact: bool = False) -> tuple[Machine, Bindings]:
    program = compile_program("s.bzz", text, host_names=COLUMNS, columns=COLUMNS, rows=ROWS, single_precision=exact)
    machine = program.new_machine(1, log=print)
    return machine, Bindings(machine, body, load_model(), exact=exact)


@pytest.mark.parametrize("exact", [False, True])
def test_lists_follow_the_readings_from_step_to_step(exact: bool) -> None:
    body = Body()
    machine, bindings = _bound(body, exact=exact)
    assert set(machine.columns) == body.sensors
    for body.near in (0.25, 0.75):
        bindings.refresh()
        machine.call_named("step")
        assert machine.get_global("x") == body.near + 0.5 + 3.0


def test_onlookers_see_the_tables_of_the_last_refresh() -> None:
    body = Body()
    machine, bindings = _bound(body)
    body.near = 1.0
    assert to_python(machine.get_global("proximity"))[0]["value"] == 0.25
    bindings.refresh()
    assert to_python(machine.get_global("proximity"))[7]["value"] == 1.0
    assert to_python(machine.get_global("ground"))[0]["offset"].keys() == {"x", "y"}
    assert to_python(machine.get_global("pose"))["position"] == {"x": 1.0, "y": 2.0, "z": 0.0}


def test_a_machine_that_gave_up_its_lists_has_the_same_tables_in_every_step() -> None:
    body = Body()
    machine, bindings = _bound(body)
    machine.call(lambda: machine.set_global("pose", None))
    assert not machine.columns
    assert to_python(machine.get_global("proximity"))[0] == {"value": 0.25, "angle": 0.0}
    body.near = 0.5
    bindings.refresh()
    machine.call_named("step")
    assert machine.get_global("x") == 0.5 + 0.5 + 3.0


def test_a_body_that_knows_raw_values_gives_tables_with_them() -> None:
    machine, bindings = _bound(KnowingBody())
    assert not machine.columns
    bindings.refresh()
    machine.call_named("step")
    assert machine.get_global("x") == 3.75
    assert to_python(machine.get_global("ground"))[0]["raw"] == 700.0


def test_a_body_without_a_sensor_has_nil_in_its_place() -> None:
    machine, _ = _bound(Body(), SCRIPT + " function other() { return light[0].value }")
    assert not machine.columns
    assert machine.get_global("light") is None
    machine.call_named("step")
    assert machine.get_global("x") == 3.75
