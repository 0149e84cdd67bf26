"""Hands what happens in a simulation to the recorder, tick by tick."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pybuzz.buzz.program import Program
from pybuzz.buzz.tables import to_python
from pybuzz.experiment.contacts import ContactWatch
from pybuzz.experiment.logs import LogLine
from pybuzz.experiment.object_watch import ObjectWatch, light_places, obstacle_marks
from pybuzz.experiment.plan import Plan
from pybuzz.experiment.robots import Robot
from pybuzz.experiment.simulation import Simulation
from pybuzz.khepera import Notes
from pybuzz.recording import ArenaMark, MessageRows, Picture, Recorder, Recording, RobotMark, RunDescription
from pybuzz.recording.notes import NOTE_EVENT, NoteRay, note_text
from pybuzz.sim.world import World

__all__ = ["Journal", "Unrecorded", "describe", "digest_of", "moment"]


class Journal:
    """Records one simulation: poses, LEDs, moved objects, log lines, warnings, failures, notes.

    If asked also the named sensors and globals, what becomes of each message, and what robots begin to touch.
    """

    def __init__(
        self,
        description: RunDescription,
        simulation: Simulation,
        folder: Path | None,
        *,
        sensors: tuple[str, ...],
        variables: tuple[str, ...],
        messages: bool = False,
        contacts: bool = False,
    ) -> None:
        self._recorder = Recorder(
            description, folder, sensors=sensors, globals_=variables, views=_views(simulation.world, description)
        )
        self._simulation = simulation
        self._objects = ObjectWatch(simulation.world, self._recorder)
        self._sensors = sensors
        self._variables = variables
        self._indices = {robot.name: index for index, robot in enumerate(simulation.robots)}
        self._known_robots: list[Robot] = []
        self._known_indices = np.zeros(0, dtype=np.int32)
        self._known_leds: list[tuple[int, int, int]] = []
        self._known_colors = _colors([])
        self._failures = 0
        self._messages = simulation.air.trace() if messages else None
        self._contacts = ContactWatch(simulation.world, self.event) if contacts else None

    @property
    def replaced(self) -> str:
        """The earlier recording in this folder, which this one replaces, in words."""
        return self._recorder.replaced

    def add_robot(self, robot: Robot) -> None:
        """A robot that came into the running simulation."""
        self._indices[robot.name] = self._recorder.add_robot(robot_mark(robot, self._simulation.world))
        self.event(robot.name, "added", "")

    def event(self, robot: str, kind: str, text: str) -> None:
        self._recorder.event(self._simulation.tick, self._indices[robot], kind, text)

    def write_tick(self, poses: npt.NDArray[np.float64], lines: list[LogLine]) -> None:
        """Keep the end of the current tick, and the lines logged since the last one. poses: the robots' now."""
        simulation = self._simulation
        robots = simulation.robots
        indices = self._indices_of(robots)
        self._objects.look(simulation.tick)
        if self._contacts is not None:
            self._contacts.look()
        if self._messages is not None:
            self._recorder.record_messages(simulation.tick, _renumbered(self._messages.take(), indices))
        self.write_texts(lines)
        for robot in robots:
            notes = robot.notes
            if (notes.text or notes.rays or notes.trail) and robot.alive:
                self.event(robot.name, NOTE_EVENT, _note_text(notes))
        self._recorder.record_tick(
            simulation.tick,
            poses,
            self._leds_of(robots),
            self._readings(),
            {name: [_variable(robot, name) for robot in robots] for name in self._variables},
            robots=indices,
        )

    def _indices_of(self, robots: list[Robot]) -> npt.NDArray[np.int32]:
        """int32[n]; the same array while the robots are the same."""
        if robots != self._known_robots:
            self._known_robots = list(robots)
            self._known_indices = np.array([self._indices[robot.name] for robot in robots], dtype=np.int32)
        return self._known_indices

    def _leds_of(self, robots: list[Robot]) -> npt.NDArray[np.uint8]:
        """uint8[n, 3]; the same array while no light changes, which is most of the time."""
        leds = [robot.leds for robot in robots]
        if leds != self._known_leds:
            self._known_leds, self._known_colors = leds, _colors(leds)
        return self._known_colors

    def _readings(self) -> dict[str, npt.NDArray[np.float64]]:
        """Of the recorded sensors that any robot carries now."""
        if not self._sensors:
            return {}
        readings, carried = self._simulation.readings, self._simulation.readings.names
        return {name: readings.array(name) for name in self._sensors if name in carried}

    def write_texts(self, lines: list[LogLine]) -> None:
        """Keep lines that robots logged, and as events failed scripts and what the runtime said of them."""
        for line in lines:
            if line.error:
                self._recorder.event(line.tick, self._indices[line.robot], "warning", line.text)
            else:
                self._recorder.log(line.tick, self._indices[line.robot], line.text)
        failures = self._simulation.failures
        for failure in failures[self._failures :]:
            self._recorder.event(failure.tick, self._indices[failure.robot], "failed", str(failure.error))
        self._failures = len(failures)

    def close(self, status: str) -> Recording:
        return self._recorder.close(status)


class Unrecorded:
    """Takes the place of a Journal where nobody reads a recording: keeps nothing while the run goes on."""

    def __init__(self, description: RunDescription, simulation: Simulation) -> None:
        self._description = description
        self._simulation = simulation

    def add_robot(self, robot: Robot) -> None: ...

    def event(self, robot: str, kind: str, text: str) -> None: ...

    def write_tick(self, poses: npt.NDArray[np.float64], lines: list[LogLine]) -> None: ...

    def write_texts(self, lines: list[LogLine]) -> None: ...

    def close(self, status: str) -> Recording:
        """The last tick alone."""
        simulation = self._simulation
        robots = tuple(robot_mark(robot, simulation.world) for robot in simulation.robots)
        recorder = Recorder(replace(self._description, robots=robots))
        recorder.record_tick(simulation.tick, simulation.world.poses, _colors([r.leds for r in simulation.robots]))
        return recorder.close(status)


def describe(plan: Plan, seed: int, world: World, robots: list[Robot], options: dict[str, Any]) -> RunDescription:
    """What is run, as it stands before the first tick."""
    return RunDescription(
        Path(plan.source).name,
        seed,
        plan.ticks_per_second,
        tuple(robot_mark(robot, world) for robot in robots),
        ArenaMark(plan.arena.size[:2], plan.arena.center[:2]),
        tuple(obstacle_marks(world)),
        light_places(world),
        options,
    )


def digest_of(plan: Plan, programs: Iterable[Program]) -> str:
    """SHA-256 of what was read, wherever it lay: the experiment's file, each script and what it includes."""
    file = Path(plan.source)
    texts = [file.read_bytes()] if file.is_file() else []
    texts += [source.text.encode("utf-8", "surrogatepass") for one in programs for source in one.script.sources]
    whole = sha256()
    for text in texts:
        whole.update(sha256(text).digest())
    return whole.hexdigest()


def moment(plan: Plan, seed: int, simulation: Simulation, options: dict[str, Any]) -> Recording:
    """The robots and what stands around them, as they are now: a recording of this one moment."""
    description = describe(plan, seed, simulation.world, simulation.robots, options)
    recorder = Recorder(description, views=_views(simulation.world, description))
    recorder.record_tick(0, simulation.world.poses, _colors([robot.leds for robot in simulation.robots]))
    return recorder.close()


def _views(world: World, description: RunDescription) -> dict[str, Picture]:
    """The floor and the map from above, if there is anything to see; Pillow is imported only then."""
    if description.arena is None or (world.floor is None and world.map is None):
        return {}
    from pybuzz.experiment.views_from_above import views_from_above

    return views_from_above(world, description.arena)


def robot_mark(robot: Robot, world: World) -> RobotMark:
    row = world.row_of(robot.name)
    altitude = 0.0 if world.bodies.movable[row] else float(world.bodies.bottom[row])
    return RobotMark(robot.name, robot.kind, robot.number, float(world.bodies.radius[row]), altitude)


def _renumbered(rows: MessageRows, indices: npt.NDArray[np.int32]) -> MessageRows:
    """From the robots that there are now to those of the recording."""
    return rows._replace(senders=indices[rows.senders], receivers=indices[rows.receivers])


def _colors(leds: list[tuple[int, int, int]]) -> npt.NDArray[np.uint8]:
    return np.array(leds, dtype=np.uint8).reshape(-1, 3)


def _variable(robot: Robot, name: str) -> Any:
    return None if robot.mind is None else to_python(robot.mind.machine.get_global(name))


def _note_text(notes: Notes) -> str:
    rays = (NoteRay(ray.color, ray.start, ray.end) for ray in notes.rays)
    return note_text(notes.text, notes.color, rays, len(notes.trail or ()), notes.trail_color)
