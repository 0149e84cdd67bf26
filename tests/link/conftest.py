from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="module")
def _no_thread_outlives_its_tests() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    started = [thread for thread in threading.enumerate() if thread not in before]
    for thread in started:
        thread.join(5.0)
    assert not [thread.name for thread in started if thread.is_alive()]
