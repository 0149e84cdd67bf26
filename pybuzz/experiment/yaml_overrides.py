"""`--set` on a YAML file: keys by their path, placeholders by their name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pybuzz.errors import Diagnostic, InputError
from pybuzz.faults import Faults
from pybuzz.settings import Setting, group_error, parse_sets, setting_error
from pybuzz.yaml_tree import Entry, parse

__all__ = ["override", "resize"]

_STEP = re.compile(r"([^\[]+)(?:\[([0-9]+)\])?")


def override(root: Entry, sets: tuple[Setting, ...], faults: Faults) -> None:
    """Put the values of `sets` into the tree; what does not fit is a fault."""
    for setting in sets:
        try:
            problem = _apply(root, setting)
        except InputError as error:
            faults.include(error.diagnostics)
            continue
        if problem:
            faults.include([problem])


def resize(root: Entry, robots: int, faults: Faults) -> None:
    """Give the one group of robots of the file that many of them."""
    entries = ((root.keys or {}).get("robots") or Entry(0, 0, 0)).items or []
    groups = [index for index, entry in enumerate(entries, start=1) if "place" in (entry.keys or {})]
    if len(groups) != 1 or len(entries) > 1:
        example = f"robots[{groups[0] if groups else 1}].count={robots}"
        faults.include([group_error(faults.file, robots, len(groups), len(entries) - len(groups), example)])
        return
    override(root, parse_sets([f"robots[{groups[0]}].count={robots}"]), faults)


def _apply(root: Entry, setting: Setting) -> Diagnostic | None:
    if setting.kind == "buzz":
        return None
    if setting.kind == "xml":
        return setting_error(setting, "this is a path into an .argos file; in a YAML file write key.key")
    value = parse(setting.value, f"--set {setting}", setting)
    if setting.kind == "name":
        return _fill_placeholder(root, setting, value)
    return _set_key(root, setting, value)


def _set_key(root: Entry, setting: Setting, value: Entry) -> Diagnostic | None:
    *path, last = setting.key.removeprefix("yaml.").split(".")
    entry = root
    for step in path:
        found = _step(entry, step, setting, create=True)
        if isinstance(found, Diagnostic):
            return found
        entry = found
    if "[" in last:
        target = _step(entry, last, setting, create=False)
        if isinstance(target, Diagnostic):
            return target
        _replace(target, value)
        return None
    if entry.items is not None and len(entry.items) == 1:
        entry = entry.items[0]
    if entry.keys is None:
        return setting_error(setting, _not_a_mapping(entry, last, setting))
    entry.keys[last] = value
    return None


def _step(entry: Entry, step: str, setting: Setting, *, create: bool) -> Entry | Diagnostic:
    """The entry that one step of the path names, or why there is none. A missing mapping comes into being."""
    parts = _STEP.fullmatch(step)
    assert parts is not None
    key, index = parts[1], parts[2]
    if entry.items is not None and len(entry.items) == 1:
        entry = entry.items[0]
    if entry.keys is None:
        return setting_error(setting, _not_a_mapping(entry, key, setting))
    if key not in entry.keys:
        if index is not None or not create:
            return setting_error(setting, f"there is no key '{key}' in the file", entry.keys)
        entry.keys[key] = Entry(entry.line, entry.column, 0, keys={}, setting=setting)
    found = entry.keys[key]
    if index is None:
        return found
    count = len(found.items or [])
    if not 1 <= int(index) <= count:
        return setting_error(setting, f"'{key}' has {count} entries, counted from 1: there is no {step}")
    return (found.items or [])[int(index) - 1]


def _not_a_mapping(entry: Entry, key: str, setting: Setting) -> str:
    if entry.items:
        return f"a list of {len(entry.items)} stands before '{key}': say which entry, [1] to [{len(entry.items)}]"
    return f"{entry.what} has no keys such as '{key}'"


def _fill_placeholder(root: Entry, setting: Setting, value: Entry) -> Diagnostic | None:
    places = [entry for entry in _scalars(root) if entry.text == setting.key and not entry.quoted]
    for place in places:
        _replace(place, value)
    if places:
        return None
    words = {entry.text for entry in _scalars(root) if entry.text and entry.text.isupper()}
    if setting.key in (root.keys or {}):
        return setting_error(setting, f"'{setting.key}' is a section: say which of its keys, {setting.key}.KEY=VALUE")
    text = f"no value of the file is the placeholder {setting.key}; a key is yaml.{setting.key}="
    return setting_error(setting, text, words)


def _replace(place: Entry, value: Entry) -> None:
    for name in ("line", "column", "end_column", "text", "quoted", "tag", "items", "keys", "key_places", "setting"):
        setattr(place, name, getattr(value, name))


def _scalars(entry: Entry) -> Iterator[Entry]:
    if entry.text is not None:
        yield entry
    for child in [*(entry.items or []), *(entry.keys or {}).values()]:
        yield from _scalars(child)
