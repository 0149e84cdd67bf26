"""What a run records of its obstacles and lights."""

import numpy as np
import pytest

import pybuzz
from pybuzz.experiment.hooks import Hooks
from pybuzz.experiment.plan import Box, Light
from pybuzz.recording import Recording

PLAN = """\
experiment: {length: 8, seed: 1}
arena: {size: [4, 3], walls: true}
obstacles:
  - {box: [0.2, 0.2, 0.2], at: [0, 0], movable: true, mass: 0.3, name: crate}
  - {box: [0.2, 0.2, 0.2], at: [0, 1], movable: true, mass: 0.3, name: spare}
  - {cylinder: {radius: 0.1, height: 0.5}, at: [1, 1], name: post}
lights: [{at: [0, 1, 1], name: lamp}]
robots: [{kind: kheperaiv, name: pusher, script: push.bzz, at: [-0.4, 0], yaw: 0}]
"""


@pytest.fixture
def file(tmp_path):
    (tmp_path / "push.bzz").write_text("function init() { }\nfunction step() { set_wheels(10.0, 10.0) }\n")
    (tmp_path / "push.yaml").write_text(PLAN)
    return tmp_path / "push.yaml"


class Changing(Hooks):
    def post_step(self, experiment):
        if experiment.tick == 5:
            experiment.entities["post"].move(1.5, 1.0, 0.5)
        if experiment.tick == 7:
            experiment.add(Box("late", (0.1, 0.1, 0.1), (-1.0, 1.0, 0.0)))
            experiment.add(Light("second", (1.0, -1.0, 0.5)))
        if experiment.tick == 9:
            experiment.remove("late")
            experiment.remove("spare")
            experiment.remove("lamp")


def test_a_pushed_box_is_recorded_where_the_world_has_it(file) -> None:
    with pybuzz.load(file) as experiment:
        seen = [experiment.entities["crate"].pose]
        while experiment.step():
            seen.append(experiment.entities["crate"].pose)
        objects = experiment.close().objects
    assert objects.names == ["crate", "spare"]
    np.testing.assert_array_equal(objects.poses[:, 0], seen)
    assert objects.poses[-1, 0, 0] > 0.1
    assert (objects.poses[:, 1] == [0.0, 1.0, 0.0]).all()


def test_what_hooks_move_add_and_remove_is_recorded(file, tmp_path) -> None:
    recording = pybuzz.load(file, hooks=Changing(), record=tmp_path / "run", ticks=12).run()
    for one in (recording, Recording.open(tmp_path / "run")):
        ways = dict(zip(one.objects.names, np.moveaxis(one.objects.poses, 1, 0), strict=True))
        assert ways["post"][4:6].tolist() == [[1.0, 1.0, 0.0], [1.5, 1.0, 0.5]]
        assert np.flatnonzero(np.isfinite(ways["late"][:, 0])).tolist() == [7, 8]
        assert np.flatnonzero(np.isnan(ways["spare"][:, 0])).tolist() == [9, 10, 11, 12]
        assert [tuple(event) for event in one.events] == [
            (7, "", "object added", "late"), (7, "", "light added", "[1.0, -1.0]"),
            (9, "", "object removed", "spare"), (9, "", "object removed", "late"),
            (9, "", "light removed", "[0.0, 1.0]"),
        ]  # fmt: skip
        assert one.lights == [(0.0, 1.0, 0, 9), (1.0, -1.0, 7, None)]


def test_walls_and_other_things_that_stand_take_no_rows(file, tmp_path) -> None:
    file.write_text(PLAN.replace("movable: true, mass: 0.3, ", ""))
    recording = pybuzz.load(file, record=tmp_path / "run", ticks=5).run()
    assert recording.objects.poses.shape == (6, 0, 3)
    assert not (tmp_path / "run/objects.parquet").exists()
