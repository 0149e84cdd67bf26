"""Loading puts Python's search for garbage off, and leaves it as it was."""

import gc
import weakref

import pytest

from pybuzz.experiment import garbage
from pybuzz.experiment.garbage import search_put_off


class _Looped:
    """Holds itself, so that only a search finds it."""

    def __init__(self) -> None:
        self.itself = self


def test_nothing_is_searched_within_the_block_and_all_of_it_once_if_it_made_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(garbage, "_MANY", 5000)
    searched: list[int] = []
    gc.callbacks.append(lambda phase, found: searched.append(found["generation"]) if phase == "start" else None)
    try:
        with search_put_off():
            made = [[] for _ in range(6000)]
            assert searched == []
        assert searched == [2]
    finally:
        gc.callbacks.pop()
    assert len(made) == 6000


def test_a_block_that_fails_leaves_the_search_on() -> None:
    with pytest.raises(ValueError, match="of the block"), search_put_off():
        raise ValueError("of the block")
    assert gc.isenabled()


def test_a_block_that_throws_much_away_is_cleaned_up_after(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "_ENDLESS", 5000)
    thresholds = gc.get_threshold()
    with search_put_off():
        thrown_away = _Looped()
        is_there = weakref.ref(thrown_away)
        del thrown_away
        made = [[] for _ in range(6000)]
        assert is_there() is None
    assert len(made) == 6000
    assert gc.get_threshold() == thresholds


def test_who_has_switched_it_off_finds_it_off() -> None:
    gc.disable()
    try:
        with search_put_off():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
