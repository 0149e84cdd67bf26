"""ARGoS experiment files (`.argos`): read into a pybuzz Plan, and written from one.

`read` is found by the loader through the entry point group `pybuzz.experiment_readers`, `write` beside it. Knows the
format and its rules; placing, stepping and recording are the same as for every experiment.
"""

from argos_compat.scene import read
from argos_compat.writing import write

__all__ = ["read", "write"]
