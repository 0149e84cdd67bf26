"""The floor as the stage shows it to pages."""

from __future__ import annotations

from base64 import b64decode
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image
from stage_driver import staged

STAND = "function init() {} function step() {} function destroy() {}"

ONE = """
experiment: {length: 3}
arena: {size: [4, 2], floor: floor.png}
robots:
  - {kind: kheperaiv, script: robot.bzz, at: [0, 0]}
"""

WHITE = ONE.replace(", floor: floor.png", "")

PAINTER = """
from pybuzz.experiment.hooks import Hooks


class Painter(Hooks):
    def post_step(self, experiment):
        if experiment.tick == 1:
            experiment.paint_floor(lambda x, y: (255, 0, 0))
"""


def test_a_floor_image_is_told_before_the_scene_says_where_it_lies(tmp_path: Path) -> None:
    pixels = np.zeros((2, 4, 3), dtype=np.uint8)
    pixels[0, :2] = (10, 20, 30)
    Image.fromarray(pixels).save(tmp_path / "floor.png")
    with staged(tmp_path, STAND, ONE) as driver:
        driver.until_loaded()
        kinds = [message["type"] for message in driver.messages]
        picture = Image.open(BytesIO(b64decode(driver.of("floor")[0]["png"])))
    assert kinds.index("welcome") < kinds.index("floor") < kinds.index("scene")
    np.testing.assert_array_equal(np.asarray(picture), pixels)
    assert driver.of("scene")[0]["floor"] == {"size": [4.0, 2.0], "center": [0.0, 0.0]}


def test_a_white_floor_is_no_picture(tmp_path: Path) -> None:
    with staged(tmp_path, STAND, WHITE) as driver:
        driver.until_loaded()
        driver.step(1, to=1)
    assert not driver.of("floor")
    assert driver.of("scene")[0]["floor"] is None


def test_a_floor_that_hooks_paint_is_told_anew(tmp_path: Path) -> None:
    (tmp_path / "painter.py").write_text(PAINTER)
    hooks = f"{tmp_path / 'painter.py'}:Painter"
    with staged(tmp_path, STAND, WHITE, hooks=hooks) as driver:
        driver.until_loaded()
        driver.step(3, to=3)
        picture = np.asarray(Image.open(BytesIO(b64decode(driver.of("floor")[0]["png"]))))
    assert (picture == (255, 0, 0)).all()
    assert [scene["floor"] is None for scene in driver.of("scene")] == [True, False]


def test_houses_of_a_city_are_seen_the_better_the_higher_they_are(tmp_path: Path) -> None:
    heights = np.zeros((4, 2))
    heights[3, 1], heights[0, 0] = 20.0, 10.0
    np.save(tmp_path / "heights.npy", heights)
    city = WHITE.replace("robots:", "terrain: {heights: heights.npy, cell_size: 1.0}\nrobots:")
    with staged(tmp_path, STAND, city) as driver:
        driver.until_loaded()
        alpha = np.asarray(Image.open(BytesIO(b64decode(driver.of("floor")[0]["png"]))))[..., 3]
    assert alpha.tolist() == [[0, 0, 0, 255], [155, 0, 0, 0]]
