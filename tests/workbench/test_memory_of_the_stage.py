"""What the stage of a live experiment holds does not grow with the ticks it has run."""

from __future__ import annotations

import gc
import tracemalloc
from pathlib import Path
from typing import Any, cast

import pytest

from pybuzz.workbench.options import StageOptions
from pybuzz.workbench.performance import Performance
from pybuzz.workbench.pipe import Pipe

SCRIPT = 'function init() {}\nfunction step() { count = id set_wheels(5.0, 5.0) log("tick ", id) }\n'
ROOM = """
experiment: {length: 100}
arena: {size: [40, 40]}
robots: [{kind: kheperaiv, count: 60, script: a.bzz, place: {uniform: [[-15, -15], [15, 15]]}}]
"""
RECORDED = "record: {sensors: [proximity], globals: [count]}\n"


class Deaf:
    """A pipe whose other end reads everything and keeps nothing."""

    def send(self, kind: str, **fields: Any) -> None: ...

    def send_frame(self, frame: bytes) -> None: ...

    def send_text(self, text: str) -> None: ...


@pytest.mark.parametrize("record", ["", RECORDED], ids=["plain", "with record in the file"])
def test_memory_of_the_stage_is_flat_without_record(tmp_path: Path, record: str) -> None:
    (tmp_path / "a.bzz").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "room.yaml").write_text(ROOM + record, encoding="utf-8")
    options = StageOptions(str(tmp_path / "room.yaml"), str(tmp_path), seed=1)
    performance = Performance(cast(Pipe, Deaf()), options)
    held = {}
    for _ in range(600):
        performance.step()
        if performance.tick == 100:
            gc.collect()
            tracemalloc.start()
        if performance.tick in (200, 600):
            gc.collect()
            held[performance.tick] = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    performance.close()
    # A recording of 400 ticks of 60 robots with a log line each takes more than 4 MB.
    assert held[600] - held[200] < 600_000
