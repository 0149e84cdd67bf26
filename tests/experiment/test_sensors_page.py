"""docs/sensors.md: its programs run, its pictures are there, its options are those that the reader knows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pybuzz.errors import InputError
from pybuzz.experiment.yaml_file import read
from pybuzz.khepera.body import SENSORS
from pybuzz.sim import own_sensors

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "sensors.md").read_text()


@pytest.mark.parametrize("program", re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
def test_the_programs_of_the_page_run(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_sensors, "_registered", {})
    monkeypatch.chdir(DOCS.parent)
    exec(compile(program, "sensors.md", "exec"), {"__name__": "page"})


@pytest.mark.parametrize("sensor", [*SENSORS, "nearest"])
def test_every_sensor_has_its_line_and_its_picture(sensor: str) -> None:
    picture = f"images/sensors/{sensor}.png"
    assert picture in PAGE
    assert (DOCS / picture).stat().st_size < 100_000
    assert sensor == "nearest" or re.search(rf"^\| `{sensor}` \| .* \| .*[0-9.]+ \| \[", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("kind", "sensor"), [("line_follower", "line"), ("flyer", "clearance")])
def test_every_option_is_on_the_page(tmp_path: Path, kind: str, sensor: str) -> None:
    file = tmp_path / "e.yaml"
    file.write_text(
        f"arena: {{size: [9, 9]}}\n"
        f"robots: [{{kind: {kind}, script: null, at: [0, 0], sensors: {{{sensor}: {{zzz: 1}}}}}}]\n"
    )
    with pytest.raises(InputError) as caught:
        read(file)
    (fault,) = caught.value.diagnostics
    options = fault.hint.removeprefix("known keys: ").split(", ")
    assert len(options) > 3
    assert [option for option in options if f"`{option}`" not in PAGE] == []
