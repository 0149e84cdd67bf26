"""Messages in recordings: written, read, plotted."""

from pathlib import Path

import duckdb
import numpy as np
import pytest

from pybuzz.errors import InputError
from pybuzz.recording import (
    LOST_BY_LOSS,
    LOST_BY_OCCLUSION,
    RECEIVED,
    MessageRows,
    Recorder,
    Recording,
    RobotMark,
    RunDescription,
)
from pybuzz.recording.graphs import links_figure
from pybuzz.recording.values import values_of

NAMES = ("kh 'a'", "{b}", "c")


def talking(folder: Path | None = None, *, flush: bool = False) -> Recording:
    """In tick t robot 0 hears 1; 1 hears t bytes of 2 in even ticks, loses them in tick 1, has no sight in tick 3."""
    recorder = Recorder(RunDescription("talk.yaml", 1, robots=tuple(map(RobotMark, NAMES))), folder)
    for tick in range(5):
        if tick:
            ends = np.array([[1, 0], [2, 1]], dtype=np.int32)
            sizes = np.array([9, tick], dtype=np.int32)
            status = np.array([RECEIVED, {1: LOST_BY_LOSS, 3: LOST_BY_OCCLUSION}.get(tick, RECEIVED)], dtype=np.uint8)
            recorder.record_messages(tick, MessageRows(ends[:, 0], ends[:, 1], sizes, status))
        recorder.record_tick(tick, np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]]))
        if flush:
            recorder._flush()
    return recorder.close()


@pytest.mark.parametrize("place", ["memory", "folder"])
def test_messages_are_read_as_they_were_recorded(place: str, tmp_path: Path) -> None:
    talking(tmp_path / "run")
    messages = (talking() if place == "memory" else Recording.open(tmp_path / "run")).messages
    assert messages is not None
    assert messages.ticks.tolist() == [1, 1, 2, 2, 3, 3, 4, 4]
    assert messages.senders.tolist() == [1, 2] * 4
    assert messages.receivers.tolist() == [0, 1] * 4
    assert messages.bytes.tolist() == [9, 1, 9, 2, 9, 3, 9, 4]
    assert messages.status.tolist() == [0, 2, 0, 0, 0, 1, 0, 0]


def test_tables_say_it_in_words(tmp_path: Path) -> None:
    talking(tmp_path / "run")
    rows = duckdb.sql(f"FROM '{tmp_path}/run/messages.parquet' WHERE tick IN (1, 3) AND receiver = '{{b}}'").fetchall()
    assert rows == [(1, "c", "{b}", 1, "loss"), (3, "c", "{b}", 3, "occlusion")]


def test_equal_messages_are_equal_files(tmp_path: Path) -> None:
    talking(tmp_path / "a")
    talking(tmp_path / "b", flush=True)
    assert (tmp_path / "a/messages.parquet").read_bytes() == (tmp_path / "b/messages.parquet").read_bytes()


def test_packets_received_and_lost_over_time() -> None:
    received, lost = (values_of(talking(), name, [0, 1, 2]).numbers for name in ("received", "lost"))
    assert np.isnan(received[0]).all()
    assert received[1:].tolist() == [[1, 0, 0], [1, 1, 0], [1, 0, 0], [1, 1, 0]]
    assert lost[1:].tolist() == [[0, 1, 0], [0, 0, 0], [0, 1, 0], [0, 0, 0]]


def test_the_graph_of_links_is_that_of_the_moment() -> None:
    pytest.importorskip("matplotlib")
    notes = [
        next(text.get_text() for text in links_figure(talking(), tick).axes[0].texts if "packet" in text.get_text())
        for tick in (2, 3)
    ]
    assert notes == [
        "2 packets received, 0 lost: 2 links, 1 group",
        "1 packet received, 1 lost: 1 link, 2 groups (by colour)",
    ]


def test_without_messages_the_error_says_how_to_record_them() -> None:
    recorder = Recorder(RunDescription("quiet.yaml", 1, robots=(RobotMark("a"),)))
    recorder.record_tick(0, np.zeros((1, 3)))
    recording = recorder.close()
    assert recording.messages is None
    for ask in (lambda: links_figure(recording, 0), lambda: values_of(recording, "lost", [0])):
        with pytest.raises(InputError, match="message") as error:
            ask()
        assert error.value.diagnostics[0].hint == "record with: pybuzz run --record-messages"
