"""Scripts under `python -OO`, which drops docstrings: by theirs, functions that take data apart are recognised."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

WITHOUT_DOCSTRINGS = """
from test_neighbor_functions import PHASES, Robot, compile_program

text = PHASES + "function step() { neighbors.foreach(function(r, d) { log(r, d.distance) }) }"
robot = Robot(compile_program("robot.bzz", text))
robot.step()
print(robot.outcome)
"""


def test_functions_take_data_apart_all_the_same() -> None:
    finished = subprocess.run(
        [sys.executable, "-OO", "-c", WITHOUT_DOCSTRINGS],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(Path(__file__).parent), *sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    printed = "['30 0.000000', '21 20.000000', '2 100.250000', '5 35.500000', None]\n"
    assert finished.stdout == printed, finished.stderr
