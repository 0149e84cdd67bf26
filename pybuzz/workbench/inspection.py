"""Everything about one robot at the end of a tick: where it is, what its script holds, senses, hears and says."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from pybuzz.buzz.values import text_of
from pybuzz.errors import PybuzzError
from pybuzz.experiment.experiment import Experiment
from pybuzz.experiment.robots import Robot
from pybuzz.khepera import signatures
from pybuzz.swarm.knowledge import Knowledge, Neighbor
from pybuzz.swarm.mind import Mind
from pybuzz.swarm.packets import Packet
from pybuzz.swarm.wire import (
    SWARM_JOIN,
    SWARM_LEAVE,
    SWARM_LIST,
    VSTIG_PUT,
    Broadcast,
    Message,
    SwarmMessage,
    WireClosure,
    WireTable,
    used_bytes,
)
from pybuzz.workbench.trees import Node, TreeMaker, branch, leaf
from pybuzz.workbench.variables import own_globals

__all__ = ["inspect"]

_MOST_MESSAGES: Final = 200
_SWARM_WORDS: Final = {SWARM_LIST: "is in swarms", SWARM_JOIN: "joins swarm", SWARM_LEAVE: "leaves swarm"}


def inspect(experiment: Experiment, robot: Robot) -> dict[str, Any]:
    """The fields of the message `inspection`, of this moment."""
    world = experiment.simulation.world
    heard, said = _messages(experiment, robot)
    return {
        "robot": robot.name,
        "tick": experiment.tick,
        "live": True,
        "pose": list(experiment.robots[robot.name].pose),
        "wheels": world.wheel_speeds[robot.body.index].tolist(),
        "error": None if robot.error is None else str(robot.error),
        "variables": _variables_of(robot),
        "sensors": {name: _sensed(robot, name) for name in sorted(robot.body.sensors)},
        "messages_in": heard,
        "messages_out": said,
    }


def _variables_of(robot: Robot) -> list[Node]:
    """The script's own globals, then the robot's tables that it uses, then what it knows of other robots."""
    mind = robot.mind
    if mind is None:
        return []
    machine, knowledge = mind.machine, mind.knowledge
    mentioned = machine.program.mentioned_globals
    own = own_globals(machine.program)
    tables = sorted(mentioned & signatures().tables)
    make = TreeMaker(knowledge)
    nodes = [make.node(name, machine.get_global(name)) for name in (*own, *tables)]
    return nodes + [show(make, knowledge) for name, show in _OTHERS.items() if name in mentioned]


def _neighbors(make: TreeMaker, knowledge: Knowledge) -> Node:
    heard = knowledge.neighbors or ()
    children = [_neighbor(one) for one in heard[:_MOST_MESSAGES]]
    if knowledge.topics:
        children.append(branch("listens to", ", ".join(map(text_of, knowledge.topics)), ()))
    text = f"{len(heard)} heard"
    return branch("neighbors", text, children, max(0, len(heard) - _MOST_MESSAGES))


def _neighbor(one: Neighbor) -> Node:
    readings = {"distance": one.distance_cm, "azimuth": one.azimuth_rad, "elevation": one.elevation_rad}
    children = [leaf(name, "float", f"{value:.9g}") for name, value in readings.items()]
    return branch(one.robot, f"{one.distance_cm:.1f} cm, {one.azimuth_rad:+.2f} rad", children)


def _swarms(make: TreeMaker, knowledge: Knowledge) -> Node:
    joined = [str(number) for number, member in knowledge.swarms.items() if member]
    text = f"in {', '.join(joined)}" if joined else "in none"
    return branch("swarm", text, [make.swarm(number, number) for number in knowledge.swarms])


def _stigmergies(make: TreeMaker, knowledge: Knowledge) -> Node:
    stores = [make.store(number, number) for number in knowledge.stores]
    return branch("stigmergy", f"{len(stores)} made", stores)


_OTHERS: Final = {"neighbors": _neighbors, "swarm": _swarms, "stigmergy": _stigmergies}


def _sensed(robot: Robot, sensor: str) -> list[float]:
    try:
        return list(robot.body.look(sensor))
    except PybuzzError:
        # A sensor of somebody's own that fails stops the run when a script reads it, and says why then.
        return []


# Messages


def _messages(experiment: Experiment, robot: Robot) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What came over the air in this tick, and who got what this robot sent, as far as anything was said."""
    simulation = experiment.simulation
    own, robots, packets = robot.body.index, simulation.robots, simulation.air.packets
    too_large = [] if robot.mind is None else _too_large(robot.mind)
    if len(packets) != len(robots) or not simulation.air.used:
        return [], too_large
    ways, single = simulation.air.passages(), _computes_in_single(robot)
    arriving, leaving = np.flatnonzero(ways.receivers == own).tolist(), np.flatnonzero(ways.senders == own).tolist()
    heard = [(ways.senders[way], ways.senders[way], ways.reason(way)) for way in arriving]
    said = [(ways.receivers[way], own, ways.reason(way)) for way in leaving]

    def shown(passages: list[tuple[int, int, str | None]]) -> list[dict[str, Any]]:
        told = [(other, packets[sender], lost) for other, sender, lost in passages if not packets[sender].is_silent]
        return [_message(robots[other], packet, lost, single=single) for other, packet, lost in told[:_MOST_MESSAGES]]

    return shown(heard), too_large + shown(said)


def _computes_in_single(robot: Robot) -> bool:
    return robot.mind is not None and robot.mind.machine.program.single_precision


def _message(other: Robot, packet: Packet, lost: str | None, *, single: bool) -> dict[str, Any]:
    texts = [_said(message) for message in reversed(packet.messages(single=single))]
    return {"robot": other.name, "size": used_bytes(packet.data), "lost": lost, "texts": texts}


def _too_large(mind: Mind) -> list[dict[str, Any]]:
    return [
        {"robot": None, "size": size, "lost": "too large for a packet", "texts": [text_of(what)]}
        for what, size in mind.oversized
    ]


def _said(message: Message) -> str:
    if isinstance(message, Broadcast):
        return f"{text_of(message.topic)}: {_sent(message.value)}"
    if isinstance(message, SwarmMessage):
        return f"{_SWARM_WORDS[message.kind]} {', '.join(map(str, message.swarms))}"
    verb = "puts" if message.kind == VSTIG_PUT else "asks for"
    return f"stigmergy {message.store} {verb} {_sent(message.key)} = {_sent(message.value)} (robot {message.robot})"


def _sent(value: Any) -> str:
    """A value as it travels."""
    if isinstance(value, WireTable):
        return "{" + ", ".join(f"{_sent(key)}: {_sent(item)}" for key, item in value.entries) + "}"
    if isinstance(value, WireClosure):
        return "a function"
    if isinstance(value, float):
        return f"{value:.6g}"
    return "nil" if value is None else text_of(value)
