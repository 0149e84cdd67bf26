"""A run of which nobody keeps a recording takes no more memory however long it is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pybuzz.experiment import Hooks, load
from pybuzz.recording import Recording

SCRIPT = "function init() {}\nfunction step() { set_wheels(5.0, 5.0) LOG }\n"
WATCH = """\
import gc, tracemalloc
from pybuzz.experiment import Hooks


class Watch(Hooks):
    def post_step(self, experiment):
        if experiment.tick == 100:
            gc.collect()
            tracemalloc.start()
        if experiment.tick in (200, 600):
            gc.collect()
            print("held", tracemalloc.get_traced_memory()[0])
        if experiment.tick == 600:
            tracemalloc.stop()
"""


@pytest.mark.parametrize("log", ["", 'log("tick ", id)'], ids=["quiet", "logging"])
def test_memory_is_flat_without_record(pybuzz, write, log: str) -> None:
    write("long.bzz", SCRIPT.replace("LOG", log))
    write("watch.py", WATCH)
    command = ("run", "long.bzz", "--robots", "60", "--ticks", "600", "--seed", "1", "--hooks", "watch.py", "-q")
    result = pybuzz(*command)
    early, late = (int(line.split()[1]) for line in result.out.splitlines() if line.startswith("held"))
    # Pools of contacts grow for a while; a recording of 400 ticks of 60 robots would take 1.8 MB.
    assert late - early < 600_000


def test_a_run_that_is_not_kept_ends_with_its_last_tick(tmp_path: Path) -> None:
    (tmp_path / "a.bzz").write_text(SCRIPT.replace("LOG", ""), encoding="utf-8")
    kept = load(tmp_path / "a.bzz", seed=1, ticks=20).run()
    last = load(tmp_path / "a.bzz", seed=1, ticks=20, keep=False).run()
    assert (last.status, last.ticks, last.robots) == (kept.status, kept.ticks, kept.robots)
    np.testing.assert_array_equal(last.poses[-1], kept.poses[-1])
    assert np.isnan(last.poses[:-1]).all()


def test_what_is_not_kept_may_change_as_it_runs(tmp_path: Path) -> None:
    class Changing(Hooks):
        def post_step(self, experiment):
            if experiment.tick == 5:
                experiment.remove("kh1")

    (tmp_path / "a.bzz").write_text(SCRIPT.replace("LOG", ""), encoding="utf-8")
    recording = load(tmp_path / "a.bzz", seed=1, ticks=20, keep=False, hooks=Changing()).run()
    assert len(recording.robots) == 9


def test_a_recording_in_a_folder_is_not_held_in_memory_either(pybuzz, write, tmp_path: Path) -> None:
    write("a.bzz", SCRIPT.replace("LOG", ""))
    assert pybuzz("run", "a.bzz", "--ticks", "5", "--seed", "1", "--record", "rec").code == 0
    assert Recording.open(tmp_path / "rec").poses.shape == (6, 10, 3)
