"""`pybuzz plot` and `pybuzz render` as whole commands, and how runs show themselves in notebooks."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import pybuzz as library


@pytest.fixture
def run(pybuzz, write):
    """Records two robots for 5 ticks in the folder `run`."""
    write("walk.bzz", "function init() { n = 0 }\nfunction step() { n = n + 1 set_wheels(10.0, 10.0) log(n) }\n")
    arguments = ("--robots", "2", "--ticks", "5", "--seed", "1", "--record", "run", "--record-globals", "n")
    assert pybuzz("run", "walk.bzz", *arguments, "-q").code == 0
    return pybuzz


def test_plots_of_ways_values_and_neighbours(run, tmp_path) -> None:
    assert run("plot", "run").out == "wrote run.png\n"
    assert run("plot", "run", "--value", "speed", "--value", "n", "--mean", "-o", "v.svg").code == 0
    assert run("plot", "run", "--neighbors", "2", "--at", "0.3", "-o", "n.pdf").code == 0
    assert {path.suffix for path in tmp_path.glob("*.*")} >= {".png", ".svg", ".pdf"}


def test_render_makes_films_and_pictures(run, tmp_path) -> None:
    drawn = ("--trails", "all", "--ids", "--log", "2", "--neighbors", "1")
    done = run("render", "run", "-o", "run.gif", *drawn, "--size", "200x240")
    assert (done.code, done.out, done.err) == (0, "wrote run.gif\n", "")
    film = Image.open(tmp_path / "run.gif")
    assert (film.n_frames, film.size) == (6, (200, 240))
    assert run("render", "run", "-o", "run.png", "--from", "0.1", "--to", "0.4").code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("render", "run", "-o", "run.avi"), "cannot render a '.avi' file"),
        (("render", "run", "-o", "run.gif", "--size", "big"), "--size: error: 'big' is no size"),
        (("render", "run", "-o", "run.gif", "--size", "8x8"), "--size: error: '8x8' is no size of 64 to 7680"),
        (("render", "run", "-o", "run.gif", "--trails", "long"), "--trails: error: 'long' is no number of seconds"),
        (("render", "run", "-o", "run.gif", "--to", "9"), "--to: error: 9 s is not in the recording"),
        (("render", "run", "-o", "run.gif", "--robot", "kh9"), "the recording has no robot 'kh9'"),
        (("render", "run", "-o", "run.gif", "--fps", "nan"), "--fps: error: nan frames per second are none"),
        (("plot", "run", "--neighbors", "nan"), "--neighbors: error: nan is no distance"),
        (("render", "run", "-o", "run.gif", "--neighbors", "nan"), "--neighbors: error: nan is no distance"),
        (("plot", "run", "--links"), "the recording has no messages"),
        (("render", "walk", "-o", "run.gif"), "no such folder"),
        (("render", "run", "-o", "walk.bzz/run.gif"), "cannot write here"),
        (("plot", "run", "-o", "run.gif"), "cannot draw a '.gif' file"),
        (("plot", "run", "--value", "m"), "'m' was not recorded"),
        (("plot", "run", "--value", "x", "--neighbors", "1"), "--value and --neighbors are 2 pictures"),
        (("plot", "run", "--mean"), "--each and --mean go with --value"),
        (("plot", "run", "--at", "1"), "--at goes with --neighbors or --links"),
        (("plot", "run", "--neighbors", "1", "--at", "7"), "--at: error: 7 s is not in the recording"),
        (("export", "run", "-o", "run.xls"), "cannot export to a '.xls' file"),
    ],
)
def test_what_cannot_be_done_is_one_clear_message(run, tmp_path, arguments, message) -> None:
    done = run(*arguments)
    assert done.code == 2
    assert message in done.err
    assert done.err.count("error:") == 1
    assert not list(tmp_path.glob("*.gif"))


def test_an_experiment_shows_itself_in_a_notebook_before_and_after_its_run(write) -> None:
    experiment = library.load(
        write("stand.bzz", "function init() { }\nfunction step() { set_leds(0, 255, 0) }\n"), robots=3, seed=1
    )
    assert '<td style="text-align:left">0 of 600</td>' in experiment._repr_html_()
    before = np.asarray(Image.open(io.BytesIO(experiment._repr_png_())).convert("RGB"))
    recording = experiment.run(ticks=2)
    after = np.asarray(Image.open(io.BytesIO(experiment._repr_png_())).convert("RGB"))
    green = [int((picture == (0, 255, 0)).all(axis=2).sum()) for picture in (before, after)]
    assert green[0] == 0
    assert green[1] > 30
    page = recording._repr_html_()
    assert "2 (0.2 s)" in page
    assert "3: kh1, kh2, kh3" in page
    (image,) = re.findall(r'src="data:image/png;base64,([^"]+)"', page)
    assert base64.b64decode(image) == recording._repr_png_()


PAGE = Path(__file__).parents[2] / "docs/plots-and-video.md"


def test_the_commands_of_the_page_work(pybuzz, write, tmp_path) -> None:
    commands = re.findall(r"pybuzz ((?:plot|render|export) runs/(?:hexagon|radio)[^#`\n]*)", PAGE.read_text())
    slow = ("--show", ".mp4", ".gif")
    quick = [line.split() for line in commands if not any(word in line for word in slow)]
    write("walk.bzz", "function init() { }\nfunction step() { set_wheels(1.0, 1.0) }\n")
    arguments = ("--seed", "1", "--ticks", "420", "--record", "runs/hexagon", "--record-sensors", "proximity", "-q")
    assert pybuzz("run", "walk.bzz", *arguments).code == 0
    assert len(quick) == 8
    more = ("--record-messages", "--record", "runs/radio", "--ticks", "300", "--seed", "1", "-q")
    assert pybuzz("run", "walk.bzz", *more).code == 0
    for command in quick:
        done = pybuzz(*command)
        assert (done.code, done.err) == (0, ""), command
        assert (tmp_path / done.out.removeprefix("wrote ").strip()).stat().st_size > 1000
