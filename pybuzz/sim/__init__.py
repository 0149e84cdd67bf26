"""The world: bodies and obstacles as arrays, physics, lights, sensors.

Wheel speeds flow in, poses and readings flow out. Knows nothing of scripts or files.
"""
