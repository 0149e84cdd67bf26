"""What a run records of the packets that robots send."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import pybuzz
from pybuzz.errors import InputError
from pybuzz.experiment.hooks import Hooks
from pybuzz.recording import LOST_BY_LOSS, LOST_BY_OCCLUSION, RECEIVED, Recording

SCRIPT = """\
function init() { got = 0 neighbors.listen("x", function(topic, value, robot) { got = got + 1 }) }
function step() { neighbors.broadcast("x", 7) }
"""
PLAN = """\
experiment: {length: 5, seed: 1}
arena: {size: [4, 2]}
obstacles: [{box: [0.05, 1.0, 0.2], at: [0.5, 0], name: wall}]
radio: {range: 1.2, data_size: 100, loss: 0.3}
record: {globals: [got], messages: true}
robots:
  - {kind: kheperaiv, name: a, script: talk.bzz, at: [-0.6, 0]}
  - {kind: kheperaiv, name: b, script: talk.bzz, at: [0, 0]}
  - {kind: kheperaiv, name: c, script: talk.bzz, at: [1, 0]}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "talk.bzz").write_text(SCRIPT)
    (tmp_path / "talk.yaml").write_text(PLAN)
    return tmp_path / "talk.yaml"


def counted(recording: Recording) -> Counter[tuple[str, str, int]]:
    messages, names = recording.messages, recording.robots
    assert messages is not None
    ends = zip(messages.senders.tolist(), messages.receivers.tolist(), messages.status.tolist(), strict=True)
    return Counter((names[sender], names[receiver], status) for sender, receiver, status in ends)


def test_each_packet_in_range_is_received_or_lost_for_a_reason(file: Path) -> None:
    recording = pybuzz.load(file).run()
    found = counted(recording)
    assert {key[:2] for key in found} == {("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")}  # a and c: 1.6 m
    for ends in (("b", "c"), ("c", "b")):  # the wall is between them
        assert [found[(*ends, status)] for status in (RECEIVED, LOST_BY_OCCLUSION, LOST_BY_LOSS)] == [0, 50, 0]
    for ends in (("a", "b"), ("b", "a")):
        assert found[(*ends, RECEIVED)] + found[(*ends, LOST_BY_LOSS)] == 50
        assert found[(*ends, LOST_BY_LOSS)] == pytest.approx(15, abs=10)  # 3 standard deviations of 50 with 0.3


def test_what_was_received_is_what_the_scripts_heard(file: Path) -> None:
    recording = pybuzz.load(file).run()
    messages = recording.messages
    assert messages is not None
    spoken = messages.of(messages.received & (messages.bytes > 2))  # the first packets hold no message yet
    heard = np.zeros((recording.ticks + 1, 3), dtype=int)
    np.add.at(heard, (spoken.ticks, spoken.receivers), 1)
    assert heard.cumsum(axis=0).tolist() == recording.globals["got"].tolist()


def test_bytes_are_those_that_the_messages_take(file: Path) -> None:
    messages = pybuzz.load(file, ticks=2).run().messages
    assert messages is not None
    # of the second packet: id 2, length 2, kind 1, "x" with type and length 4, an integer with its type 5
    assert {(tick, size) for tick, size in zip(messages.ticks.tolist(), messages.bytes.tolist(), strict=True)} == {
        (1, 2),
        (2, 14),
    }


def test_recording_messages_changes_nothing_else(file: Path, tmp_path: Path) -> None:
    file.write_text(PLAN.replace(", messages: true", ""))
    for name, messages in (("without", False), ("with", True)):
        pybuzz.load(file, record=tmp_path / name, record_messages=messages).run()
    assert {path.name for path in (tmp_path / "with").iterdir()} - {
        path.name for path in (tmp_path / "without").iterdir()
    } == {"messages.parquet"}
    for path in (tmp_path / "without").iterdir():
        assert path.read_bytes() == (tmp_path / "with" / path.name).read_bytes(), path.name


def test_packets_that_no_script_listens_to_are_recorded_too(file: Path) -> None:
    (file.parent / "talk.bzz").write_text("got = 0\nfunction init() { }\nfunction step() { }\n")
    messages = pybuzz.load(file, ticks=3).run().messages
    assert messages is not None
    assert set(messages.bytes.tolist()) == {2}


class Changing(Hooks):
    def pre_step(self, experiment: pybuzz.Experiment) -> None:
        if experiment.tick == 10:
            experiment.remove("a")


def test_robots_keep_their_places_when_one_goes(file: Path) -> None:
    recording = pybuzz.load(file, hooks=Changing(), ticks=20).run()
    messages = recording.messages
    assert messages is not None
    late = messages.of(messages.ticks >= 10)
    assert {(one, other) for one, other in zip(late.senders.tolist(), late.receivers.tolist(), strict=True)} == {
        (1, 2),
        (2, 1),
    }


def test_a_message_too_large_for_a_packet_is_an_event(file: Path) -> None:
    (file.parent / "talk.bzz").write_text(
        'got = ""\nfunction init() { i = 0 while(i < 7) { got = string.concat(got, "0123456789ABCDEF") i = i + 1 } }\n'
        'function step() { neighbors.broadcast("x", got) }\n'
    )
    recording = pybuzz.load(file, ticks=2).run()
    event = recording.events[0]
    assert (event.robot, event.kind) == ("a", "warning")
    assert event.text.startswith('broadcast "x" is dropped: it takes 12')
    assert not recording.log


# -- globals to record -----------------------------------------------------------------------------------------------


def test_a_global_that_no_script_has_is_not_recorded_in_silence(file: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no script uses a global 'gott'") as error:
        pybuzz.load(file, record=tmp_path / "run", record_globals=["gott"])
    assert error.value.diagnostics[0].hint == "did you mean 'got'?"
    assert not (tmp_path / "run").exists()


def test_a_global_that_only_comes_up_later_may_be_recorded(file: Path) -> None:
    (file.parent / "talk.bzz").write_text("got = 0\nfunction init() { }\nfunction step() { late = 1 }\n")
    recording = pybuzz.load(file, ticks=1, record_globals=["late"]).run()
    assert recording.globals["late"].tolist() == [[None] * 3, [1] * 3]


class Setting(Hooks):
    def post_step(self, experiment: pybuzz.Experiment) -> None:
        experiment.robots["a"].globals["role"] = 2


def test_a_global_that_hooks_may_set_is_recorded_with_a_warning(file: Path) -> None:
    experiment = pybuzz.load(file, ticks=1, record_globals=["role"], hooks=Setting())
    assert [warning.text for warning in experiment.warnings] == ["no script uses a global 'role'"]
    assert experiment.run().globals["role"][1].tolist() == [2, None, None]
