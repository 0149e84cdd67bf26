"""Maps of ROS: a `.yaml` file that names an image, its resolution and its origin (map_server's format)."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from pybuzz.errors import InputError
from pybuzz.faults import Faults
from pybuzz.sim.maps import OccupancyGrid, grey_image
from pybuzz.yaml_nodes import Section, YamlReader
from pybuzz.yaml_tree import Entry, parse

__all__ = ["read_ros_map"]

_OCCUPIED, _FREE = 0.65, 0.196
"""The thresholds that map_server's own files have."""


def read_ros_map(path: str | os.PathLike[str], *, height: float = 0.5) -> OccupancyGrid:
    """The occupied cells of a ROS map: those darker than `occupied_thresh` (lighter, if `negate` is 1).

    What is unknown to the map is free. The modes `trinary` and `scale` differ in unknown cells only; `raw` has no
    thresholds and is refused. Raises InputError with every fault of the file.
    """
    file = os.fspath(path)
    try:
        text = Path(file).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError.at(file, f"cannot be read: {error.strerror}", kind="missing file") from None
    except UnicodeDecodeError:
        raise InputError.at(file, "this is not UTF-8 text", kind="not readable") from None
    faults = Faults(file, text)
    with YamlReader(faults).section(parse(text, file), "the map") as section:
        image, resolution, origin, threshold, negate = _fields(section)
    faults.settle()
    # As map_server: occupied is (255 - grey) / 255 of black-on-white maps.
    grey = grey_image(Path(file).parent / image)[::-1]
    occupied = (grey if negate else 1.0 - grey) > threshold
    return OccupancyGrid(np.asarray(occupied), resolution, origin, height, file)


def _fields(section: Section) -> tuple[str, float, tuple[float, float], float, bool]:
    """Image, m per pixel, bottom left corner, threshold, whether light pixels are occupied."""
    image = section.word("image")
    resolution = section.number("resolution", above=0)
    entry = section.need("origin")
    x, y, yaw = _origin(section, entry) if entry else (0.0, 0.0, 0.0)
    if entry and yaw != 0.0:
        section.reader.fault(entry, f"origin: the map is turned by {yaw:g} rad", hint="turn the image, and write 0")
    threshold = section.number("occupied_thresh", _OCCUPIED, least=0)
    section.number("free_thresh", _FREE, least=0)
    section.choice("mode", ("trinary", "scale"), "trinary")
    return image, resolution, (x, y), threshold, _negate(section)


def _origin(section: Section, entry: Entry) -> tuple[float, ...]:
    """x, y, yaw. A known writer of maps gives them a yaw that is no number."""
    if entry.items is not None and len(entry.items) == 3 and (entry.items[2].text or "").lower().strip("+-.") == "nan":
        section.reader.fault(entry.items[2], "origin: the map's yaw is no number", hint="write 0")
        return 0.0, 0.0, 0.0
    return section.reader.vector(entry, "origin", 3, example="x, y, yaw")


def _negate(section: Section) -> bool:
    """A whole number, 0 or 1, or a truth value: ROS 2 takes both."""
    entry = section.get("negate")
    if entry is not None and entry.tag == "bool":
        return section.boolean("negate")
    return section.whole("negate", 0, most=1) == 1
