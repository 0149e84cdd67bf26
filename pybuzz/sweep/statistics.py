"""Mean and interval of a measure over the repetitions of each combination of parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Estimate", "bootstrap_interval", "estimates"]

RESAMPLES = 2000
CONFIDENCE = 0.95
SEED = 20260101
"""Of the resampling: the same results give the same intervals."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measure at one combination: mean, 95 % interval of the mean, number of runs."""

    parameters: Mapping[str, Any]
    measure: str
    mean: float
    low: float
    high: float
    n: int


def estimates(rows: Sequence[Mapping[str, Any]], keys: Sequence[str], measures: Sequence[str]) -> list[Estimate]:
    """For each combination of `keys` that occurs and each measure, over the runs that are done. nan is left out."""
    groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for row in rows:
        if row["status"] == "done":
            groups.setdefault(tuple(row[key] for key in keys), []).append(row)
    found = []
    for values, members in groups.items():
        for measure in measures:
            numbers = np.array([row[measure] for row in members if isinstance(row[measure], int | float)], dtype=float)
            numbers = numbers[~np.isnan(numbers)]
            if len(numbers):
                low, high = bootstrap_interval(numbers)
                parameters = dict(zip(keys, values, strict=True))
                found.append(Estimate(parameters, measure, float(numbers.mean()), low, high, len(numbers)))
    return found


def bootstrap_interval(values: NDArray[np.float64]) -> tuple[float, float]:
    """The percentile bootstrap interval of the mean (Efron and Tibshirani, 1993), 95 %. values: float64[n], n >= 1."""
    generator = np.random.Generator(np.random.PCG64(SEED))
    means = values[generator.integers(0, len(values), size=(RESAMPLES, len(values)))].mean(axis=1)
    low, high = np.quantile(means, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return float(low), float(high)
