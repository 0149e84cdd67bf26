"""The text of a robot's file: its plain data, and where the value of a key stands."""

from __future__ import annotations

import re
from typing import Any

import yaml

from pybuzz.errors import InputError, Place
from pybuzz.yaml_tree import Entry, parse

__all__ = ["Places", "plain_data"]

_LOADER: Any = type("_Loader", (getattr(yaml, "CSafeLoader", yaml.SafeLoader),), {})
"""In C where it was built in: reading a description takes a twentieth of a start otherwise."""

_LOADER.add_implicit_resolver(  # 1e-3, which YAML 1.1 takes for a text, is a number in experiments
    "tag:yaml.org,2002:float", re.compile(r"[-+]?[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+$"), list("-+0123456789")
)


def plain_data(text: str, file: str) -> Any:
    """Dicts, lists and scalars. Raises InputError."""
    try:
        return yaml.load(text, Loader=_LOADER)
    except (yaml.YAMLError, ValueError, RecursionError) as fault:  # ValueError: a date such as 2026-99-99
        raise InputError.at(file, f"not readable as YAML: {fault}") from fault


class Places:
    """Of one file; its text must be readable as YAML."""

    def __init__(self, text: str, file: str) -> None:
        self._tree, self._file, self._lines = parse(text, file), file, text.split("\n")

    def of(self, *keys: str) -> tuple[Place, str]:
        """The place and source line of the first of these keys that the file has, else of the section around it.

        The whole file if it has none of it, as when the value comes from the kind that it is like.
        """
        depth, entry = max((self._nearest(key) for key in keys), key=lambda found: found[0])
        if not depth:
            return Place(self._file), ""
        return Place(self._file, entry.line, entry.column, entry.end_column), self._lines[entry.line - 1]

    def _nearest(self, key: str) -> tuple[int, Entry]:
        depth, entry = 0, self._tree
        for name, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", key):
            within = entry.items[int(index)] if index and entry.items else (entry.keys or {}).get(name)
            if within is None:
                break
            depth, entry = depth + 1, within
        return depth, entry
