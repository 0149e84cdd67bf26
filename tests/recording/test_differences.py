from typing import Any

import numpy as np
import pytest

from pybuzz.recording import Recorder, Recording, RobotMark, RunDescription
from pybuzz.recording.differences import first_difference


def recorded(ticks: int = 6, robots: tuple[str, ...] = ("a", "b"), **changes: Any) -> Recording:
    """Changes: name="x" or "log" or "state" or "light", with (tick, robot, value)."""
    recorder = Recorder(
        RunDescription("x", 1, robots=tuple(map(RobotMark, robots))), sensors=["light"], globals_=["state"]
    )
    for tick in range(ticks + 1):
        poses, light, state, text = np.full((2, 3), np.nan), np.zeros((2, 8)), [1, "s"], "hello"
        for name, (when, robot, value) in changes.items():
            if when == tick and name == "x":
                poses[robot, 0] = value
            elif when == tick and name == "light":
                light[robot, 5] = value
            elif when == tick and name == "state":
                state[robot] = value
            elif when == tick and name == "log":
                text = value
        recorder.log(tick, 0, text)
        recorder.record_tick(tick, poses, np.zeros((2, 3), dtype=np.uint8), {"light": light}, {"state": state})
    return recorder.close()


def test_equal_recordings_have_no_difference() -> None:
    assert first_difference(recorded(), recorded()) is None


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"x": (3, 1, 0.5)}, "tick 3, robot b: pose x: 0.5 and nan"),
        ({"light": (2, 0, 1.0)}, "tick 2, robot a: sensor light 5: 1.0 and 0.0"),
        ({"state": (4, 0, 1.0)}, "tick 4, robot a: global state: 1.0 and 1"),
        ({"log": (1, 0, "bye")}, "tick 1, robot a: log: '[a] bye' and '[a] hello'"),
        ({"x": (5, 0, 0.0), "state": (4, 1, None)}, "tick 4, robot b: global state: None and 's'"),
    ],
)
def test_the_earliest_difference_is_found(change: dict[str, Any], text: str) -> None:
    assert str(first_difference(recorded(**change), recorded())) == text


def test_runs_of_different_length_differ_after_the_shorter() -> None:
    difference = first_difference(recorded(6), recorded(4))
    assert difference is not None
    assert difference.tick == 5


def test_other_robots_are_a_difference() -> None:
    difference = first_difference(recorded(), recorded(robots=("a", "c")))
    assert str(difference) == "tick 0: robots: ['a', 'b'] and ['a', 'c']"


def test_what_only_one_recorded_is_a_difference() -> None:
    bare = Recorder(RunDescription("x", 1, robots=(RobotMark("a"), RobotMark("b"))))
    for tick in range(7):
        bare.log(tick, 0, "hello")
        bare.record_tick(tick, np.full((2, 3), np.nan), np.zeros((2, 3), dtype=np.uint8))
    assert str(first_difference(bare.close(), recorded())) == "tick 0: sensor light is recorded: False and True"
