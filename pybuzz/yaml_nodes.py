"""Entries of a YAML file as they are read: typed values, and a word about every key that nobody asked for.

A reading never stops at a fault: the fault is noted, a harmless value is returned, and the next key follows.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from pybuzz.faults import Faults
from pybuzz.settings import BuzzValue, setting_error
from pybuzz.spelling import did_you_mean
from pybuzz.yaml_tree import Entry

__all__ = ["Section", "YamlReader"]

Value = TypeVar("Value")

_WHOLE = re.compile(r"[+-]?[0-9]{1,30}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_BOOLEANS = ("true", "false")


class YamlReader:
    """Typed values of single entries; every fault goes to `faults`."""

    def __init__(self, faults: Faults) -> None:
        self.faults = faults

    def fault(self, entry: Entry, text: str, *, kind: str = "wrong value", hint: str | None = None) -> None:
        """An error about a value, at its place or at the `--set` that gave it."""
        if entry.setting:
            diagnostic = setting_error(entry.setting, text)
            self.faults.include([dataclasses.replace(diagnostic, kind=kind, hint=hint or "")])
            return
        self.faults.error(entry.line, entry.column, kind, text, hint=hint, end_column=entry.end_column)

    def number(self, entry: Entry, name: str, *, least: float | None = None, above: float | None = None) -> float:
        """A finite real number; `least` or 1 after a fault."""
        text = self._plain(entry)
        if text is None or not _NUMBER.fullmatch(text):
            self.fault(entry, f"{name}: {entry.what} is not a number", hint=_hint_for(entry))
        elif abs(float(text)) == float("inf"):
            self.fault(entry, f"{name}: {text} is too large")
        elif least is not None and float(text) < least:
            self.fault(entry, f"{name}: {text} must be at least {least:g}")
        elif above is not None and float(text) <= above:
            self.fault(entry, f"{name}: {text} must be above {above:g}")
        else:
            return float(text)
        return 1.0 if above is not None else least or 0.0

    def whole(self, entry: Entry, name: str, *, least: int = 0, most: int = 2**32 - 1) -> int:
        """A whole number in [least, most]."""
        text = self._plain(entry)
        if text is None or not _WHOLE.fullmatch(text):
            self.fault(entry, f"{name}: {entry.what} is not a whole number", hint=_hint_for(entry))
        elif not least <= int(text) <= most:
            self.fault(entry, f"{name}: {text} is not between {least} and {most}")
        else:
            return int(text)
        return least

    def boolean(self, entry: Entry, name: str) -> bool:
        if entry.text in _BOOLEANS and not entry.quoted:
            return entry.text == "true"
        words = {"yes": "true", "on": "true", "no": "false", "off": "false"}
        meant = words.get((entry.text or "").lower(), (entry.text or "").lower())
        hint = f"write {meant}" if meant in _BOOLEANS else _hint_for(entry)
        self.fault(entry, f"{name}: {entry.what} is neither true nor false", hint=hint)
        return False

    def word(self, entry: Entry, name: str) -> str:
        """A text. What YAML takes for a number, a truth value or nothing needs quotes."""
        if entry.text is None:
            self.fault(entry, f"{name}: {entry.what} is not a text")
        elif entry.text.strip() == "":
            self.fault(entry, f"{name} is empty")
        elif not entry.quoted and entry.tag in ("null", "bool", "int", "float", "timestamp"):
            kinds = {"bool": "a truth value", "null": "nothing", "timestamp": "a date"}
            taken = kinds.get(entry.tag, "a number")
            self.fault(entry, f"{name}: YAML takes {entry.text} for {taken}", hint=f'for a text write "{entry.text}"')
        else:
            return entry.text
        return ""

    def vector(
        self, entry: Entry, name: str, length: int, *, above: float | None = None, example: str | None = None
    ) -> tuple[float, ...]:
        """`length` numbers; `example` names them, where they are not x, y and z."""
        if entry.items is None or len(entry.items) != length:
            found = entry.what if entry.items is None else f"a list of {len(entry.items)}"
            example = example or ", ".join("xyz"[:length])
            self.fault(entry, f"{name}: {found}, but {length} numbers are needed: [{example}]")
            return (1.0 if above is not None else 0.0,) * length
        return tuple(self.number(item, name, above=above) for item in entry.items)

    def words(self, entry: Entry, name: str, known: Sequence[str] | None = None) -> tuple[str, ...]:
        """A list of texts, each of them one of `known`."""
        if entry.items is None:
            hint = f"write [{entry.text}]" if entry.text else None
            self.fault(entry, f"{name}: {entry.what} is not a list", hint=hint)
            return ()
        found = tuple(self.word(item, name) for item in entry.items)
        for item, word in zip(entry.items, found, strict=True):
            if known is not None and word and word not in known:
                hint = did_you_mean(word, known) or f"known: {', '.join(known)}"
                self.fault(item, f"{name}: there is no '{word}'", hint=hint)
        return found

    def buzz_value(self, entry: Entry, name: str) -> BuzzValue:
        """A value for a Buzz global: integer, float, text or null (nil)."""
        text = entry.text
        if text is None:
            self.fault(entry, f"{name}: {entry.what} cannot become a Buzz global", hint="numbers, texts and null can")
            return None
        if entry.quoted:
            return text
        if text in ("", "null", "~"):
            return None
        if entry.tag == "bool":
            self.fault(entry, f"{name}: Buzz has no {text}", hint="write 1 or 0, or a text in quotes")
        elif _WHOLE.fullmatch(text):
            if not -(2**31) <= int(text) < 2**31:
                self.fault(entry, f"{name}: {text}: an integer of Buzz has 32 bits", hint="add .0 for a float")
            return int(text)
        elif _NUMBER.fullmatch(text):
            return float(text)
        return text

    def section(self, entry: Entry, name: str) -> Section:
        """A mapping; an empty one after a fault."""
        if entry.keys is None:
            self.fault(entry, f"{name}: {entry.what} is not a mapping", hint="write {key: value, ...}")
            entry = Entry(entry.line, entry.column, entry.end_column, keys={}, setting=entry.setting)
            return Section(self, entry, name, broken=True)
        return Section(self, entry, name)

    def items(self, entry: Entry, name: str) -> list[Entry]:
        """The entries of a list; none after a fault, and none if there is nothing."""
        if entry.items is None:
            if entry.tag != "null":
                self.fault(entry, f"{name}: {entry.what} is not a list", hint='start each entry with "- "')
            return []
        return entry.items

    @staticmethod
    def _plain(entry: Entry) -> str | None:
        return None if entry.quoted or entry.text is None else entry.text.strip()


class Section:
    """One mapping. A `default` of None makes a key required. Use as a context: unknown keys are reported at its end."""

    def __init__(self, reader: YamlReader, entry: Entry, name: str, *, broken: bool = False) -> None:
        self.reader = reader
        self.entry = entry
        self.name = name
        self._known: dict[str, None] = {}
        self._missing: list[str] = []
        self._broken = broken

    def __enter__(self) -> Section:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._report()

    @property
    def names(self) -> Iterable[str]:
        return self.entry.keys or {}

    def has(self, key: str) -> bool:
        return self.get(key) is not None

    def get(self, key: str) -> Entry | None:
        """The value of `key`, which is known from now on."""
        self._known[key] = None
        return (self.entry.keys or {}).get(key)

    def need(self, key: str) -> Entry | None:
        found = self.get(key)
        if found is None and key not in self._missing:
            self._missing.append(key)
        return found

    def number(
        self, key: str, default: float | None = None, *, least: float | None = None, above: float | None = None
    ) -> float:
        def read(entry: Entry, name: str) -> float:
            return self.reader.number(entry, name, least=least, above=above)

        return self._read(key, read, default, 1.0)

    def whole(self, key: str, default: int | None = None, *, least: int = 0, most: int = 2**32 - 1) -> int:
        return self._read(key, lambda entry, name: self.reader.whole(entry, name, least=least, most=most), default, 1)

    def boolean(self, key: str, default: bool | None = None) -> bool:
        return self._read(key, self.reader.boolean, default, False)

    def word(self, key: str, default: str | None = None) -> str:
        return self._read(key, self.reader.word, default, "")

    def choice(self, key: str, known: Sequence[str], default: str | None = None) -> str:
        """One of `known`; "" if the file says something else."""
        word = self.word(key, default)
        entry = self.get(key)
        if entry is not None and word and word not in known:
            hint = did_you_mean(word, known)
            self.reader.fault(entry, f"{key}: '{word}' is not known here; it is {' or '.join(known)}", hint=hint)
            return ""
        return word

    def section(self, key: str) -> Section:
        """The mapping under `key`; an empty one if it is not there."""
        entry = self.get(key)
        if entry is None or (entry.tag == "null" and entry.text is not None):
            empty = Entry(self.entry.line, self.entry.column, self.entry.end_column, keys={})
            return Section(self.reader, empty, key, broken=True)
        return self.reader.section(entry, key)

    def entries(self, key: str) -> list[Entry]:
        """The entries of the list under `key`; none if it is not there."""
        entry = self.get(key)
        return [] if entry is None else self.reader.items(entry, key)

    def fault(self, text: str, *, kind: str = "wrong value", hint: str | None = None) -> None:
        """An error about the section as a whole."""
        self.reader.fault(dataclasses.replace(self.entry, end_column=0), text, kind=kind, hint=hint)

    def _read(self, key: str, read: Callable[[Entry, str], Value], default: Value | None, fallback: Value) -> Value:
        entry = self.need(key) if default is None else self.get(key)
        if entry is not None:
            return read(entry, key)
        return fallback if default is None else default

    def _report(self) -> None:
        """Unknown keys with the nearest name; required ones that are missing, unless a misspelling explains them."""
        keys = self.entry.keys or {}
        missing = list(self._missing)
        for key in [key for key in keys if key not in self._known]:
            free = [name for name in self._known if name not in keys]
            hint = did_you_mean(key, free)
            missing = [name for name in missing if hint != f"did you mean '{name}'?"]
            self._report_unknown(key, hint or f"known keys: {', '.join(self._known)}")
        for key in [] if self._broken else missing:
            self.fault(f"{self.name} needs the key '{key}'", kind="missing key")

    def _report_unknown(self, key: str, hint: str) -> None:
        value = (self.entry.keys or {})[key]
        text = f"{self.name} has no key '{key}'"
        if value.setting:
            self.reader.fault(value, text, kind="unknown setting", hint=hint)
            return
        line, column = self.entry.key_places[key]
        self.reader.faults.error(line, column, "unknown key", text, hint=hint, end_column=column + len(key))


def _hint_for(entry: Entry) -> str | None:
    text = entry.text or ""
    if entry.quoted and _NUMBER.fullmatch(text):
        return f"without quotes: {text}"
    if text.isidentifier() and text.isupper():
        return f"if {text} stands for a value that is given later: --set {text}=VALUE"
    return None
