"""How fast a live run may be played: any factor a page sends leaves a waiting time that the process can wait."""

from __future__ import annotations

from pathlib import Path

import pytest
from stage_driver import staged

SCRIPT = "function init() {}\nfunction step() {}\n"


@pytest.mark.parametrize(("asked", "taken"), [(1e-300, 0.01), (1e300, 1000.0), (2, 2.0), (None, None)])
def test_a_speed_beyond_the_bounds_is_the_nearest_one(tmp_path: Path, asked: float | None, taken: float | None) -> None:
    with staged(tmp_path, SCRIPT) as driver:
        driver.until_loaded()
        driver.tell("speed", factor=asked)
        driver.tell("play")
        playing = driver.until("state", lambda state: state["playing"])
        driver.tell("pause")
        driver.until("state", lambda state: not state["playing"])
    assert playing["factor"] == taken
