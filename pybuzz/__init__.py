"""pybuzz: a runtime for Buzz, the language for robot swarms, with Khepera IV robots to run it on.

Importing the package costs next to nothing: the names below are imported when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pybuzz.errors import InputError, PybuzzError, ScriptError
    from pybuzz.experiment import Experiment, Hooks, RunOptions, load
    from pybuzz.recording import Recording
    from pybuzz.sim.heightmap import VectorizedUrbanMap
    from pybuzz.sim.heightmap_lidar import VectorizedLiDAR
    from pybuzz.sim.own_sensors import sensor

__version__ = "0.1.0"

__all__ = [
    "Experiment", "Hooks", "InputError", "PybuzzError", "Recording", "RunOptions", "ScriptError", "VectorizedLiDAR",
    "VectorizedUrbanMap", "__version__", "load", "sensor",
]  # fmt: skip

_HOMES = {
    "Experiment": "pybuzz.experiment",
    "Hooks": "pybuzz.experiment",
    "InputError": "pybuzz.errors",
    "PybuzzError": "pybuzz.errors",
    "Recording": "pybuzz.recording",
    "RunOptions": "pybuzz.experiment",
    "ScriptError": "pybuzz.errors",
    "VectorizedLiDAR": "pybuzz.sim.heightmap_lidar",
    "VectorizedUrbanMap": "pybuzz.sim.heightmap",
    "load": "pybuzz.experiment",
    "sensor": "pybuzz.sim.own_sensors",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'pybuzz' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
