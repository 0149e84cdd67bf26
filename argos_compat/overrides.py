"""`--set` on an XML file: attributes by their path, placeholders by their name."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from argos_compat import values
from argos_compat.robots import OTHER_ROBOTS
from argos_compat.xml_tree import Attribute, Element
from pybuzz.errors import Diagnostic
from pybuzz.faults import Faults
from pybuzz.settings import PLACEHOLDER, Setting, group_error, parse_sets, setting_error

__all__ = ["override", "resize"]

_SEGMENT = re.compile(r"([^\[]+)(?:\[([0-9]+)\])?")


def override(root: Element, sets: tuple[Setting, ...], faults: Faults) -> None:
    """Put the values of `sets` into the tree; what does not fit is a fault."""
    for setting in sets:
        if setting.kind == "xml":
            problem = _set_attribute(root, setting)
        elif setting.kind == "name":
            problem = _fill_placeholder(root, setting)
        elif setting.kind == "yaml":
            problem = setting_error(setting, "this is a key of a YAML file; in an .argos file write path/@attribute")
        else:
            problem = None
        if problem:
            faults.include([problem])


def put_in(root: Element, robots: int, faults: Faults) -> None:
    """Spread robots over the arena of a file that has none, as its loop functions may do, with a warning."""
    arena, section = (next((one for one in root.children if one.tag == tag), None) for tag in ("arena", "controllers"))
    controllers = [one for one in section.children if one.tag == "buzz_controller_kheperaiv"] if section else []
    if arena is None or not controllers or any(_is_robot(one) or _distributes_robots(one) for one in arena.children):
        return
    config = controllers[0].attributes.get("id")
    size, center = (_numbers(arena, name, usual) for name, usual in (("size", "4,4,1"), ("center", "0,0,0")))
    low, high = ([f"{middle + sign * side / 2:g}" for middle, side in zip(center, size, strict=False)][:2]
                 for sign in (-1, 1))  # fmt: skip

    def element(tag: str, *children: Element, **attributes: str) -> Element:
        made = {name: Attribute(name, value, arena.line, arena.column, arena.end_column, arena.line, arena.column)
                for name, value in attributes.items()}  # fmt: skip
        return Element(tag, arena.line, arena.column, made, list(children))

    robot = element("kheperaiv", element("controller", config=config.value if config else ""), id="kh",
                    rab_range="1.5", rab_data_size="100")  # fmt: skip
    arena.children.append(
        element(
            "distribute",
            element("position", method="uniform", min=f"{low[0]},{low[1]},0", max=f"{high[0]},{high[1]},0"),
            element("orientation", method="uniform", min="0,0,0", max="360,0,0"),
            element("entity", robot, quantity=str(robots), max_trials="100", base_num="1"),
        )
    )
    faults.warn(
        arena.line, arena.column, "robots put in", f"the file has no robots: {robots} are put anywhere in the arena, "
        "with a radio of 1.5 m and 100 bytes", end_column=arena.end_column,
        hint="another one: --set arena/distribute/entity/kheperaiv/@rab_range=3",
    )  # fmt: skip


def _numbers(element: Element, name: str, usual: str) -> tuple[float, ...]:
    """Three numbers of an attribute, or the usual ones if they cannot be read, which is told elsewhere."""
    attribute = element.attributes.get(name)
    try:
        return values.vector(attribute.value if attribute else usual, 3)
    except ValueError:
        return values.vector(usual, 3)


def resize(root: Element, robots: int, faults: Faults) -> None:
    """Give the one distribution of robots of the file that many of them."""
    arena = next((child for child in root.children if child.tag == "arena"), None)
    spread = [child for child in arena.children if child.tag == "distribute"] if arena else []
    singles = [child for child in arena.children if _is_robot(child)] if arena else []
    groups = [index for index, child in enumerate(spread, start=1) if _distributes_robots(child)]
    path = f"arena/distribute[{groups[0] if groups else 1}]/entity/@quantity={robots}"
    if len(groups) != 1 or singles:
        faults.include([group_error(faults.file, robots, len(groups), len(singles), path)])
        return
    override(root, parse_sets([path]), faults)


def _distributes_robots(distribute: Element) -> bool:
    entities = [child for child in distribute.children if child.tag == "entity" and child.children]
    return any(_is_robot(entity.children[0]) for entity in entities)


def _is_robot(element: Element) -> bool:
    return element.tag == "kheperaiv" or element.tag in OTHER_ROBOTS


def _set_attribute(root: Element, setting: Setting) -> Diagnostic | None:
    path, _, name = setting.key.rpartition("@")
    steps = [step for step in path.split("/") if step]
    if steps and steps[0] == root.tag:
        steps.pop(0)
    element = root
    for step in steps:
        found = _child(element, step)
        if isinstance(found, str):
            return setting_error(setting, found, {child.tag for child in element.children})
        element = found
    old = element.attributes.get(name) or Attribute(
        name, "", element.line, element.column, element.end_column, element.line, element.column
    )
    element.attributes[name] = dataclasses.replace(old, value=setting.value, setting=setting)
    return None


def _child(element: Element, step: str) -> Element | str:
    """The child that `step` names, or why there is none."""
    parts = _SEGMENT.fullmatch(step)
    assert parts is not None
    tag, index = parts[1], parts[2]
    found = [child for child in element.children if child.tag == tag]
    if not found:
        return f"<{element.tag}> has no element <{tag}>"
    if index is None:
        if len(found) > 1:
            return f"<{element.tag}> has {len(found)} elements <{tag}>: say which one, {tag}[1] to {tag}[{len(found)}]"
        return found[0]
    if not 1 <= int(index) <= len(found):
        return f"<{element.tag}> has {len(found)} elements <{tag}>, counted from 1: there is no {step}"
    return found[int(index) - 1]


def _fill_placeholder(root: Element, setting: Setting) -> Diagnostic | None:
    """Every value, or part of a value between commas or colons, that is exactly the placeholder's name.

    One with marks, such as $$NAME$$, is filled in wherever it stands.
    """
    key = re.escape(setting.key)
    anywhere = PLACEHOLDER.fullmatch(setting.key) is not None
    pattern = re.compile(rf"(){key}()" if anywhere else rf"(?:(?<=[,:])|^)(\s*){key}(\s*)(?=[,:]|$)")
    filled = False
    words: set[str] = set()
    for element in _walk(root):
        for name, attribute in element.attributes.items():
            value, count = pattern.subn(lambda found: f"{found[1]}{setting.value}{found[2]}", attribute.value)
            words.update(word for word in re.split("[,:]", attribute.value) if word.strip().isupper())
            words.update(PLACEHOLDER.findall(attribute.value))
            if count:
                filled = True
                element.attributes[name] = dataclasses.replace(attribute, value=value, setting=setting)
    if filled:
        return None
    return setting_error(setting, f"no value of the file is the placeholder {setting.key}", words)


def _walk(element: Element) -> Iterator[Element]:
    yield element
    for child in element.children:
        yield from _walk(child)
