from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest
from rehearsals import HALL, Lateness, rehearse, write_scene

from pybuzz.emulator.process import EmulatorProcess


@pytest.fixture(autouse=True, scope="session")
def _ahead_of_others() -> Iterator[None]:
    """What keeps real time goes before what does not, where that is allowed: these tests run on busy machines."""
    before = os.getpriority(os.PRIO_PROCESS, 0)
    with suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, min(before, -10))
    yield
    with suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, before)


@pytest.fixture(scope="session")
def hall(_ahead_of_others: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmulatorProcess]:
    """Emulated robots on TCP ports for tests of many files: each takes a Share of its own."""
    folder = tmp_path_factory.mktemp("hall")
    with rehearse(write_scene(folder, robots=25, scene=HALL), folder) as running:
        yield running


@pytest.fixture(scope="session")
def terminal(_ahead_of_others: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmulatorProcess]:
    """One robot on a pseudo terminal, as kh4server's line is on the robot."""
    folder = tmp_path_factory.mktemp("terminal")
    with rehearse(write_scene(folder), folder, terminals=True) as running:
        yield running


@pytest.fixture
def lateness() -> Iterator[Lateness]:
    """This machine's, during a test."""
    with Lateness() as watched:
        yield watched


@pytest.fixture(autouse=True, scope="module")
def _no_thread_outlives_its_tests() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    started = [thread for thread in threading.enumerate() if thread not in before]
    for thread in started:
        thread.join(5.0)
    assert not [thread.name for thread in started if thread.is_alive()]
