from __future__ import annotations

from pathlib import Path

import pytest
from benches import ALONE, Bench, scene_of


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A robot alone in the middle of an arena of 4 m."""
    return Bench(scene_of(tmp_path, ALONE))
