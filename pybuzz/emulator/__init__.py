"""Simulated robots that answer like real ones.

An experiment's Plan flows in, its robots stand in the simulator's world and are driven by what bridges order over TCP
ports or pseudo terminals; a log of every line flows out. Knows kh4server's side of the protocol and what can go wrong
with it; of the link room it knows the codecs alone, and nothing of scripts.
"""

from pybuzz.emulator.faults import FAULTS, Fault, parse_fault
from pybuzz.emulator.process import EmulatorProcess

__all__ = ["FAULTS", "EmulatorProcess", "Fault", "parse_fault"]
