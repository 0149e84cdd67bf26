"""Pictures of what a sensor read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pybuzz.errors import InputError
from pybuzz.recording import Recorder, Recording, RobotMark, RunDescription
from pybuzz.recording.sensor_plots import plot_sensor, sensor_figure

pytest.importorskip("matplotlib")


def recorded(columns: int) -> Recording:
    """Two robots, four ticks; column c of robot r reads tick + 10 c + 100 r."""
    robots = (RobotMark("kh1"), RobotMark("kh2"))
    recorder = Recorder(RunDescription("demo.yaml", 1, 10, robots), sensors=("probe",))
    for tick in range(4):
        values = tick + 10.0 * np.arange(columns) + 100.0 * np.arange(2)[:, None]
        recorder.record_tick(tick, np.zeros((2, 3)), np.zeros((2, 3), dtype=np.uint8), {"probe": values})
    return recorder.close("completed")


def test_few_columns_are_lines_over_the_time() -> None:
    (axes,) = sensor_figure(recorded(3), "probe", robot="kh2").axes
    lines = axes.get_lines()
    assert [line.get_ydata().tolist() for line in lines] == [
        [100, 101, 102, 103],
        [110, 111, 112, 113],
        [120, 121, 122, 123],
    ]
    assert lines[0].get_xdata().tolist() == [0, 0.1, 0.2, 0.3]
    assert axes.get_title(loc="left") == "probe of kh2"


def test_many_columns_are_a_picture_with_a_bar_of_values() -> None:
    axes, *_ = sensor_figure(recorded(30), "probe").axes
    (image,) = axes.get_images()
    assert image.get_array().shape == (30, 4)
    assert image.get_array()[29].tolist() == [290, 291, 292, 293]


def test_equal_recordings_give_equal_pictures(tmp_path: Path) -> None:
    files = [plot_sensor(recorded(2), "probe", tmp_path / name) for name in ("a.svg", "b.svg")]
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sensor": "prob"}, "demo.yaml: error: the recording has no sensor 'prob'\n  hint: did you mean 'probe'?"),
        ({"sensor": "lidar"}, "demo.yaml: error: the recording has no sensor 'lidar'\n  hint: run it again with"),
        ({"sensor": "probe", "robot": "kh3"}, "demo.yaml: error: the recording has no robot 'kh3'"),
    ],
)
def test_what_was_not_recorded_is_named(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        sensor_figure(recorded(1), **arguments)
    assert str(caught.value).startswith(message)
