"""Ctrl-C ends a run after the tick that is going on, whatever it meets."""

from __future__ import annotations

import signal

import pytest

from pybuzz.cli.interrupts import delayed_interrupt
from pybuzz.errors import interruption_behind
from pybuzz.recording import Recording
from pybuzz.recording.folder import ChunkFolder


def test_the_first_ctrl_c_is_noted_and_the_second_interrupts() -> None:
    with delayed_interrupt() as pressed:
        assert not pressed.is_set()
        signal.raise_signal(signal.SIGINT)
        assert pressed.is_set()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_who_catches_ctrl_c_already_goes_on_doing_so() -> None:
    caught = []
    signal.signal(signal.SIGINT, lambda *_: caught.append(1))
    try:
        with delayed_interrupt() as pressed:
            signal.raise_signal(signal.SIGINT)
        assert (caught, pressed.is_set()) == ([1], False)
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def test_ctrl_c_is_seen_behind_what_kernels_make_of_it() -> None:
    pressed = KeyboardInterrupt()
    inner, outer = SystemError(), SystemError()
    inner.__cause__, outer.__cause__ = pressed, inner
    assert interruption_behind(outer) is pressed
    assert interruption_behind(SystemError()) is None
    assert interruption_behind(ValueError()) is None


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_run_that_is_interrupted_within_a_tick_ends_after_it(pybuzz, write, tmp_path, name: str) -> None:
    write("walk.bzz", "function init() { }\nfunction step() { }\n")
    write(
        "project.py",
        "import signal\nfrom pathlib import Path\nfrom pybuzz.experiment import Hooks\n\n\nclass Press(Hooks):\n"
        "    def pre_step(self, experiment):\n"
        f"        if experiment.tick == 5:\n            signal.raise_signal(signal.{name})\n\n"
        "    def destroy(self, experiment):\n"
        "        Path(__file__).with_name('ended').touch()\n",
    )
    before = signal.getsignal(signal.SIGTERM)
    result = pybuzz("run", "walk.bzz", "--record", "rec", "--seed", "1", "--hooks", "project.py:Press")
    assert result.code == 130
    assert (tmp_path / "ended").exists()
    assert signal.getsignal(signal.SIGTERM) is before
    recording = Recording.open(tmp_path / "rec")
    assert (recording.status, recording.ticks) == ("interrupted", 5)


def test_a_second_ctrl_c_while_a_run_is_ended_leaves_the_recording_whole(pybuzz, write, tmp_path, monkeypatch) -> None:
    write("walk.bzz", "function init() { }\nfunction step() { }\n")
    write(
        "project.py",
        "import signal\nfrom pybuzz.experiment import Hooks\n\n\nclass Press(Hooks):\n"
        "    def pre_step(self, experiment):\n"
        "        if experiment.tick == 5:\n            signal.raise_signal(signal.SIGINT)\n\n"
        "    def destroy(self, experiment):\n"
        "        signal.raise_signal(signal.SIGINT)\n",
    )
    pack = ChunkFolder.pack

    def pressed_while_packing(folder: ChunkFolder) -> None:
        signal.raise_signal(signal.SIGINT)
        pack(folder)

    monkeypatch.setattr(ChunkFolder, "pack", pressed_while_packing)
    result = pybuzz("run", "walk.bzz", "--record", "rec", "--seed", "1", "--hooks", "project.py:Press")
    assert result.code == 130
    assert "fault of pybuzz" not in result.err
    recording = Recording.open(tmp_path / "rec")
    assert (recording.status, recording.ticks) == ("interrupted", 5)
    assert not (tmp_path / "rec" / "chunks").exists()


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="there is no SIGHUP")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_sweep_that_is_told_to_end_ends_as_by_ctrl_c(pybuzz, write, monkeypatch, name: str) -> None:
    write("walk.bzz", "function init() { }\nfunction step() { }\n")
    write("study.yaml", "experiment: walk.bzz\nseed: 1\nticks: 1\nmeasures: {way: distance_travelled}\n")
    monkeypatch.setattr("pybuzz.sweep.run_sweep", lambda *_, **__: signal.raise_signal(getattr(signal, name)))
    assert pybuzz("sweep", "study.yaml").code == 130
