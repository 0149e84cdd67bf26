"""Many runs: an experiment over parameters and seeds, on all cores or on a Dask cluster, with the statistics.

A sweep file flows in and becomes a list of runs, plain data; workers load, run and measure each; results flow into a
folder from which the same command goes on later. Knows experiments and recordings, not what is inside them.
"""

from pybuzz.sweep.campaign import Outcome, run_sweep
from pybuzz.sweep.plan import Run, Sweep
from pybuzz.sweep.sweep_file import read_sweep

__all__ = ["Outcome", "Run", "Sweep", "read_sweep", "run_sweep"]
