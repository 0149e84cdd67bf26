"""What is run: the experiment's data, placing, hooks and the run loop."""

from pybuzz.experiment.conversion import convert_file
from pybuzz.experiment.experiment import Experiment, RunOptions
from pybuzz.experiment.hooks import Hooks
from pybuzz.experiment.loading import load
from pybuzz.experiment.reading import check_experiment_file, read_plan

__all__ = ["Experiment", "Hooks", "RunOptions", "check_experiment_file", "convert_file", "load", "read_plan"]
