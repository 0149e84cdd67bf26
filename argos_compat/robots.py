"""The robots and devices of ARGoS, and which of them there are here.

A Khepera IV can stand in for another robot (`--substitute`): its devices are read as the Khepera's nearest ones,
what has no counterpart is listed.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "CONTROLLERS",
    "DEVICES",
    "KNOWN_ELSEWHERE",
    "LEFT_OUT",
    "OTHER_ROBOTS",
    "UNSEEN_SENSORS",
    "KindOfDevice",
    "Stand",
]


@dataclass(frozen=True, slots=True)
class KindOfDevice:
    """A device: its name in the Plan, and the implementations that ARGoS has of it."""

    name: str
    implementations: tuple[str, ...] = ("default",)


@dataclass(frozen=True, slots=True)
class Stand:
    """What happens to a robot of another kind when a Khepera IV stands in for it.

    `devices`: its sensors and actuators that become the Khepera's. `lost`: what its scripts find no more.
    """

    devices: dict[str, str]
    lost: tuple[str, ...]


CONTROLLERS = {
    "buzz_controller_kheperaiv": "kheperaiv",
    "buzz_controller_footbot": "foot-bot",
    "buzz_controller_epuck": "e-puck",
}
"""Buzz controllers and the robot whose devices they know."""

DEVICES: dict[str, dict[str, KindOfDevice]] = {
    "actuators": {
        "differential_steering": KindOfDevice("wheels"),
        "leds": KindOfDevice("leds"),
        "range_and_bearing": KindOfDevice("radio"),
    },
    "sensors": {
        "range_and_bearing": KindOfDevice("radio", ("medium",)),
        "kheperaiv_proximity": KindOfDevice("proximity"),
        "kheperaiv_ultrasound": KindOfDevice("ultrasound"),
        "kheperaiv_light": KindOfDevice("light", ("rot_z_only",)),
        "kheperaiv_ground": KindOfDevice("ground", ("rot_z_only",)),
        "kheperaiv_lidar": KindOfDevice("lidar"),
        "positioning": KindOfDevice("pose"),
        "battery": KindOfDevice("battery"),
        "differential_steering": KindOfDevice("wheel_sensor"),
    },
}
"""The devices of a Khepera IV by their tags."""

UNSEEN_SENSORS = frozenset({"proximity", "light", "ground"})
"""Generic sensors that a Khepera IV can have in ARGoS, and that no Buzz script sees."""

OTHER_ROBOTS = {
    "foot-bot": Stand(
        {"footbot_proximity": "kheperaiv_proximity", "footbot_light": "kheperaiv_light",
         "footbot_motor_ground": "kheperaiv_ground"},
        ("camera_enable", "camera_disable", "blobs", "gripper_lock", "gripper_unlock", "turret_enable",
         "turret_disable", "turret_set", "set_led", "wheels"),
    ),
    "e-puck": Stand(
        {"epuck_proximity": "kheperaiv_proximity", "epuck_light": "kheperaiv_light",
         "epuck_ground": "kheperaiv_ground", "epuck_range_and_bearing": "range_and_bearing"},
        ("blobs", "set_led", "wheels"),
    ),
}  # fmt: skip
"""Robots that a Khepera IV can stand in for: on two wheels, in the plane."""

LEFT_OUT = "none"
"""What is put in place of robots that are left out."""

KNOWN_ELSEWHERE = ("eye-bot", "spiri", "pipuck", "builderbot", "drone", "block", "prototype", "mini-quadrotor")
"""Entities of ARGoS that there are not here."""
