"""A sensor of one's own: how far the nearest obstacle is, whatever direction it lies in."""

from pybuzz import sensor


@sensor("nearest", fields=("distance",))
class Nearest:
    """In m from the robot's centre, at most `range`."""

    def __init__(self, range: float = 2.0) -> None:
        self._range = range

    def read(self, robot, world):
        return min(world.distance_to_nearest_obstacle(robot.position), self._range)
