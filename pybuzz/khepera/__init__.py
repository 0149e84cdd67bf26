"""A robot's body as a script sees it: functions and tables of a Khepera IV.

Readings in SI flow in from a Body, simulated or real; commands flow out. Knows nothing of worlds or links.
"""
