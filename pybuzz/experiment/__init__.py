"""What is run: the experiment's data, placing, hooks and the run loop."""

from pybuzz.experiment.experiment import Experiment, RunOptions, load
from pybuzz.experiment.hooks import Hooks

__all__ = ["Experiment", "Hooks", "RunOptions", "load"]
