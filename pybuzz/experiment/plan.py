"""What is run, as plain data: both file formats are read into a Plan, and a Simulation is built from one.

SI throughout: m, rad, s. Orientations are (yaw, pitch, roll) in rad, as ARGoS's Z, Y, X.
Exceptions, because rounding there and back would change last bits: the draws of orientations, and the speed that
the turning state machine of `gotoc` compares with a script's numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pybuzz.khepera.steering import WheelTurning

if TYPE_CHECKING:
    from pybuzz.experiment.jobs import Jobs
    from pybuzz.sim.maps import OccupancyGrid

__all__ = [
    "Arena", "Battery", "Box", "Controller", "Cylinder", "Device", "Distribution", "Draw", "Floor", "Item", "Light",
    "Map", "Physics", "Plan", "Point", "Radio", "Record", "Robot", "Spread", "Terrain", "WheelTurning",
]  # fmt: skip

Point = tuple[float, float, float]
Spread = Literal["uniform", "gaussian", "constant", "grid"]


@dataclass(frozen=True, slots=True)
class Draw:
    """How `distribute` draws a position (m) or an orientation (**degrees**, Z Y X, as ARGoS draws and rounds them).

    first, second: uniform min, max; gaussian mean, standard deviation; constant values, unused; grid centre, distances.
    """

    method: Spread
    first: Point
    second: Point = (0.0, 0.0, 0.0)
    layout: tuple[int, int, int] = (1, 1, 1)


@dataclass(frozen=True, slots=True)
class Box:
    """size, position: x, y, z in m; orientation: about z, y, x in rad; mass in kg."""

    name: str
    size: Point
    position: Point = (0.0, 0.0, 0.0)
    orientation: Point = (0.0, 0.0, 0.0)
    movable: bool = False
    mass: float = 1.0


@dataclass(frozen=True, slots=True)
class Cylinder:
    """radius, height, position: in m; orientation: about z, y, x in rad; mass in kg."""

    name: str
    radius: float
    height: float
    position: Point = (0.0, 0.0, 0.0)
    orientation: Point = (0.0, 0.0, 0.0)
    movable: bool = False
    mass: float = 1.0


@dataclass(frozen=True, slots=True)
class Light:
    """position: x, y, z in m; intensity: in m, the distance at which a light sensor reads 1."""

    name: str
    position: Point
    intensity: float = 1.0
    color: str = "yellow"


@dataclass(frozen=True, slots=True)
class Floor:
    """An image over the arena; `image` None is a white floor.

    `resolution`: m per pixel, the image's bottom left corner on the arena's; None: it is stretched over the arena.
    """

    name: str
    image: Path | None = None
    resolution: float | None = None


@dataclass(frozen=True, slots=True)
class Device:
    """One sensor or actuator of a controller, in file order.

    `name`: of sensors proximity, light, ultrasound, lidar, ground, line, battery, pose, radio, wheel_sensor; of
    actuators wheels, leds, radio. `noise` and `ranges` hold its parameters by their ARGoS names (noise_level,
    noise_std_dev, packet_drop_prob, bias_avg, ...; noise_range, pos_noise_range, ...), only those that the file gives.
    Of two devices with one name the later counts (but both take a seed).
    """

    name: str
    noise: Mapping[str, float] = field(default_factory=dict)
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    num_readings: int = 682
    options: Mapping[str, Any] = field(default_factory=dict)
    """Parameters that ARGoS has no name for, by those of the sensor's own page; all of them, defaults included."""


@dataclass(frozen=True, slots=True)
class Controller:
    """A script and the devices that it may use. `script` None: the robot has no script.

    `globals`: Buzz globals set before `init`, Python values (int, float, str, None).
    """

    name: str
    script: Path | None
    actuators: tuple[Device, ...] = ()
    sensors: tuple[Device, ...] = ()
    wheel_turning: WheelTurning | None = None
    globals: Mapping[str, int | float | str | None] = field(default_factory=dict)
    ways: Mapping[str, str] = field(default_factory=dict)
    """For devices that the robots lack: what to write in the file so that they have them."""
    python: Path | None = None
    """In place of the script: FILE.py:NAME of a Python controller, which is told `goal` and `config`."""
    goal: tuple[float, ...] | None = None
    config: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Battery:
    """`factors`: delta (time); pos_delta, orient_delta (motion); time_, pos_ and orient_factor (time_motion)."""

    model: Literal["time", "motion", "time_motion"] = "time"
    start_charge: float = 1.0
    full_charge: float = 1.0
    factors: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Robot:
    """A robot with the controller of that name. position: x, y, z in m; orientation: about z, y, x in rad.

    `controller`: one of `experiment.plan.controllers`, "robots[1]" for the first entry of a .yaml file.

    `radio_range` in m, `data_size` of its packets in bytes; robots hear packets of their own size only. None:
    `Experiment.add` gives it the radio of the plan's robots with the same controller, else of its first robot; if there
    is none, 3 m and 10 bytes.

    `number`: its numeric id; None: taken from the name (numeric_ids). Copies of a distribution count on from it.

    `drive`: the wheels follow a script directly, or as a bridge would drive a real robot's. `altitude`: m, of a robot
    that flies; None: it drives.
    """

    name: str
    controller: str
    number: int | None = None
    kind: str = "kheperaiv"
    position: Point = (0.0, 0.0, 0.0)
    orientation: Point = (0.0, 0.0, 0.0)
    radio_range: float | None = None
    data_size: int | None = None
    battery: Battery | None = None
    max_force: float | None = None
    max_torque: float | None = None
    drive: Literal["direct", "bridge"] = "direct"
    altitude: float | None = None

    @property
    def radio(self) -> tuple[float, int]:
        """Range in m and size of packets in bytes; ARGoS's defaults where none are given."""
        return (
            3.0 if self.radio_range is None else self.radio_range,
            10 if self.data_size is None else self.data_size,
        )


@dataclass(frozen=True, slots=True)
class Distribution:
    """`quantity` copies of `template`, named after it with base_num + 0, 1, ..., drawn until they do not overlap.

    `numbered` False: a single copy that keeps the name of the template. `line`: where the file asks for it.
    """

    position: Draw
    orientation: Draw
    template: Box | Cylinder | Light | Robot
    quantity: int
    max_trials: int
    base_num: int = 0
    line: int = 0
    numbered: bool = True


Item = Box | Cylinder | Light | Floor | Robot | Distribution


@dataclass(frozen=True, slots=True)
class Arena:
    size: Point
    center: Point = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Map:
    """An occupancy grid: an image, a ROS map file, or `rows` of text. m; `origin`: its bottom left corner."""

    path: Path | None
    resolution: float = 0.05
    origin: tuple[float, float] = (0.0, 0.0)
    threshold: float = 0.5
    height: float = 0.5
    ros: bool = False
    rows: tuple[str, ...] = ()

    def load(self) -> OccupancyGrid:
        """The grid itself. Raises InputError for a file that is missing or is none."""
        from pybuzz.sim.maps import OccupancyGrid
        from pybuzz.sim.ros_maps import read_ros_map

        if self.path is None:
            return OccupancyGrid.from_text(
                self.rows, resolution=self.resolution, origin=self.origin, height=self.height
            )
        if self.ros:
            return read_ros_map(self.path, height=self.height)
        return OccupancyGrid.from_image(
            self.path, resolution=self.resolution, origin=self.origin, threshold=self.threshold, height=self.height
        )


@dataclass(frozen=True, slots=True)
class Physics:
    """Sub-steps per tick (also the solver's iterations), ground friction of movable objects (N, N m)."""

    iterations: int = 10
    box_linear_friction: float = 1.49
    box_angular_friction: float = 1.49
    cylinder_linear_friction: float = 1.49
    cylinder_angular_friction: float = 1.49


@dataclass(frozen=True, slots=True)
class Radio:
    """The medium. Its noise and loss are drawn by each receiver: see the sensor `radio` of its controller."""

    check_occlusions: bool = True


@dataclass(frozen=True, slots=True)
class Record:
    globals: tuple[str, ...] = ()
    sensors: tuple[str, ...] = ()
    messages: bool = False
    contacts: bool = False


@dataclass(frozen=True, slots=True)
class Terrain:
    """A city below flying robots, as large as the arena: its statistics (VectorizedUrbanMap), or a file of heights."""

    cell_size: float = 1.0
    alpha: float = 0.3
    beta: float = 500.0
    gamma: float = 15.0
    highest: float = 100.0
    seed: int | None = None
    """None: the experiment's."""
    heights: Path | None = None
    """.npy, (X, Y) in m; the statistics do not count then."""


@dataclass(frozen=True, slots=True)
class Plan:
    """An experiment, complete and checked. `items` in ARGoS's order of creation: single ones, then distributions."""

    source: str
    arena: Arena
    items: tuple[Item, ...]
    controllers: Mapping[str, Controller]
    ticks_per_second: int = 10
    ticks: int | None = None
    """None: endless."""
    seed: int | None = None
    physics: Physics = Physics()
    radio: Radio = Radio()
    record: Record = Record()
    terrain: Terrain | None = None
    map: Map | None = None
    robot_collision: bool = True
    """Whether robots collide; if not, laser scanners do not see them either."""
    hooks: str | None = None
    python: tuple[Path, ...] = ()
    """Files that register sensors."""
    """FILE.py:NAME of the Python code that the file wants to run along."""
    jobs: Jobs | None = None
    io: Path | None = None
    """The folder in which scripts may read and write files."""
    argos: bool = False
    """From an .argos file: without `--exact` one line says what the scripts use that differs from ARGoS."""
