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

__all__ = ["HIGH", "KIND", "LOW", "NOWHERE", "RADIUS", "SIDES", "Grid", "Scene", "X", "Y", "spread"]

HIGH, LOW, KIND, X, Y, RADIUS, SIDES = range(7)
_COLUMNS = SIDES + 4 * 5
_SHAPE = ("top", "bottom", "kind", "radius", "half_x", "half_y")

CELL_M = 0.5
"""Side of a cell: a few robots fit in, and a lidar beam crosses about ten."""
MOST_CELLS = 1 << 18
_CELLS_OF_A_FEW, _CELLS_A_BODY = 4096, 64
"""More cells than these together take longer to lay than rays save by them."""
NOWHERE = 1e9
"""Places so far away (m) are seen from none and see nothing: sums of steps from there are off by a cell."""
_MARGIN = 1e-6
"""Outlines are widened by this (m) when cells are chosen, so that rounding on a cell's border loses no body."""


_NO_MAP: Frame = np.array([0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
_NO_CELLS: NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)


class Scene(NamedTuple):
    """What kernels walk, handed to them unpacked: the cells, and the outlines of the n bodies.

    lattice: float64[5], left and bottom corner, size of a cell (m), columns, rows (see `spread`); the outermost cells
    are empty. tallest: float64, the top of each cell's tallest body (m), row by row. starts: int32, of each cell and
    one more, into items, the bodies of each cell. outlines: float64[n, 26], columns named by HIGH to SIDES (RADIUS of a
    box: of the circle around it); from SIDES on, for each of the four sides of a box, the outward normal (x, y), its
    offset, and the least and largest place along the side. The rows of bodies that are in no cell hold anything, as do
    the ends of tallest, starts and items.
    frame, cells: the occupancy grid, see OccupancyGrid; of no columns if there is none.
    """

    lattice: NDArray[np.float64]
    tallest: NDArray[np.float64]
    starts: NDArray[np.int32]
    items: NDArray[np.int32]
    outlines: NDArray[np.float64]
    frame: Frame
    cells: NDArray[np.uint8]


class Grid:
    """The scene of a set of bodies, and of their map. `move()` says that they have moved; the next `scene()` sees it.

    It keeps its arrays: an earlier scene is no more. robots: int64[k], rows of the robots that are seen; None: all.
    """

    def __init__(self, bodies: Bodies, *, robots: NDArray[np.int64] | None = None) -> None:
        self._bodies = bodies
        self._robots = robots
        self._changes = -1
        self._is_built = False
        self._by_height = np.zeros(0, dtype=np.int64)
        self._shapes = np.zeros((0, len(_SHAPE)))
        empty = np.zeros(0, dtype=np.int32)
        self._scene = Scene(np.zeros(5), np.zeros(0), empty, empty, np.zeros((0, _COLUMNS)), _NO_MAP, _NO_CELLS)

    def move(self) -> None:
        self._is_built = False

    def scene(self) -> Scene:
        if not self._is_built:
            if self._changes != self._bodies.changes:
                self._look_again()
            self._build()
            self._is_built = True
        return self._scene

    def _look_again(self) -> None:
        """Which bodies there are, and how they are shaped."""
        bodies = self._bodies
        self._changes = bodies.changes
        hidden = bodies.mapped.copy()
        if self._robots is not None:
            hidden |= bodies.robot >= 0
            hidden[self._robots] = False
        shown = np.flatnonzero(~hidden)
        self._by_height = shown[np.argsort(-bodies.top[shown], kind="stable")]
        self._shapes = np.column_stack([getattr(bodies, name) for name in _SHAPE]).astype(np.float64)
        found = bodies.map
        frame, cells = (_NO_MAP, _NO_CELLS) if found is None else (found.frame, found.clearance)
        outlines = np.empty((len(bodies), _COLUMNS))
        self._scene = self._scene._replace(outlines=outlines, frame=frame, cells=cells)

    def _build(self) -> None:
        scene = self._scene
        grown = _build(
            self._by_height, self._bodies.motion, self._shapes,
            scene.lattice, scene.tallest, scene.starts, scene.items, scene.outlines,
        )  # fmt: skip
        if grown is not None:
            tallest, starts, items = grown
            self._scene = scene._replace(tallest=tallest, starts=starts, items=items)


@kernel_part
def spread(lattice: NDArray[np.float64]) -> tuple[float, float, float, int, int]:
    """Left and bottom corner, size of a cell, columns, rows."""
    return lattice[0], lattice[1], lattice[2], int(lattice[3]), int(lattice[4])


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
    shapes: NDArray[np.float64],
    outlines: NDArray[np.float64],
    spans: NDArray[np.int32],
    lattice: NDArray[np.float64],
    starts: NDArray[np.int32],
    items: NDArray[np.int32],
) -> None:
    """Visit all cells of all bodies: count in starts[cell + 2], or with `items` list from starts[cell + 1] on."""
    left, bottom, cell, columns, _ = spread(lattice)
    for b in order:
        for row in range(spans[b, 2], spans[b, 3] + 1):
            for column in range(spans[b, 0], spans[b, 1] + 1):
                if outlines[b, KIND] == BOX:
                    x, y = left + (column + 0.5) * cell, bottom + (row + 0.5) * cell
                    if not _touches(outlines[b], shapes[b, 4], shapes[b, 5], x, y, 0.5 * cell):
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


@kernel_part
def _outline(
    order: NDArray[np.int64],
    motion: NDArray[np.float64],
    shapes: NDArray[np.float64],
    outlines: NDArray[np.float64],
    bounds: NDArray[np.float64],
    placed: NDArray[np.int64],
) -> int:
    """Outline the bodies in this order that are somewhere, list them in `placed`, and return how many they are.

    bounds: float64[n + 1, 4], of each body and last of all: left, right, bottom, top.
    """
    count = 0
    left, right, bottom, top = np.inf, -np.inf, np.inf, -np.inf
    for b in order:
        x, y, angle, radius, half_x, half_y = (
            motion[0, b], motion[1, b], motion[2, b], shapes[b, 3], shapes[b, 4], shapes[b, 5]
        )  # fmt: skip
        wide, high = _extent(radius, half_x, half_y, angle)
        if not (abs(x) + wide < NOWHERE and abs(y) + high < NOWHERE):
            continue
        outlines[b, HIGH], outlines[b, LOW], outlines[b, KIND] = shapes[b, 0], shapes[b, 1], shapes[b, 2]
        outlines[b, X], outlines[b, Y], outlines[b, RADIUS] = x, y, radius + math.hypot(half_x, half_y)
        if shapes[b, 2] == BOX:
            _fill_sides(outlines[b], angle, half_x, half_y)
        placed[count] = b
        count += 1
        bounds[b, 0], bounds[b, 1], bounds[b, 2], bounds[b, 3] = x - wide, x + wide, y - high, y + high
        left, right = min(left, bounds[b, 0]), max(right, bounds[b, 1])
        bottom, top = min(bottom, bounds[b, 2]), max(top, bounds[b, 3])
    if count == 0:
        left = right = bottom = top = 0.0
    bounds[-1, 0], bounds[-1, 1], bounds[-1, 2], bounds[-1, 3] = left, right, bottom, top
    return count


@kernel
def _build(
    order: NDArray[np.int64],
    motion: NDArray[np.float64],
    shapes: NDArray[np.float64],
    lattice: NDArray[np.float64],
    tallest: NDArray[np.float64],
    starts: NDArray[np.int32],
    items: NDArray[np.int32],
    outlines: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int32]] | None:
    """Outline the bodies in this order, lay the lattice over them, count what each cell holds, list it.

    motion: as in Bodies. shapes: float64[n, 6], columns named by _SHAPE. The others are a Scene's, to be filled;
    tallest, starts and items are returned if there was too little room in one of them.
    """
    n, had = len(shapes), len(starts) + len(items)
    bounds, placed = np.empty((n + 1, 4)), np.empty(len(order), dtype=np.int64)
    order = placed[: _outline(order, motion, shapes, outlines, bounds, placed)]
    left, right, bottom, top = bounds[n, 0], bounds[n, 1], bounds[n, 2], bounds[n, 3]
    cell = _cell_size(right - left, top - bottom, len(order))
    columns, rows = int((right - left) / cell) + 3, int((top - bottom) / cell) + 3
    left, bottom = left - cell, bottom - cell
    lattice[0], lattice[1], lattice[2], lattice[3], lattice[4] = left, bottom, cell, columns, rows

    spans = np.empty((n, 4), dtype=np.int32)
    for b in order:
        for edge in range(4):
            corner, most = (left, columns - 2) if edge < 2 else (bottom, rows - 2)
            spans[b, edge] = min(max(int((bounds[b, edge] - corner) / cell), 1), most)
    cells = rows * columns
    if len(starts) < cells + 2:
        tallest, starts = np.empty(cells + cells // 4), np.empty(cells + cells // 4 + 2, dtype=np.int32)
    for c in range(cells + 2):
        starts[c] = 0
    _mark(order, shapes, outlines, spans, lattice, starts, items[:0])
    for c in range(1, cells + 2):
        starts[c] += starts[c - 1]
    listed = starts[cells + 1]
    if len(items) < listed:
        items = np.empty(listed + listed // 4, dtype=np.int32)
    if listed:
        _mark(order, shapes, outlines, spans, lattice, starts, items)
    for c in range(cells):
        tallest[c] = outlines[items[starts[c]], HIGH] if starts[c] < starts[c + 1] else -np.inf
    return None if len(starts) + len(items) == had else (tallest, starts, items)
