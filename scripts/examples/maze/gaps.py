"""A Python controller: towards the goal, but along the beam that leads farthest in about that direction."""

import math


def drive(robot, world, goal, cfg, dt, lidar_readings=None):
    to_goal = math.atan2(goal[1] - robot.y, goal[0] - robot.x)
    if math.hypot(goal[0] - robot.x, goal[1] - robot.y) < 0.1:
        return {"v": 0.0, "omega": 0.0}

    def worth(beam):
        angle, distance, _ = beam
        return min(distance, 1.0) + 0.35 * math.cos(angle - to_goal) + 0.25 * math.cos(angle - robot.yaw)

    scan = list(lidar_readings)
    best, _, _ = max(scan, key=worth)
    turn = math.remainder(best - robot.yaw, 2.0 * math.pi)
    near = min(scan, key=lambda beam: beam[1])
    if near[1] < cfg["margin"]:
        away = math.remainder(near[0] - robot.yaw, 2.0 * math.pi)
        turn -= math.copysign(0.6 * (1.0 - near[1] / cfg["margin"]), away)
    return {"v": cfg["speed"] * max(0.0, math.cos(turn)), "omega": 2.0 * turn}
