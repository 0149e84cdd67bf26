"""A second opinion on the motion of bodies: the same physics by pymunk (Chipmunk 7), behind the same protocol.

Set up as ARGoS sets up Chipmunk 6. Chipmunk 7 keeps two points per contact, one on each surface, where 6 takes the
middle; a callback moves them there, except between two boxes, where that would switch the depth off.
"""

from __future__ import annotations

from math import atan2, cos, sin
from typing import Any

import numpy as np
import pymunk
from numpy.typing import NDArray

from pybuzz.sim.bodies import CIRCLE, Bodies, BodySpec, moment_of_inertia
from pybuzz.sim.physics import BIAS_PER_SECOND, FIXED_GRIP, MOVABLE_GRIP, PERSISTENCE, SLOP, PhysicsSettings

_COLLISION_TYPE = 1


class PymunkEngine:
    """A `PhysicsEngine`."""

    def __init__(self, bodies: Bodies, tick_seconds: float, settings: PhysicsSettings) -> None:
        self._bodies = bodies
        self._iterations = settings.iterations
        self._h = tick_seconds / settings.iterations
        self._space = _new_space(settings.iterations)
        self._specs: list[BodySpec] = []
        self._found: list[pymunk.Body] = []
        self._controls: list[pymunk.Body] = []

    def add(self, spec: BodySpec) -> None:
        body, shape = _body_and_shape(spec)
        shape.friction = MOVABLE_GRIP if spec.movable else FIXED_GRIP
        shape.collision_type = _COLLISION_TYPE
        self._space.add(body, shape)
        self._specs.append(spec)
        self._found.append(body)
        self._controls.append(self._tie(spec, body))

    def remove(self, row: int) -> None:
        body, control = self._found.pop(row), self._controls.pop(row)
        self._space.remove(*body.constraints, *body.shapes, body)
        if self._specs.pop(row).robot:
            self._space.remove(control)

    def move(self, row: int) -> None:
        body = self._found[row]
        body.position = (self._bodies.x[row], self._bodies.y[row])
        body.angle = self._bodies.angle[row]
        self._space.reindex_shapes_for_body(body)

    def overlaps(self, spec: BodySpec) -> bool:
        _, shape = _body_and_shape(spec)
        return any(info.contact_point_set.points for info in self._space.shape_query(shape))

    def fail_trial(self, spec: BodySpec) -> None:
        """pymunk's order of contacts does not depend on it."""

    def step(self, wheel_speeds: NDArray[np.float64]) -> None:
        for row, robot in enumerate(self._bodies.robot):
            if robot >= 0:
                left, right = (float(speed) for speed in wheel_speeds[robot])
                angle, speed = self._found[row].angle, (right + left) * 0.5
                self._controls[row].velocity = (speed * cos(angle), speed * sin(angle))
                self._controls[row].angular_velocity = (right - left) / self._specs[row].axle
        for _ in range(self._iterations):
            self._space.step(self._h)
        for row, body in enumerate(self._found):
            w, z = cos(body.angle * 0.5), sin(body.angle * 0.5)
            yaw = atan2(2.0 * (w * z), w * w - z * z)
            self._bodies.motion[:, row] = (*body.position, body.angle, yaw, *body.velocity, body.angular_velocity)

    def _tie(self, spec: BodySpec, body: pymunk.Body) -> pymunk.Body:
        """The joints of a movable body; returns what it is tied to."""
        control = self._space.static_body
        if not spec.movable:
            return control
        first, second = control, body
        if spec.robot:
            control = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
            first, second = body, control
            self._space.add(control)
        for joint, limit in (
            (pymunk.PivotJoint(first, second, (0, 0), (0, 0)), spec.max_force),
            (pymunk.GearJoint(first, second, 0, 1), spec.max_torque),
        ):
            joint.max_bias = 0
            joint.max_force = limit
            self._space.add(joint)
        return control


def _new_space(iterations: int) -> pymunk.Space:
    space = pymunk.Space()
    space.iterations = iterations
    space.collision_slop = SLOP
    space.collision_bias = BIAS_PER_SECOND
    space.collision_persistence = PERSISTENCE
    space.on_collision(_COLLISION_TYPE, _COLLISION_TYPE, pre_solve=_take_midpoints)
    return space


def _take_midpoints(arbiter: pymunk.Arbiter, space: pymunk.Space, data: Any) -> None:
    if not any(isinstance(shape, pymunk.Circle) for shape in arbiter.shapes):
        return
    found = arbiter.contact_point_set
    for point in found.points:
        point.point_a = point.point_b = (point.point_a + point.point_b) / 2
    arbiter.contact_point_set = found


def _body_and_shape(spec: BodySpec) -> tuple[pymunk.Body, pymunk.Shape]:
    if spec.movable:
        body = pymunk.Body(spec.mass, moment_of_inertia(spec))
    else:
        body = pymunk.Body(body_type=pymunk.Body.STATIC)
    body.position = (spec.x, spec.y)
    body.angle = spec.angle
    if spec.kind == CIRCLE:
        return body, pymunk.Circle(body, spec.radius)
    x, y = spec.half_x, spec.half_y
    return body, pymunk.Poly(body, [(-x, -y), (-x, y), (x, y), (x, -y)])
