"""Arguments from Python code: refused with a message where they would fail far from their cause."""

from __future__ import annotations

from operator import index

from pybuzz.errors import InputError

__all__ = ["whole"]


def whole(name: str, value: object, *, most: int | None = None) -> int | None:
    """The whole number from 0 on, at most `most`; None stays None. Raises InputError for anything else."""
    if value is None:
        return None
    limit = "" if most is None else f" to {most}"
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if number < 0 or (most is not None and number > most):
        raise InputError.at(name, f"{value!r} is no whole number from 0{limit or ' on'}")
    return number
