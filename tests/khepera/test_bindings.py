"""Functions and tables of a Khepera IV, on a body that reads what the test says."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from pybuzz.buzz.strings import StringIds
from pybuzz.buzz.tables import Table, to_python
from pybuzz.buzz.values import BuzzFailure
from pybuzz.khepera.bindings import Bindings
from pybuzz.khepera.body import ACTUATORS, SENSORS
from pybuzz.khepera.model import load_model

READINGS: dict[str, list[float]] = {
    "proximity": [0.1, 0, 0, 0, 0, 0, 0, 1.0],
    "light": [0.0] * 8,
    "ultrasound": [2.0, 0.25, 1.0, 2.0, 2.0],
    "lidar": [0, 31, 407],
    "ground": [0.0, 0.25, 0.5, 1.0],
    "battery": [0.75, math.inf],
    "clearance": [1.0, 0.5],
    "line": [0.5, 0.015, 0.0, 0.25, 0.75],
    "pose": [1.5, -0.5, 0.0, 0.1, 0.0, 0.0],
}


class FakeBody:
    def __init__(self, sensors: Sequence[str] = SENSORS, actuators: Sequence[str] = ACTUATORS) -> None:
        self.sensors = frozenset(sensors)
        self.actuators = frozenset(actuators)

    def read(self, sensor: str) -> list[float]:
        return list(READINGS[sensor])


class FakeMachine:
    def __init__(self, mentioned: Sequence[str], single: bool, strings: Sequence[str] = ()) -> None:
        self.program = SimpleNamespace(mentioned_globals=frozenset(mentioned), single_precision=single, strings=strings)
        self.strings = StringIds()
        self.globals: dict[str, Any] = {}
        self.columns: dict[str, Any] = {}

    def register(self, name: str, value: Any) -> None:
        self.globals[name] = value

    def get_global(self, name: str) -> Any:
        return self.globals.get(name)

    def set_global(self, name: str, value: Any) -> None:
        self.globals[name] = value


def _bound(
    *, exact: bool = False, mentioned: Sequence[str] = SENSORS, body: FakeBody | None = None
) -> tuple[Bindings, dict[str, Any]]:
    machine = FakeMachine(mentioned, single=exact)
    return Bindings(machine, body or FakeBody(), load_model(), exact=exact), machine.globals


def _failure(call: Any, *arguments: Any) -> str:
    with pytest.raises(BuzzFailure) as found:
        call(*arguments)
    return str(found.value)


def test_rings_count_from_zero_ahead_and_carry_their_angles() -> None:
    _, names = _bound()
    assert [names["proximity"][i]["value"] for i in range(8)] == READINGS["proximity"]
    quarter = math.pi / 4
    angles = [0, quarter, 2 * quarter, 3 * quarter, math.pi, -3 * quarter, -2 * quarter, -quarter]
    assert [names["light"][i]["angle"] for i in range(8)] == angles


def test_ultrasound_is_in_centimetres_and_jumps_from_left_to_right() -> None:
    _, names = _bound()
    assert [names["ultrasound"][i]["value"] for i in range(5)] == [200.0, 25.0, 100.0, 200.0, 200.0]
    assert names["ultrasound"][3]["angle"] == -math.pi / 2


def test_exact_ultrasound_is_handed_on_as_the_plugin_computes_it() -> None:
    _, names = _bound(exact=True)
    assert [names["ultrasound"][i]["value"] for i in range(5)] == READINGS["ultrasound"]


def test_the_other_tables_have_the_documented_shapes() -> None:
    _, names = _bound()
    assert to_python(names["lidar"]) == {0: 0, 1: 31, 2: 407}
    assert to_python(names["ground"][1]) == {"value": 0.25, "offset": {"x": 0.0206, "y": 0.059}}
    assert to_python(names["battery"]) == {"available_charge": 0.75, "time_left": math.inf}
    assert to_python(names["pose"]) == {
        "position": {"x": 1.5, "y": -0.5, "z": 0.0},
        "orientation": {"yaw": 0.1, "pitch": 0.0, "roll": 0.0},
    }


def test_exact_numbers_are_single_precision() -> None:
    _, names = _bound(exact=True)
    assert names["proximity"][0]["value"] == 0.10000000149011612
    assert names["proximity"][4]["angle"] == 3.1415927410125732
    assert names["pose"]["orientation"]["yaw"] == 0.10000000149011612


def test_a_table_that_a_script_kept_under_another_name_alone_shows_the_old_values() -> None:
    bindings, names = _bound()
    names["mine"] = names["proximity"]
    names["proximity"] = None
    bindings.refresh()
    assert names["proximity"] is not names["mine"]


def test_a_table_that_a_script_kept_shows_the_old_values() -> None:
    bindings, names = _bound()
    kept = names["proximity"]
    bindings.refresh()
    assert isinstance(names["proximity"], Table)
    assert names["proximity"] is not kept
    assert names["proximity"][0] is not kept[0]
    kept_entry = names["proximity"][3]
    bindings.refresh()
    assert names["proximity"][3] is not kept_entry


def test_what_a_script_does_to_a_table_is_gone_in_the_next_step() -> None:
    bindings, names = _bound()
    expected = to_python(names["proximity"])
    for spoil in (
        lambda table: table.store(0, None),
        lambda table: table.store("extra", 1),
        lambda table: table[2].store("angle", 9.0),
        lambda table: table[2].store("angle", None),
        lambda table: table[2].store("extra", 1),
        lambda table: table.store(1, table[2]),
        lambda table: table.store(1, 5),
    ):
        spoil(names["proximity"])
        assert to_python(names["proximity"]) != expected
        bindings.refresh()
        assert to_python(names["proximity"]) == expected


def test_tables_that_the_script_never_mentions_are_not_made() -> None:
    _, names = _bound(mentioned=["battery"])
    assert "battery" in names
    assert "proximity" not in names


def test_a_device_that_is_not_there_has_no_names() -> None:
    _, names = _bound(body=FakeBody(sensors=["proximity"], actuators=["leds"]))
    assert "set_leds" in names
    assert not {"set_wheels", "gotoc", "pose", "battery"} & names.keys()
    assert names["debug"]["trajectory"] is None


def test_set_wheels_takes_integers_unless_exact() -> None:
    bindings, names = _bound()
    names["set_wheels"](10, -5.0)
    assert (bindings.command.left_m_s, bindings.command.right_m_s) == (0.1, -0.05)
    _, exact_names = _bound(exact=True)
    assert _failure(exact_names["set_wheels"], 10, 5.0) == "type mismatch: expected float, got integer"


def test_gotop_drives_as_documented_and_steers_when_exact() -> None:
    bindings, names = _bound()
    names["gotop"](10.0, 0.5)
    assert (bindings.command.left_m_s, bindings.command.right_m_s) == pytest.approx((0.07365, 0.12635))
    bindings, names = _bound(exact=True)
    names["gotop"](6, 0)
    assert bindings.command.left_m_s == bindings.command.right_m_s == pytest.approx(0.06)


@pytest.mark.parametrize("name", ["set_wheels", "gotop", "goto", "gotoc"])
def test_wheels_refuse_what_is_not_a_finite_number(name: str) -> None:
    _, names = _bound()
    assert _failure(names[name], "fast", 1.0) == "type mismatch: expected float or integer, got string"
    assert "expected finite numbers" in _failure(names[name], math.nan, 1.0)


@pytest.mark.parametrize("name", ["gotop", "goto", "gotoc"])
@pytest.mark.parametrize("before", [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)])
@pytest.mark.parametrize("vector", [(math.nan, math.nan), (math.nan, 1.0), (1.0, math.nan)])
def test_what_is_no_number_drives_straight_ahead_at_full_speed_when_exact(name, before, vector) -> None:
    bindings, names = _bound(exact=True)
    names["goto"](*before)
    names[name](*vector)
    assert (bindings.command.left_m_s, bindings.command.right_m_s) == (0.1, 0.1)
    names["goto"](0.0, 1.0)
    assert bindings.command.left_m_s < bindings.command.right_m_s


def test_an_infinite_angle_is_no_number_when_exact() -> None:
    bindings, names = _bound(exact=True)
    names["gotop"](1.0, math.inf)
    assert (bindings.command.left_m_s, bindings.command.right_m_s) == (0.1, 0.1)


def test_leds_are_rounded_and_limited_unless_exact() -> None:
    bindings, names = _bound()
    names["set_leds"](300, 127.6, -4)
    assert bindings.command.leds == (255, 128, 0)
    bindings, names = _bound(exact=True)
    names["set_leds"](0, 0, 300)
    assert bindings.command.leds == (0, 0, 44)
    assert _failure(names["set_leds"], 1.0, 0, 0) == "type mismatch: expected integer, got float"


def test_notes_last_one_step_and_a_trail_holds_the_newest_positions() -> None:
    bindings, names = _bound()
    debug = names["debug"]
    debug["print"]("at ", 0.5)
    debug["set_color"](255, 0, 0)
    debug["rays"]["add"](0, 255, 0, 0.1, 0.2, 0)
    debug["trajectory"]["enable"](2)
    assert bindings.notes.text == "at 0.5"
    assert bindings.notes.rays[0].end == (0.1, 0.2, 0.0)
    for _ in range(3):
        bindings.begin_step()
    assert (bindings.notes.text, bindings.notes.rays) == ("", [])
    assert list(bindings.notes.trail or ()) == [(1.5, -0.5, 0.0)] * 2


def test_ray_coordinates_must_be_floats_when_exact() -> None:
    _, names = _bound(exact=True)
    assert _failure(names["debug"]["rays"]["add"], 0, 0, 0, 1, 0.0, 0.0) == "type mismatch: expected float, got integer"
    assert "expected" in _failure(names["debug"]["rays"]["add"], 0, 0, 0, 1.0, 0.0, 0.0, 0.0)


def test_the_queue_is_shown_to_scripts_that_name_it() -> None:
    machine = FakeMachine(["debug"], single=False, strings=["msgqueue"])
    bindings = Bindings(machine, FakeBody(), load_model(), exact=False)
    assert bindings.shows_queue
    assert machine.globals["debug"]["msgqueue"] is None
    bindings.show_queue(total=3, broadcast=2, vstig=1, swarm=0)
    assert machine.globals["debug"]["msgqueue"]["broadcast"] == 2
