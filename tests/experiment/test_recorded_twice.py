"""Two equal runs that use everything a recording can hold give equal folders."""

from pathlib import Path

import pybuzz
from pybuzz.experiment.hooks import Hooks
from pybuzz.experiment.plan import Box, Light, Robot

SCRIPT = """\
function init() { heard = 0 neighbors.listen("x", function(topic, value, robot) { heard = heard + value }) }
function step() {
  neighbors.broadcast("x", math.rng.uniform(1.0))
  set_wheels(8.0, 10.0)
  set_leds(math.rng.uniform(255), 0, 0)
  debug.print(heard)
  debug.rays.add(1, 2, 3, 0.5, 0.0, 0.0)
  log("heard ", heard)
}
"""
PLAN = """\
experiment: {length: 4, seed: 3}
arena: {size: [3, 3], walls: true}
obstacles: [{box: [0.2, 0.2, 0.2], count: 4, movable: true, mass: 0.2, place: {uniform: [[-1, -1], [1, 1]]}}]
radio: {range: 1.0, loss: 0.2}
record: {globals: [heard], sensors: [proximity], messages: true}
robots: [{kind: kheperaiv, count: 6, script: all.bzz, place: {uniform: [[-1, -1], [1, 1]]}}]
"""
FILES = {
    "events.parquet", "floor.png", "globals.parquet", "leds.parquet", "log.parquet", "messages.parquet",
    "objects.parquet", "poses.parquet", "run.json", "sensor_proximity.parquet",
}  # fmt: skip


class Changing(Hooks):
    def post_step(self, experiment: pybuzz.Experiment) -> None:
        if experiment.tick == 10:
            experiment.add(Box("late", (0.1, 0.1, 0.1), (-1.3, 1.3, 0.0)))
            experiment.add(Light("lamp", (1.0, -1.0, 0.5)))
            controller = next(iter(experiment.plan.controllers))
            experiment.add(Robot("guest", controller, 99, position=(1.3, 1.3, 0.0)))
        if experiment.tick == 20:
            experiment.remove("guest")

    def floor_color(self, x: float, y: float) -> tuple[float, float, float]:
        return (200.0, 0.0, 0.0) if x > y else (0.0, 0.0, 200.0)


def test_equal_runs_are_equal_to_the_last_byte(tmp_path: Path) -> None:
    (tmp_path / "all.bzz").write_text(SCRIPT)
    (tmp_path / "all.yaml").write_text(PLAN)
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        pybuzz.load(tmp_path / "all.yaml", record=folder, hooks=Changing()).run()
    for folder in folders:
        assert {path.name for path in folder.iterdir()} == FILES
    for name in FILES:
        assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes(), name
