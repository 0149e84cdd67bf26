"""A robot's body as a script sees it: functions and tables of a Khepera IV.

Readings in SI flow in from a Body, simulated or real; commands flow out. Knows nothing of worlds or links.
"""

from pybuzz.khepera.bindings import Bindings
from pybuzz.khepera.body import ACTUATORS, SENSORS, Body, Command, RawBody
from pybuzz.khepera.model import KheperaModel, load_model
from pybuzz.khepera.names import robot_names, signatures
from pybuzz.khepera.notes import Notes, Ray
from pybuzz.khepera.steering import Steering, WheelNoise, WheelTurning
from pybuzz.khepera.wheels import WheelOrders

__all__ = [
    "ACTUATORS", "SENSORS", "Bindings", "Body", "Command", "KheperaModel", "Notes", "RawBody", "Ray", "Steering",
    "WheelNoise", "WheelOrders", "WheelTurning", "load_model", "robot_names",
    "signatures",
]  # fmt: skip
