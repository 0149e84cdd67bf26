"""Who hears whom in one tick."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Links"]


@dataclass(frozen=True, slots=True)
class Links:
    """Compressed rows: receiver i hears links starts[i] to starts[i + 1] - 1, senders in order of creation.

    starts: int64[n + 1]; senders: int64[m]; distance_m, azimuth_rad (in the receiver's frame, in [-pi, pi]) and
    elevation_rad: float64[m].
    """

    starts: NDArray[np.int64]
    senders: NDArray[np.int64]
    distance_m: NDArray[np.float64]
    azimuth_rad: NDArray[np.float64]
    elevation_rad: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.senders)

    def of(self, receiver: int) -> slice:
        """The links of one receiver."""
        return slice(int(self.starts[receiver]), int(self.starts[receiver + 1]))
