"""A robot's mind: one program running as one robot among others.

Packets flow in and out; in between listeners, neighbours, swarms, stigmergy and the script's own functions run.
Knows nothing of wheels, sensors or where the packets come from.
"""
