"""What people are told to do about a name that is nil: by `check` and at run time, in the same words."""

from __future__ import annotations

import pytest

from pybuzz.buzz import compile_program, host_function
from pybuzz.buzz.checks import check_script
from pybuzz.buzz.signatures import Entries, HostNames, Signature
from pybuzz.buzz.tables import Table
from pybuzz.errors import ScriptError

_HOST = HostNames(
    {"set_wheels": Signature(2, 2, ("number",)), "debug.print": Signature(0, None)},
    frozenset({"pose", "ring", "controller"}),
    frozenset({"pose.position", "pose.orientation", "ring.mean"}),
    entries={"ring": Entries(2, frozenset({"value", "angle"}))},
    absent={"proximity": "add proximity to the robot", "debug.trajectory": "it needs the pose"},
    unset=lambda name: f"set it with --set buzz.{name}=VALUE",
)

_CASES = [
    ("x = proximity[0].value", "add proximity to the robot"),
    ("debug.trajectory.enable()", "it needs the pose"),
    ("x = ring[2].value", "ring has entries 0 to 1"),
    ("x = ring.value * 2", "ring has entries 0 to 1: write ring[0].value"),
    ("x = ring[0].vale * 2", "did you mean 'value'?"),
    ("x = ring[0].distance * 2", "they have angle and value"),
    ("x = pose.x * 2", "pose has orientation and position"),
    ("x = camera.blobs", "this robot has pose and ring"),
    ("x = threshold * 2", "set it with --set buzz.threshold=VALUE"),
    ('print("x")', "write log(...)"),
    ("x = cos(0.5)", "write math.cos(...)"),
    ("x = 2 * pi", "write math.pi"),
    ('broadcast("a", 1)', "write neighbors.broadcast(...)"),
    ("v = math.vec2.new(1.0, 2.0)", 'write include "vec2.bzz" at the beginning'),
    ("set_wheel(1.0, 2.0)", "did you mean 'set_wheels'?"),
    ("fly()", ""),
]


@pytest.mark.parametrize(("text", "hint"), _CASES)
def test_check_tells_what_to_do_about_what_is_nil(text: str, hint: str) -> None:
    assert [found.hint for found in check_script("test.bzz", text, signatures=_HOST)][:1] == [hint]


@pytest.mark.parametrize(("text", "hint"), _CASES)
def test_a_run_tells_the_same(text: str, hint: str) -> None:
    assert _failure(text).diagnostics[0].hint == hint


def test_a_global_that_the_script_sets_elsewhere_needs_no_hint() -> None:
    assert _failure("function f() { total = 1 } x = total * 2").diagnostics[0].hint == ""


def test_a_device_that_the_script_asks_for_may_be_missing() -> None:
    text = "if(proximity != nil) log(proximity[0].value)"
    assert check_script("test.bzz", text, signatures=_HOST) == []


def test_a_device_that_is_missing_is_an_error_and_told_once() -> None:
    (found,) = check_script("test.bzz", "log(proximity[0].value)\nlog(proximity)", signatures=_HOST)
    assert (found.severity, found.code, found.place.line) == ("error", "missing-device", 1)


def test_what_one_host_adds_is_absent_no_more() -> None:
    joined = _HOST.joined(HostNames(tables=frozenset({"proximity"})))
    assert joined.absent == {"debug.trajectory": "it needs the pose"}


def _failure(text: str) -> ScriptError:
    entry = Table({"value": 1.0, "angle": 0.0})
    machine = compile_program("test.bzz", text).new_machine(1, log=lambda values: None)
    machine.host = lambda: _HOST
    machine.register("set_wheels", host_function("set_wheels", 2, lambda left, right: None))
    machine.register("ring", Table({0: entry, 1: entry, "mean": 1.0}))
    machine.register("pose", Table({"position": Table(), "orientation": Table()}))
    machine.register("debug", Table({"print": None}))
    with pytest.raises(ScriptError) as caught:
        machine.run_global_part()
    return caught.value
