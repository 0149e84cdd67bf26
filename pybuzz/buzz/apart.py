"""Data of neighbours that come apart: as three numbers, where scripts see a table of distance, azimuth and elevation.

A function that only reads these three fields of its second argument is compiled to take the distance in the table's
place, and azimuth and elevation after all other arguments. Its docstring says so. Its Python parameters for data `d`
are `_d.distance`, `_d.azimuth` and `_d.elevation`, which no name in a script can be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from pybuzz.buzz.tables import Table

__all__ = ["APART", "DATA_FIELDS", "DATA_POSITION", "put_together", "takes_apart", "whole_names"]

DATA_FIELDS: Final = ("distance", "azimuth", "elevation")

DATA_POSITION: Final = 1
"""Of the data among the arguments of a function: after the robot."""

APART: Final = "takes data apart"
"""Docstring of such a function: what is read the fastest of all that a function has."""


def takes_apart(function: Callable[..., Any]) -> bool:
    """Whether a function is compiled to take data apart."""
    return function.__doc__ == APART


def whole_names(names: Iterable[str]) -> list[str]:
    """Names of parameters, with one name for data that come apart."""
    return list(dict.fromkeys(name.partition(".")[0] for name in names))


def put_together(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values by name, with one table for data that come apart."""
    found: dict[str, Any] = {}
    for name, value in values.items():
        whole, dot, field = name.partition(".")
        if not dot:
            found[name] = value
        else:
            found.setdefault(whole, Table()).store(field, value)
    return found
