"""A full disk leaves no half-written file, and what stood there before."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pybuzz.errors import InputError
from pybuzz.recording import video
from pybuzz.recording.drafts import drafted
from pybuzz.recording.recording import Recording

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import pybuzz

    folder = tmp_path_factory.mktemp("full_disk") / "run"
    pybuzz.load(ROOT / "scripts" / "examples" / "hexagon", seed=1, record=folder).run(ticks=30)
    return folder


@pytest.mark.parametrize(
    "command",
    ["plot -o x.png", "plot -o x.svg", "render -o x.png", "render -o x.gif", "render -o x.mp4", "export -o x.mcap",
     "export -o x.csv"],
)  # fmt: skip
def test_no_file_is_left_when_the_disk_takes_no_more(recorded: Path, tmp_path: Path, command: str) -> None:
    name, *rest = command.split()
    (tmp_path / rest[-1]).write_text("before")
    done = subprocess.run(
        [sys.executable, "-m", "pybuzz", name, str(recorded), *rest],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=_take_no_more,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 2, done.stderr
    told = "ffmpeg could not write the video: " if rest[-1] == "x.mp4" else "cannot write here: File too large"
    assert done.stderr.splitlines()[-1].startswith(f"{rest[-1]}: error: {told}"), done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [rest[-1]]
    assert (tmp_path / rest[-1]).read_text() == "before"


def _take_no_more() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))


def test_a_disk_that_is_full_for_the_encoder_is_told_as_such(
    recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = tmp_path / "ffmpeg"
    encoder.write_text("#!/bin/sh\ncat > /dev/null\necho 'av_write_frame: No space left on device' >&2\nexit 1\n")
    encoder.chmod(0o755)
    monkeypatch.setattr(video, "_ffmpeg", lambda: str(encoder))
    with pytest.raises(InputError, match=r"x\.mp4: error: cannot write here: No space left on device"):
        video.render(Recording.open(recorded), tmp_path / "x.mp4")
    assert [path.name for path in tmp_path.iterdir()] == ["ffmpeg"]


def test_a_link_is_followed_and_a_device_is_written_to(tmp_path: Path) -> None:
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    (tmp_path / "null.txt").symlink_to("/dev/null")
    for name in ("link.txt", "null.txt"):
        with drafted(tmp_path / name) as draft:
            draft.write_text("text")
        assert (tmp_path / name).is_symlink()
    assert (tmp_path / "real.txt").read_text() == "text"
