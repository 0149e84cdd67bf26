"""Single rays: `first_hit`, which kernels call, for tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import kernel
from pybuzz.sim import rays


@kernel
def first_hit(
    lattice: NDArray[np.float64],
    tallest: NDArray[np.float64],
    starts: NDArray[np.int32],
    items: NDArray[np.int32],
    outlines: NDArray[np.float64],
    frame: NDArray[np.float64],
    cells: NDArray[np.uint8],
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
    ignored: int,
) -> tuple[float, int]:
    """See rays.first_hit."""
    return rays.first_hit(lattice, tallest, starts, items, outlines, frame, cells, ax, ay, az, bx, by, bz, ignored)
