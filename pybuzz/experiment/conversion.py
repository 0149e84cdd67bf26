"""From one format of experiments to another, with a report of what the other format cannot say.

The written file is read back and compared with the original, so the report is what really differs.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, TypeGuard

from pybuzz.errors import InputError
from pybuzz.experiment import yaml_writing
from pybuzz.experiment.numeric_ids import numbers_of
from pybuzz.experiment.plan import Device, Distribution, Draw, Floor, Item, Light, Plan, Robot
from pybuzz.experiment.reading import GROUP, read_plan
from pybuzz.recording.drafts import drafted

__all__ = ["convert_file", "differences"]

Writer = Callable[[Plan, Path], str]


def convert_file(
    source: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    substitute: Mapping[str, str] | None = None,
    scripts: Iterable[str] = (),
) -> list[str]:
    """Write the experiment `source` in the format of `output`'s suffix; returns what did not go over, in words.

    substitute: kinds of robots and what stands in for them; scripts: in place of those of the file; see read_plan.
    Raises InputError if the source is faulty or there is no writer for the output.
    """
    plan, _ = read_plan(source, substitute=substitute, scripts=scripts)
    target = Path(output)
    known = _writers()
    if target.suffix not in known:
        raise InputError.at(str(target), f"nothing here can write '{target.suffix}' files", kind="unknown format",
                            hint=f"known: {', '.join(sorted(known))}")  # fmt: skip
    if target.exists() and target.stat().st_size:
        same = target.samefile(source)
        text = "this is the file to convert" if same else "the file is there, and has content"
        raise InputError.at(str(target), text, hint="give another name, or remove the file")
    text = known[target.suffix](plan, target.resolve().parent)
    with drafted(target) as draft:
        draft.write_text(text, encoding="utf-8")
    return differences(plan, read_plan(target)[0])


def differences(original: Plan, copy: Plan) -> list[str]:
    """What the copy does not say as the original does, a line each."""
    found = [
        f"{name}: {getattr(original, name)} became {getattr(copy, name)}"
        for name in ("ticks_per_second", "ticks", "seed", "map", "robot_collision")
        if getattr(original, name) != getattr(copy, name)
    ]
    for name in ("physics", "radio", "record"):
        found += [f"{name}: {field}" for field in _fields(getattr(original, name), getattr(copy, name))]
    if original.terrain != copy.terrain:
        found.append("the terrain")
    if [os.path.abspath(path) for path in original.python] != [os.path.abspath(path) for path in copy.python]:
        found.append("the Python files with sensors: python: [FILE.py]")
    if _target(original) != _target(copy):
        found.append("the Python code that runs along: --hooks FILE.py:NAME")
    if original.jobs != copy.jobs:
        found.append("the jobs: they can stand in a file of their own, --with JOBS.yaml")
    if _resolved(original.io) != _resolved(copy.io):
        found.append(f"the folder for scripts' files: --allow-io {original.io}")
    if original.arena.size[:2] != copy.arena.size[:2] or original.arena.center[:2] != copy.arena.center[:2]:
        found.append("the arena's size or center")
    owners: dict[str, list[str]] = {}
    for name, text in _item_differences(original, copy):
        owners.setdefault(text, []).append(name)
    found += [f"{_listed(names)}: {text}" for text, names in owners.items()]
    return found + _order_differences(original, copy)


def _target(plan: Plan) -> str | None:
    """The hooks of a plan wherever its file is."""
    return None if plan.hooks is None else os.path.abspath(plan.hooks)


def _listed(names: list[str]) -> str:
    """Names for a message; of many the first ones."""
    return ", ".join(names) if len(names) <= 4 else f"{', '.join(names[:3])} and {len(names) - 3} more"


def _writers() -> dict[str, Writer]:
    """Writers by suffix: a package that reads a format writes it if it has a `write` beside its `read`."""
    modules = {entry.name: import_module(entry.module) for entry in entry_points(group=GROUP)}
    added: dict[str, Writer] = {suffix: module.write for suffix, module in modules.items() if hasattr(module, "write")}
    return {".yaml": yaml_writing.write, ".yml": yaml_writing.write, **added}


def _matched(original: Plan, copy: Plan) -> Iterator[tuple[Item, Item | None]]:
    """Every item and its copy: the one of its name, or else the next that nobody claims."""
    theirs = {_key(item): item for item in copy.items}
    ours = {_key(item): item for item in original.items}
    unclaimed = [key for key in theirs if key not in ours]
    for key, item in ours.items():
        if key in theirs:
            yield item, theirs[key]
            continue
        other = next((name for name in unclaimed if name[0] == key[0]), None)
        if other:
            unclaimed.remove(other)
        yield item, theirs[other] if other else None


def _item_differences(original: Plan, copy: Plan) -> Iterator[tuple[str, str]]:
    """Pairs of an item's name and what differs."""
    for item, other in _matched(original, copy):
        name = _key(item)[1]
        if other is None:
            yield name, "is missing"
            continue
        if _key(other)[1] != name and not isinstance(item, Floor):
            yield name, f"is called {_key(other)[1]}"
        for text in _one_item(original, copy, item, other):
            yield name, text


def _order_differences(original: Plan, copy: Plan) -> list[str]:
    order = [_key(other) for _, other in _matched(original, copy) if other]
    if order == [key for key in map(_key, copy.items) if key in order]:
        return []
    drawn = [_key(other) for _, other in _matched(original, copy) if isinstance(other, Robot | Distribution)]
    if drawn == [_key(item) for item in copy.items if isinstance(item, Robot | Distribution)]:
        return ["obstacles come before robots in the copy: crowded motion may differ in last digits"]
    return ["things are made in another order: random places and numbers come out differently"]


def _key(item: Item) -> tuple[str, str]:
    """Kind and name of an item, as a reader calls it."""
    if not isinstance(item, Distribution):
        return type(item).__name__, item.name
    name = item.template.name
    if item.numbered:
        first, last = item.base_num, item.base_num + item.quantity - 1
        name = f"{name}{first}" if first == last else f"{name}{first} to {name}{last}"
    return type(item.template).__name__, name


def _one_item(original: Plan, copy: Plan, item: Item, other: Item) -> Iterator[str]:
    if _is_robot(item) and _is_robot(other):
        ours, theirs = numbers_of(item), numbers_of(other)
        if ours != theirs:
            yield f"numeric id {_listed(list(map(str, ours)))} became {_listed(list(map(str, theirs)))}"
    if isinstance(item, Distribution) and isinstance(other, Distribution):
        light = isinstance(item.template, Light)
        for name in ("position", "orientation", "quantity", "max_trials"):
            if not _same_draw(getattr(item, name), getattr(other, name)) and not (light and name == "orientation"):
                yield name
        item, other = item.template, other.template
    if isinstance(item, Floor) and isinstance(other, Floor):
        if _resolved(item.image) != _resolved(other.image):
            yield "its image"
        if item.resolution != other.resolution:
            yield "its resolution"
        return
    if isinstance(item, Robot) and isinstance(other, Robot):
        yield from _robot_differences(original, copy, item, other)
    yield from _fields(item, other, ("name", "number", "controller"))


def _is_robot(item: Item) -> TypeGuard[Robot | Distribution]:
    return isinstance(item.template if isinstance(item, Distribution) else item, Robot)


def _same_draw(first: object, second: object) -> bool:
    """Equal in what is drawn: a uniform draw without width is a constant, the height of a flat grid is none."""
    return first == second or (isinstance(first, Draw) and isinstance(second, Draw) and _plain(first) == _plain(second))


def _plain(draw: Draw) -> Draw:
    if draw.method == "uniform" and draw.first == draw.second:
        return Draw("constant", draw.first)
    if draw.method == "grid" and draw.layout[2] == 1:
        return dataclasses.replace(draw, second=(draw.second[0], draw.second[1], 0.0))
    return draw


def _robot_differences(original: Plan, copy: Plan, robot: Robot, other: Robot) -> Iterator[str]:
    ours, theirs = original.controllers.get(robot.controller), copy.controllers.get(other.controller)
    if ours is None or theirs is None:
        return
    if _resolved(ours.script) != _resolved(theirs.script):
        yield "its script"
    if (ours.python, ours.goal, ours.config) != (theirs.python, theirs.goal, theirs.config):
        yield "its Python controller"
    if dict(ours.globals) != dict(theirs.globals):
        yield f"the globals {', '.join(ours.globals)}"
    if ours.wheel_turning != theirs.wheel_turning:
        yield "the parameters of turning"
    yield from _device_differences("actuator", ours.actuators, theirs.actuators)
    yield from _device_differences("sensor", ours.sensors, theirs.sensors)


def _device_differences(group: str, ours: tuple[Device, ...], theirs: tuple[Device, ...]) -> Iterator[str]:
    mine, copied = ({device.name: device for device in devices} for devices in (ours, theirs))
    for name, device in mine.items():
        if name not in copied:
            yield f"has no {group} {name} in the copy"
        elif device != copied[name]:
            yield f"parameters of the {group} {name}"
    for name in copied:
        if name not in mine:
            yield f"has the {group} {name} in the copy only"
    if _noisy_names(mine, copied) != _noisy_names(copied, mine):
        yield f"the order of its noisy {group}s, and with it their random numbers"


def _noisy_names(devices: dict[str, Device], others: dict[str, Device]) -> list[str]:
    """Devices with noise that both sides have, in their order."""
    return [name for name, device in devices.items() if (device.noise or device.ranges) and name in others]


def _resolved(path: Path | None) -> Path | None:
    return path.resolve() if path else None


def _fields(ours: Any, theirs: Any, but: tuple[str, ...] = ()) -> list[str]:
    """The fields of two objects of one dataclass that differ."""
    names = [field.name for field in dataclasses.fields(ours) if field.name not in but]
    return [name for name in names if getattr(ours, name) != getattr(theirs, name)]
