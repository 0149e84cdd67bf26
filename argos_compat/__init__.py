"""Reads ARGoS experiment files (`.argos`) into a pybuzz Plan."""
