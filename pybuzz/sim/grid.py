"""A uniform grid over all bodies, built once per tick and walked by every ray of sensors and radio.

Each cell lists the bodies whose outline touches it, the tallest first: a ray above the rest of a cell's bodies
leaves them out with one comparison. Outlines are kept as Chipmunk 6 computes them (ARGoS's dynamics2d), so that a
hit agrees with ARGoS's in the last bit.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pybuzz.compiled import kernel, kernel_part
from pybuzz.sim.bodies import BOX, Bodies
from pybuzz.sim.maps import Frame

__all__ = ["HIGH", "KIND", "LOW", "NOWHERE", "RADIUS", "SIDES", "Grid", "Scene", "X", "Y"]

HIGH, LOW, KIND, X, Y, RADIUS, SIDES = range(7)
_COLUMNS = SIDES + 4 * 5

CELL_M = 0.5
"""Side of a cell: a few robots fit in, and a lidar beam crosses about ten."""
MOST_CELLS = 1 << 18
_CELLS_OF_A_FEW, _CELLS_A_BODY = 4096, 64
"""More cells than these together take longer to lay than rays save by them."""
NOWHERE = 1e9
"""Places so far away (m) are seen from none and see nothing: sums of steps from there are off by a cell."""
_MARGIN = 1e-6
"""Outlines are widened by this (m) when cells are chosen, so that rounding on a cell's border loses no body."""


_NO_MAP: Frame = (0.0, 0.0, 1.0, 0, 0, 0.0)
_NO_CELLS: NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)


class Scene(NamedTuple):
    """What kernels walk, handed to them unpacked: the cells, and the outlines of the n bodies.

    lattice: left and bottom corner, size of a cell (m), columns, rows; the outermost cells are empty. tallest:
    float64[columns * rows], the top of each cell's tallest body (m). starts: int32[columns * rows + 2] into items, the
    bodies of each cell. outlines: float64[n, 26], columns named by HIGH to SIDES; from SIDES on, for each of the
    four sides of a box, the outward normal (x, y), its offset, and the least and largest place along the side. The rows
    of bodies that are in no cell hold anything.
    frame, cells: the occupancy grid, see OccupancyGrid; of no columns if there is none.
    """

    lattice: tuple[float, float, float, int, int]
    tallest: NDArray[np.float64]
    starts: NDArray[np.int32]
    items: NDArray[np.int32]
    outlines: NDArray[np.float64]
    frame: Frame
    cells: NDArray[np.uint8]


class Grid:
    """The scene of a set of bodies, and of their map. `move()` says that they have moved; the next `scene()` sees it.

    robots: int64[k], rows of the robots that are seen; None: all.
    """

    def __init__(self, bodies: Bodies, *, robots: NDArray[np.int64] | None = None) -> None:
        self._bodies = bodies
        self._robots = robots
        self._scene: Scene | None = None
        self._tops = np.zeros(0)
        self._by_height = np.zeros(0, dtype=np.int64)

    def move(self) -> None:
        self._scene = None

    def scene(self) -> Scene:
        if self._scene is None:
            self._scene = self._build()
        return self._scene

    def _build(self) -> Scene:
        bodies = self._bodies
        hidden = bodies.mapped.copy()
        if self._robots is not None:
            hidden |= bodies.robot >= 0
            hidden[self._robots] = False
        tops = np.where(hidden, -np.inf, bodies.top)
        if not np.array_equal(self._tops, tops):
            self._tops = tops
            shown = np.flatnonzero(tops > -np.inf)
            self._by_height = shown[np.argsort(-tops[shown], kind="stable")]
        built = _build(
            self._by_height, bodies.top, bodies.bottom, bodies.kind, bodies.x, bodies.y, bodies.radius,
            bodies.half_x, bodies.half_y, bodies.angle,
        )  # fmt: skip
        return Scene(*built, *self._map_cells())

    def _map_cells(self) -> tuple[Frame, NDArray[np.uint8]]:
        found = self._bodies.map
        if found is None:
            return _NO_MAP, _NO_CELLS
        return found.frame, found.clearance


@kernel_part
def _normal_length(length: float) -> float:
    """Chipmunk's normal of a side of this length: length * (1 / length), not always 1."""
    return length * (1.0 / math.sqrt(length * length))


@kernel_part
def _fill_sides(outline: NDArray[np.float64], angle: float, half_x: float, half_y: float) -> None:
    """The sides of one box, in Chipmunk's order: left, top, right, bottom of the unturned box."""
    x, y, c, s = outline[X], outline[Y], math.cos(angle), math.sin(angle)
    along_x, along_y = _normal_length(half_y + half_y), _normal_length(half_x + half_x)
    normals = ((-along_x, 0.0), (0.0, along_y), (along_x, 0.0), (0.0, -along_y))
    corners = ((-half_x, -half_y), (-half_x, half_y), (half_x, half_y), (half_x, -half_y))
    for i in range(4):
        normal, first, second = normals[i], corners[i], corners[(i + 1) % 4]
        nx, ny = normal[0] * c - normal[1] * s, normal[0] * s + normal[1] * c
        x1, y1 = x + (first[0] * c - first[1] * s), y + (first[0] * s + first[1] * c)
        x2, y2 = x + (second[0] * c - second[1] * s), y + (second[0] * s + second[1] * c)
        side = SIDES + 5 * i
        outline[side], outline[side + 1] = nx, ny
        outline[side + 2] = (x * nx + y * ny) + (normal[0] * first[0] + normal[1] * first[1])
        outline[side + 3], outline[side + 4] = -(nx * y1 - ny * x1), -(nx * y2 - ny * x2)


@kernel_part
def _touches(outline: NDArray[np.float64], half_x: float, half_y: float, x: float, y: float, half_cell: float) -> bool:
    """Whether a box may touch the cell with this centre: by the separating axes of the box only."""
    for i in range(2):
        side = SIDES + 5 * i
        nx, ny, offset = outline[side], outline[side + 1], outline[side + 2]
        reach = half_cell * (abs(nx) + abs(ny)) + _MARGIN
        width = 2.0 * (half_x if i == 0 else half_y)
        if not offset - width - reach <= nx * x + ny * y <= offset + reach:
            return False
    return True


@kernel_part
def _extent(radius: float, half_x: float, half_y: float, angle: float) -> tuple[float, float]:
    """Half width and half height of the upright rectangle around a body."""
    c, s = abs(math.cos(angle)), abs(math.sin(angle))
    return radius + half_x * c + half_y * s + _MARGIN, radius + half_x * s + half_y * c + _MARGIN


@kernel_part
def _mark(
    order: NDArray[np.int64],
    outlines: NDArray[np.float64],
    half_x: NDArray[np.float64],
    half_y: NDArray[np.float64],
    spans: NDArray[np.int32],
    lattice: tuple[float, float, float, int, int],
    starts: NDArray[np.int32],
    items: NDArray[np.int32],
) -> None:
    """Visit all cells of all bodies: count in starts[cell + 2], or with `items` list from starts[cell + 1] on."""
    left, bottom, cell, columns, _ = lattice
    for b in order:
        for row in range(spans[b, 2], spans[b, 3] + 1):
            for column in range(spans[b, 0], spans[b, 1] + 1):
                if outlines[b, KIND] == BOX:
                    x, y = left + (column + 0.5) * cell, bottom + (row + 0.5) * cell
                    if not _touches(outlines[b], half_x[b], half_y[b], x, y, 0.5 * cell):
                        continue
                here = row * columns + column
                if len(items) == 0:
                    starts[here + 2] += 1
                else:
                    items[starts[here + 1]] = b
                    starts[here + 1] += 1


@kernel_part
def _cell_size(width: float, height: float, bodies: int) -> float:
    """CELL_M, or larger where that many cells would be too many for so few bodies."""
    most = min(_CELLS_OF_A_FEW + _CELLS_A_BODY * bodies, MOST_CELLS)
    by_area = 1.01 * math.sqrt(width / most) * math.sqrt(height)
    return max(CELL_M, by_area, 4.0 * max(width, height) / most)


@kernel
def _build(
    order: NDArray[np.int64],
    top_z: NDArray[np.float64],
    bottom_z: NDArray[np.float64],
    kind: NDArray[np.int8],
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    radius: NDArray[np.float64],
    half_x: NDArray[np.float64],
    half_y: NDArray[np.float64],
    angle: NDArray[np.float64],
) -> tuple[
    tuple[float, float, float, int, int],
    NDArray[np.float64],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.float64],
]:
    """Outline the bodies in this order, lay the lattice over them, count what each cell holds, list it."""
    n, count = len(x), 0
    outlines, bounds, placed = np.empty((n, _COLUMNS)), np.empty((n, 4)), np.empty(len(order), dtype=np.int64)
    left, right, bottom, top = np.inf, -np.inf, np.inf, -np.inf
    for b in order:
        wide, high = _extent(radius[b], half_x[b], half_y[b], angle[b])
        if not (abs(x[b]) + wide < NOWHERE and abs(y[b]) + high < NOWHERE):
            continue
        outlines[b, HIGH], outlines[b, LOW], outlines[b, KIND] = top_z[b], bottom_z[b], kind[b]
        outlines[b, X], outlines[b, Y], outlines[b, RADIUS] = x[b], y[b], radius[b]
        if kind[b] == BOX:
            _fill_sides(outlines[b], angle[b], half_x[b], half_y[b])
        placed[count] = b
        count += 1
        bounds[b, 0], bounds[b, 1], bounds[b, 2], bounds[b, 3] = x[b] - wide, x[b] + wide, y[b] - high, y[b] + high
        left, right = min(left, bounds[b, 0]), max(right, bounds[b, 1])
        bottom, top = min(bottom, bounds[b, 2]), max(top, bounds[b, 3])
    order = placed[:count]
    if count == 0:
        left = right = bottom = top = 0.0
    cell = _cell_size(right - left, top - bottom, count)
    columns, rows = int((right - left) / cell) + 3, int((top - bottom) / cell) + 3
    left, bottom = left - cell, bottom - cell

    spans = np.empty((n, 4), dtype=np.int32)
    for b in order:
        for edge in range(4):
            corner, most = (left, columns - 2) if edge < 2 else (bottom, rows - 2)
            spans[b, edge] = min(max(int((bounds[b, edge] - corner) / cell), 1), most)
    lattice = (left, bottom, cell, columns, rows)
    starts = np.zeros(rows * columns + 2, dtype=np.int32)
    _mark(order, outlines, half_x, half_y, spans, lattice, starts, np.empty(0, dtype=np.int32))
    for c in range(1, len(starts)):
        starts[c] += starts[c - 1]
    items = np.empty(starts[-1], dtype=np.int32)
    if len(items):
        _mark(order, outlines, half_x, half_y, spans, lattice, starts, items)
    tallest = np.full(rows * columns, -np.inf)
    for c in range(rows * columns):
        if starts[c] < starts[c + 1]:
            tallest[c] = outlines[items[starts[c]], HIGH]
    return lattice, tallest, starts, items, outlines
