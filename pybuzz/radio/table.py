"""From which end ARGoS looks along a pair of robots: the order of its table of antennas.

Where a third robot stands between two, its top is exactly as high as the ray, and rounding decides, which depends on
the end where the ray starts. ARGoS 3 keeps antennas in a hash table (libstdc++'s `std::tr1::unordered_map`) under
their index in the flat list of all entities and components, and takes the earlier of the two as the start.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["ranks_in_table"]

_SIZES = (11, 23, 47, 97, 199, 409, 823, 1741, 3739, 7517, 15173, 30727, 62233, 126271, 256279)
"""Numbers of buckets: the least prime of the library's list of at least twice the size before."""


def ranks_in_table(indices: Sequence[int]) -> NDArray[np.int64]:
    """int64[n]: the place of each antenna when the table is walked; `indices` in order of creation.

    An index goes to the front of its bucket (index modulo the number of buckets); when the table is full, its buckets
    are walked in order and every index is moved to the front of its new bucket.
    """
    sizes = iter(_SIZES)
    buckets: list[list[int]] = [[] for _ in range(next(sizes))]
    for count, index in enumerate(indices):
        if count == len(buckets):
            walked = [member for bucket in buckets for member in bucket]
            buckets = [[] for _ in range(next(sizes))]
            for member in walked:
                buckets[member % len(buckets)].insert(0, member)
        buckets[index % len(buckets)].insert(0, index)
    rank = {index: place for place, index in enumerate(member for bucket in buckets for member in bucket)}
    return np.array([rank[index] for index in indices], dtype=np.int64)
