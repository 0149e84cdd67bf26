"""The wheel without extras: whatever needs one says so, with the command that adds it."""

from __future__ import annotations

from importlib.metadata import requires

import pytest

MODULES = {
    "plot": ["matplotlib", "imageio_ffmpeg"], "mcap": ["mcap"], "sweep": ["distributed"],
    "view": ["starlette", "uvicorn", "websockets"], "gpu": ["torch"],
}  # fmt: skip
"""Of each extra, what is imported."""
STUDY = "experiment: still.bzz\nticks: 2\nrepetitions: 2\nmeasures: {way: distance_travelled}\n"
STILL = "function init() { }\nfunction step() { }\n"
DEVICE = """
from pybuzz.errors import InputError
from pybuzz.sim.heightmap import VectorizedUrbanMap

try:
    VectorizedUrbanMap(1, (20, 20, 10), device="cuda")
except InputError as error:
    print(error)
"""


def test_the_extras_are_those_of_the_package() -> None:
    """Told by the environment of the tests, so that an extra that is added is added here too."""
    found = {text.rpartition("extra ==")[2].strip(" '\"") for text in requires("pybuzz") or [] if "extra ==" in text}
    assert found - {"all", "dev"} == MODULES.keys()


def test_no_extra_is_installed(installed) -> None:
    modules = [module for modules in MODULES.values() for module in modules]
    program = f"from importlib.util import find_spec; print([name for name in {modules} if find_spec(name)])"
    assert installed.evaluate(program) == "[]"


@pytest.mark.parametrize(
    ("extra", "command"),
    [
        ("plot", "plot recorded -o drawn.png"),
        ("plot", "render recorded -o drawn.mp4"),
        ("mcap", "export recorded -o recorded.mcap"),
        ("sweep", "sweep study.yaml -o out"),
        ("view", "view still.bzz"),
        ("view", "view recorded"),
    ],
)
def test_a_command_whose_extra_is_missing_tells_how_to_add_it(
    installed, recorded, write, extra: str, command: str
) -> None:
    write("still.bzz", STILL)
    write("study.yaml", STUDY)
    done = installed.run(*command.split())
    assert (done.returncode, f"pip install 'pybuzz[{extra}]'" in done.stderr) == (2, True), done.stderr


def test_a_device_whose_extra_is_missing_tells_how_to_add_it(installed) -> None:
    assert "pip install 'pybuzz[gpu]'" in installed.evaluate(DEVICE)
