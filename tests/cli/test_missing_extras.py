"""Without an extra: the command that adds it, before anything was done."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

SCRIPT = "function init() { }\nfunction step() { }\n"


@pytest.mark.parametrize(
    ("command", "module", "extra"),
    [
        ("plot recorded", "matplotlib", "plot"),
        ("plot recorded -o new/x.svg", "matplotlib", "plot"),
        ("sweep study.yaml", "distributed", "sweep"),
        ("sweep study.yaml --report new/x.md", "matplotlib", "plot"),
        ("export recorded -o new/x.mcap", "mcap", "mcap"),
        ("view quiet.bzz", "uvicorn", "view"),
        ("run quiet.bzz --view", "websockets", "view"),
        ("view recorded", "starlette", "view"),
    ],
)
def test_the_command_that_adds_it_is_named_before_any_work(
    pybuzz, write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, module: str, extra: str
) -> None:
    write("quiet.bzz", SCRIPT)
    write("study.yaml", "experiment: quiet.bzz\nseconds: 1\nmeasures: {way: distance_travelled}\n")
    assert pybuzz("run", "quiet.bzz", "--ticks", "2", "--record", "recorded", "-q", "--seed", "1").code == 0
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.setitem(sys.modules, module, None)
    result = pybuzz(*command.split())
    assert result.code == 2
    assert result.err.splitlines()[0].endswith(f"needs {module}, which is not installed")
    assert result.err.splitlines()[1:] == [f"  hint: pip install 'pybuzz[{extra}]'"]
    assert sorted(tmp_path.rglob("*")) == before


def test_a_film_needs_ffmpeg_and_a_moving_picture_does_not(
    pybuzz, write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("quiet.bzz", SCRIPT)
    pybuzz("run", "quiet.bzz", "--ticks", "2", "--record", "recorded", "-q", "--seed", "1")
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setenv("PATH", "")
    result = pybuzz("render", "recorded", "-o", "new/x.mp4")
    assert (result.code, "pip install 'pybuzz[plot]'" in result.err) == (2, True)
    assert not (tmp_path / "new").exists()
    assert pybuzz("render", "recorded", "-o", "new/x.gif").code == 0
