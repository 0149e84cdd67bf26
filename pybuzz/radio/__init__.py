"""Who hears whom: range, occlusion and packet sizes, from poses; for simulation and deployment alike.

Poses flow in, Links flow out. What stands between two robots is asked of an occluder that the simulation hands in;
this room knows neither worlds nor scripts.
"""

from pybuzz.radio.antennas import antennas_of, bearings, facing
from pybuzz.radio.links import Links
from pybuzz.radio.medium import Occluder, Radio
from pybuzz.radio.table import ranks_in_table

__all__ = ["Links", "Occluder", "Radio", "antennas_of", "bearings", "facing", "ranks_in_table"]
