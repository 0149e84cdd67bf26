"""Writes docs/argos-comparison.md: every published run of real ARGoS beside the same run here.

python benchmarks/argos_comparison.py            # takes a minute
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.oracles.argos_runs import NAMES, POSES, WHEEL_SENSOR, Cell, Packets, cells  # noqa: E402

PAGE = ROOT / "docs" / "argos-comparison.md"

GROUPS = (
    "pose", "wheels", "LEDs", "proximity", "ultrasound", "lidar", "light", "ground", "battery", "positioning",
    "wheel sensor", "radio", "variables",
)  # fmt: skip
_PREFIXES = {
    "wheel_": "wheels", "led": "LEDs", "prox": "proximity", "us": "ultrasound", "lidar": "lidar", "light": "light",
    "ground": "ground", "bat": "battery", "pos_": "positioning", "rab": "radio", "out_": "variables",
    "buzz_id": "variables", "vm_ready": "variables",
}  # fmt: skip

TEXT = """\
# Beside real ARGoS

Written by `python benchmarks/argos_comparison.py`. `tests/data/argos-cases` holds {count} scenes and what real ARGoS
(git 421bd76, with the Khepera IV plug-in 7bb1bb3 and Buzz 49ea418) did with them, at 17 digits. Each is run again here,
and every cell of ARGoS's table is compared: all ticks, all robots and movable objects.
`tests/experiment/test_argos_cases.py` holds these figures in place.

The numbers are the largest errors of a run: metres and radians of poses, m/s of wheels, centimetres of the lidar,
centimetres and radians of the radio, the sensors' own units otherwise. **0** is equal in every bit, **=** equal as
text; an empty cell: the case has no such column. Packets count as equal only if their bytes are.
`variables` are the script's, compared with their single precision.

## With `--exact`

{exact}

One difference is left, which these scenes do not meet. Another Khepera IV ends at the very height of the radio's rays.
So rounding decides whether it blocks one, and a pair may be free as seen from one end and blocked as seen from the
other. ARGoS looks along each pair once, from a known end, and so does pybuzz. But ARGoS finds the pairs it has done by
the exclusive or of two addresses in memory. In a crowd two pairs may share that number; then it looks along one of
them again, from its other end, and finds a link more. No file tells these addresses, so no program can repeat this.
Of 212 random scenes six met it, each at a single link in 300 ticks. `tests/experiment/test_radio_of_crowds.py`
shows it for two of them: all poses and other links are equal, and the two ends of that pair do disagree.

## By default

Layout and motion are ARGoS's; what a script computes is in double precision, and what [robot.md](robot.md) documents
otherwise is otherwise. So the poses differ where a script drives by such things: by the functions and sensors named, by
rounded speeds (`--single-precision` takes that away), or because a robot whose script failed stops.

{default}
"""


def group_of(column: str) -> str:
    """The column of the table on this page to which a column of ARGoS's belongs."""
    if column in POSES:
        return "pose"
    if column in WHEEL_SENSOR:
        return "wheel sensor"
    return next(group for prefix, group in _PREFIXES.items() if column.startswith(prefix))


def error(cell: Cell) -> float:
    """How far a cell is from ARGoS's; infinity if it is something else altogether."""
    found, expected = cell.found, cell.expected
    if cell.column == "rab":
        return _packets_error(found, expected)
    if isinstance(expected, str):
        same = {"nil": found is None, "table": isinstance(found, dict)}.get(expected, found == expected.strip('"'))
        return 0.0 if same else math.inf
    if found == expected:
        return 0.0
    return abs(found - expected) if isinstance(found, int | float) else math.inf


def _packets_error(found: Packets, expected: Packets) -> float:
    if [(one[0], one[4]) for one in found] != [(one[0], one[4]) for one in expected]:
        return math.inf
    pairs = zip(found, expected, strict=True)
    return max((abs(mine[k] - theirs[k]) for mine, theirs in pairs for k in (1, 2, 3)), default=0.0)


def largest_errors(compared: Iterable[Cell]) -> tuple[int, dict[str, float]]:
    """Number of the last tick, and the largest error of every group that there is."""
    tick, worst = 0, dict[str, float]()
    for cell in compared:
        tick = cell.tick
        group = group_of(cell.column)
        worst[group] = max(worst.get(group, 0.0), error(cell))
    return tick, worst


def exact_row(case: str) -> str:
    ticks, worst = largest_errors(cells(case, exact=True))
    return _row(case, str(ticks), *(_figure(worst.get(group), group) for group in GROUPS))


def default_row(case: str) -> str:
    errors = [
        largest_errors(cells(case, exact=False, single_precision=single, columns=POSES))[1]["pose"]
        for single in (False, True)
    ]
    return _row(case, *(_figure(worst, "pose") for worst in errors))


def _figure(worst: float | None, group: str) -> str:
    if worst is None:
        return ""
    if worst == 0.0:
        return "=" if group == "LEDs" else "0"
    return "other" if math.isinf(worst) else f"{worst:.1e}"


def _row(*parts: str) -> str:
    return f"| {' | '.join(parts)} |"


def _table(head: tuple[str, ...], rows: Iterable[str]) -> str:
    return "\n".join([_row(*head), _row(*("---" for _ in head)), *rows])


def main() -> None:
    exact = _table(("case", "ticks", *GROUPS), map(exact_row, NAMES))
    default = _table(("case", "pose", "pose with `--single-precision`"), map(default_row, NAMES))
    PAGE.write_text(TEXT.format(count=len(NAMES), exact=exact, default=default), encoding="utf-8")


if __name__ == "__main__":
    main()
