"""Values over time, distances and neighbours: numbers known beforehand, and the lines that are drawn of them."""

import math
from pathlib import Path

import numpy as np
import pytest

from pybuzz.errors import InputError
from pybuzz.recording import ArenaMark, Recorder, Recording, RobotMark, RunDescription
from pybuzz.recording.canvas import save_figure, show_figure
from pybuzz.recording.curves import curves_figure
from pybuzz.recording.graphs import groups_of, links_within, neighbors_figure
from pybuzz.recording.plotting import trajectory_figure
from pybuzz.recording.sensor_plots import sensor_figure
from pybuzz.recording.values import values_of


def row(robots: int = 3, ticks: int = 10) -> Recording:
    """Robot i drives at (i + 1) / 10 m/s along y = i; it counts ticks, and waits for the first half."""
    description = RunDescription(
        "row.yaml", 5, robots=tuple(RobotMark(f"kh{index}") for index in range(robots)), arena=ArenaMark((8, 8))
    )
    recorder = Recorder(description, sensors=["ring", "battery"], globals_=["count", "state", "list"])
    rates = np.arange(1, robots + 1) / 10
    for tick in range(ticks + 1):
        poses = np.stack([rates * tick / 10, np.arange(robots), np.zeros(robots)], axis=1)
        ring = np.tile(np.array([0.1, 0.9, 0.5]), (robots, 1)) * tick
        recorder.record_tick(
            tick,
            poses,
            sensors={"ring": ring, "battery": np.full((robots, 1), 1 - tick / 100)},
            globals_={
                "count": [tick] * robots,
                "state": ["wait" if tick < ticks / 2 else "drive"] * robots,
                "list": [{0: tick}] * robots,
            },
        )
    return recorder.close()


def test_speed_is_the_way_of_each_tick_by_its_time() -> None:
    speed = values_of(row(), "speed", [0, 1, 2])
    np.testing.assert_allclose(speed.numbers[1:], np.tile([0.1, 0.2, 0.3], (10, 1)))
    assert np.isnan(speed.numbers[0]).all()
    assert (speed.unit, speed.lines, speed.times[-1]) == ("m/s", ["kh0", "kh1", "kh2"], 1.0)


def test_distances_of_all_pairs_and_to_the_nearest() -> None:
    distance = values_of(row(), "distance", [0, 1, 2])
    assert distance.lines == ["kh0 - kh1", "kh0 - kh2", "kh1 - kh2"]
    np.testing.assert_allclose(distance.numbers[0], [1, 2, 1])
    np.testing.assert_allclose(distance.numbers[10], [math.hypot(0.1, 1), math.hypot(0.2, 2), math.hypot(0.1, 1)])
    np.testing.assert_allclose(values_of(row(), "nearest", [0, 2]).numbers[0], [2, 2])


def test_sensors_give_one_value_or_one_over_all() -> None:
    recording = row()
    for name, value in (("ring[1]", 9), ("ring.max", 9), ("ring.min", 1), ("ring.mean", 5), ("battery", 0.9)):
        np.testing.assert_allclose(values_of(recording, name, [2]).numbers[10], [value])


def test_texts_become_numbers_in_the_order_of_the_alphabet() -> None:
    state = values_of(row(), "state", [0])
    assert state.categories == ("drive", "wait")
    assert state.numbers[:, 0].tolist() == [1] * 5 + [0] * 6


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("spede", "'spede' was not recorded", "did you mean 'speed'?"),
        ("ring", "the sensor 'ring' has 3 values; which?", "say ring[0] to ring[2]"),
        ("ring[3]", "the sensor 'ring' has 3 values; which?", "say ring[0] to ring[2]"),
        ("list", "'list' never holds a number or a text", "pybuzz query"),
        ("ring.median", "'ring.median' was not recorded", "there are: x, y, yaw"),
    ],
)
def test_what_cannot_be_drawn_is_said_with_what_can(name: str, message: str, hint: str) -> None:
    with pytest.raises(InputError) as error:
        curves_figure(row(), [name])
    assert message in str(error.value)
    assert hint in error.value.diagnostics[0].hint


def test_few_robots_have_a_line_each() -> None:
    axes = curves_figure(row(), ["x"]).axes[0]
    assert [line.get_label() for line in axes.lines] == ["kh0", "kh1", "kh2"]
    np.testing.assert_allclose(axes.lines[2].get_ydata(), np.arange(11) * 0.03)
    assert axes.get_ylabel() == "x (m)"


def test_many_robots_have_a_mean_and_two_bands() -> None:
    axes = curves_figure(row(11), ["speed"]).axes[0]
    assert axes.get_legend_handles_labels()[1] == ["least to greatest", "middle half", "mean"]
    np.testing.assert_allclose(axes.lines[0].get_ydata(), 0.6)  # the mean of 0.1, 0.2 ... 1.1
    heights = axes.collections[0].get_paths()[0].vertices[:, 1]
    assert (heights.min(), heights.max()) == (pytest.approx(0.1), pytest.approx(1.1))


def test_one_may_ask_for_lines_or_for_the_mean() -> None:
    assert len(curves_figure(row(11), ["x"], each=True).axes[0].lines) == 11
    assert len(curves_figure(row(3), ["x"], each=False).axes[0].lines) == 1


def test_the_mean_of_texts_is_how_many_robots_are_at_each() -> None:
    axes = curves_figure(row(12), ["state"]).axes[0]
    counts = {line.get_label(): line.get_ydata().tolist() for line in axes.lines}
    assert counts == {"drive": [0] * 5 + [12] * 6, "wait": [12] * 5 + [0] * 6}
    axes.figure.draw_without_rendering()
    labels = {label.get_text() for label in axes.get_yticklabels()}
    assert labels >= {"0", "2", "10"}  # counts, not the places of the two states


def test_several_values_stand_under_each_other_over_the_same_time() -> None:
    panels = curves_figure(row(), ["x", "count", "ring.max"]).axes
    assert [axes.get_ylabel() for axes in panels] == ["x (m)", "count", "ring.max"]
    assert {axes.get_xlim() for axes in panels} == {(0.0, 1.0)}


def test_equal_recordings_give_equal_curves_and_graphs(tmp_path: Path) -> None:
    for name, draw in (
        ("c.png", lambda run: curves_figure(run, ["x"])),
        ("g.svg", lambda run: neighbors_figure(run, 5, 2)),
    ):
        one, two = (save_figure(draw(row()), tmp_path / folder / name) for folder in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()


def test_links_join_robots_that_are_closer_than_the_range() -> None:
    places = np.array([[0, 0], [1, 0], [3, 0], [3, 0.5]], dtype=float)
    assert links_within(places, 1.0).tolist() == [[2, 3]]
    assert links_within(places, 1.01).tolist() == [[0, 1], [2, 3]]


def test_groups_are_what_links_connect_the_largest_first() -> None:
    links = np.array([[4, 3], [3, 2], [1, 5]])
    assert groups_of(7, links) == [2, 1, 0, 0, 0, 1, 3]
    assert groups_of(50, np.array([[index, index + 1] for index in range(49)][::-1])) == [0] * 50
    assert groups_of(2, np.empty((0, 2), dtype=np.int64)) == [0, 1]


def test_the_neighbour_graph_counts_its_links_and_groups() -> None:
    axes = neighbors_figure(row(), 10, 1.5).axes[0]
    texts = [text.get_text() for text in axes.texts]
    assert texts == ["kh0", "kh1", "kh2", "2 links shorter than 1.5 m, 1 group; walls are not looked at"]
    pieces = axes.collections[0].get_segments()
    np.testing.assert_allclose(pieces[0], [[0.1, 0], [0.2, 1]])


def test_no_window_without_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matplotlib.get_backend", lambda: "agg")
    with pytest.raises(InputError, match="no window can be opened here") as error:
        show_figure(curves_figure(row(), ["x"]))
    assert error.value.diagnostics[0].hint == "write a file instead: -o plot.png"


def test_a_figure_shows_itself_in_a_notebook() -> None:
    figure = curves_figure(row(), ["x"])
    assert figure._repr_png_().startswith(b"\x89PNG\r\n")
    assert neighbors_figure(row(), 5, 1.0)._repr_png_().startswith(b"\x89PNG\r\n")


def test_an_empty_title_is_no_title() -> None:
    recording = row()
    figures = (
        curves_figure(recording, ["x"], title=""),
        neighbors_figure(recording, 5, 1.0, title=""),
        trajectory_figure(recording, title=""),
        sensor_figure(recording, "ring", title=""),
    )
    assert [figure.axes[0].get_title(loc="left") for figure in figures] == [""] * 4


def test_a_variable_named_like_a_built_in_value_is_drawn_itself() -> None:
    names = ["x", "speed", "nearest", "received"]
    recorder = Recorder(RunDescription("own.yaml", 5, robots=(RobotMark("kh0"), RobotMark("kh1"))), globals_=names)
    for tick in range(3):
        recorder.record_tick(tick, np.zeros((2, 3)), globals_={name: [40 + tick] * 2 for name in names})
    recording = recorder.close()
    for name in names:
        values = values_of(recording, name, [0, 1])
        assert (values.numbers[:, 0].tolist(), values.unit) == ([40, 41, 42], "")


def test_an_angle_has_a_gap_where_it_wraps() -> None:
    recorder = Recorder(RunDescription("turn.yaml", 5, robots=(RobotMark("kh0"),)))
    for tick, yaw in enumerate([2.5, 3.0, -3.0, -2.5]):
        recorder.record_tick(tick, np.array([[0.0, 0.0, yaw]]))
    drawn = curves_figure(recorder.close(), ["yaw"]).axes[0].lines[0].get_ydata()
    np.testing.assert_array_equal(drawn, [2.5, 3.0, np.nan, -3.0, -2.5])
