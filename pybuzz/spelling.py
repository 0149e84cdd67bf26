"""The one "did you mean" of the project: for Buzz names, XML names, options and configuration keys."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["did_you_mean", "nearest"]


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `word` is most likely a misspelling of, or None."""
    by_lower: dict[str, str] = {}
    for candidate in sorted(candidates):
        by_lower.setdefault(_plain(candidate), candidate)
    found = get_close_matches(_plain(word), by_lower, n=1, cutoff=0.7)
    return by_lower[found[0]] if found else None


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """A hint such as "did you mean 'set_leds'?", or None if nothing is near."""
    candidate = nearest(word, candidates)
    return f"did you mean '{candidate}'?" if candidate else None


def _plain(word: str) -> str:
    return word.lower().replace("_", "").replace("-", "")
