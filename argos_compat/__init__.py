"""Reads ARGoS experiment files (`.argos`) into a pybuzz Plan.

`read` is found by the loader through the entry point group `pybuzz.experiment_readers`. Knows the format and its
rules; placing, stepping and recording are the same as for every experiment.
"""

from argos_compat.scene import read

__all__ = ["read"]
