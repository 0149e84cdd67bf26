"""Emulated robots do what their scripts say and feel what is there: four robots, each with a script of its own."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest
from rehearsals import CALM_PERIOD_S, CALM_RAMP, assert_safe, rehearse, run_in_step

from pybuzz.khepera import load_model

HULL_M = load_model().body.radius
NEAR_M = 0.04

SCENE = f"""\
experiment: {{ticks_per_second: 4, length: 60, seed: 1}}
arena: {{size: [8, 8], walls: true}}
obstacles:
  - {{box: [0.1, 0.5, 0.5], at: [{HULL_M + NEAR_M + 0.05}, 2]}}
  - {{box: [0.5, 0.1, 0.5], at: [0, {-2 + HULL_M + NEAR_M + 0.05}]}}
robots:
  - {{kind: kheperaiv, id: 1, script: null, at: [-2, 0]}}
  - {{kind: kheperaiv, id: 2, script: null, at: [2, 0]}}
  - {{kind: kheperaiv, id: 3, script: null, at: [0, 2]}}
  - {{kind: kheperaiv, id: 4, script: null, at: [0, -2]}}
"""
COUNTING = "function init() { t = 0 }\nfunction step() {\n  t = t + 1\n"
STRAIGHT = COUNTING + "  if(t <= 8) set_wheels(10.0, 10.0) else set_wheels(0.0, 0.0)\n}\n"
TURN = COUNTING + "  if(t <= 8) set_wheels(-4.139, 4.139) else set_wheels(0.0, 0.0)\n}\n"
LOOK = (
    COUNTING
    + """\
  if(t == 4) {
    var i = 0
    while(i < size(proximity)) {
      log(i, " ", proximity[i].value)
      i = i + 1
    }
  }
}
"""
)
SCRIPTS = {1: STRAIGHT, 2: TURN, 3: LOOK, 4: LOOK}


@dataclass(frozen=True)
class Deployed:
    """Where the robots ended, and what their scripts said."""

    poses: dict[int, tuple[float, float, float]]
    lines: list[str]

    def proximity(self, robot: int) -> list[float]:
        said = [line.split() for line in self.lines if line.startswith(f"[kh{robot}] ")]
        return [float(value) for _, _, value in said]


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Deployed:
    folder = tmp_path_factory.mktemp("bodies")
    (folder / "scene.yaml").write_text(SCENE)
    for robot, script in SCRIPTS.items():
        (folder / f"{robot}.bzz").write_text(script)
    with rehearse(folder / "scene.yaml", folder, "--stepped") as emulator:
        lines = [
            f'  - {{id: {robot}, link: "{url}", script: {robot}.bzz, start: [{x}, {y}, 0], period: {CALM_PERIOD_S}}}'
            for (robot, url), (x, y, _) in zip(emulator.urls.items(), emulator.starts.values(), strict=True)
        ]
        (folder / "fleet.yaml").write_text("\n".join(["robots:", *lines]) + "\n")
        fleet = ("--fleet", folder / "fleet.yaml")
        done = run_in_step(emulator, "deploy", folder / "1.bzz", *fleet, "--seconds", 3)
        assert done.returncode == 0, done.stderr
        assert_safe(emulator.log(), ramp=CALM_RAMP)
        return Deployed(emulator.poses(), done.stdout.splitlines())


def test_10_cm_per_second_for_2_s_are_20_cm_ahead(deployed: Deployed) -> None:
    """147 units; what the ramp up lacks, the ramp down gives back."""
    x, y, yaw = deployed.poses[1]
    assert x + 2.0 == pytest.approx(0.20, abs=0.012)
    assert (y, yaw) == pytest.approx((0.0, 0.0), abs=0.01)


def test_opposite_wheels_turn_a_quarter_to_the_left_on_the_spot(deployed: Deployed) -> None:
    """2 x 4.139 cm/s for 2 s over an axle of 10.54 cm."""
    x, y, yaw = deployed.poses[2]
    assert yaw == pytest.approx(math.pi / 2, abs=0.1)
    assert (x, y) == pytest.approx((2.0, 0.0), abs=0.01)


def test_an_obstacle_4_cm_ahead_is_near_at_index_0(deployed: Deployed) -> None:
    """Its two neighbours, 45 degrees aside, see the same wall 7 cm further away."""
    ahead = deployed.proximity(3)
    assert ahead[0] >= 0.9
    assert max(ahead[2:7]) < 0.1


def test_an_obstacle_4_cm_to_the_left_is_near_at_index_2(deployed: Deployed) -> None:
    left = deployed.proximity(4)
    assert left[2] >= 0.9
    assert max(left[0], *left[4:]) < 0.1
