"""What the robots sense: each device's law for all robots at once, by default as documented, or exactly as ARGoS 3.

Poses flow in from the world; readings in SI flow out as arrays, computed when the first script of a tick asks.
Readings are doubles. ARGoS hands them to scripts in single precision: whoever gives them to a script rounds them.
"""

from pybuzz.sim.sensors.mounts import DeviceSpec, Mount, needs_generator
from pybuzz.sim.sensors.suite import Sensors

__all__ = ["DeviceSpec", "Mount", "Sensors", "needs_generator"]
