"""YAML with places: every key and value knows its line and column. Plain data only: no tags, no repeated keys."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

import yaml

from pybuzz.errors import Diagnostic, InputError, Place
from pybuzz.settings import Setting

__all__ = ["Entry", "parse"]

_FAST: Any = getattr(yaml, "CSafeLoader", None)
"""The parser in C, if this PyYAML has it: fifteen times as fast."""

_BRACKETED = re.compile(r"[\w.-]+(?:\[\d+\][\w.-]*)+")
_TOO_MUCH = "lists and mappings are nested too deeply, or there are too many"
_DEEPEST = 40
_MOST = 100_000
_TAGS = ("map", "seq", "null", "bool", "int", "float", "str", "timestamp", "merge", "value")


@dataclass(slots=True)
class Entry:
    """One value: a scalar (`text`), a list (`items`) or a mapping (`keys`), whichever is not None.

    `quoted`: the scalar stands in quotes, so it is a text whatever it looks like. `setting`: the `--set` it comes from.
    """

    line: int
    column: int
    end_column: int
    text: str | None = None
    quoted: bool = False
    tag: str = "str"
    items: list[Entry] | None = None
    keys: dict[str, Entry] | None = None
    key_places: dict[str, tuple[int, int]] = field(default_factory=dict)
    setting: Setting | None = None

    @property
    def weight(self) -> int:
        """How many entries it consists of."""
        return 1 + sum(child.weight for child in [*(self.items or []), *(self.keys or {}).values()])

    def copied(self) -> Entry:
        """A copy in which nothing is shared."""
        items = None if self.items is None else [item.copied() for item in self.items]
        keys = None if self.keys is None else {key: value.copied() for key, value in self.keys.items()}
        return replace(self, items=items, keys=keys)

    @property
    def what(self) -> str:
        """What it is, in words."""
        if self.keys is not None:
            return "a mapping"
        if self.items is not None:
            return "a list"
        return "empty" if self.tag == "null" and not self.text else f"'{self.text}'"


def parse(text: str, file: str, setting: Setting | None = None) -> Entry:
    """The one document of `text`. Raises InputError with the fault of syntax."""
    if _FAST is not None:
        try:
            return _Builder(text, file, setting).document(_FAST(text))
        except yaml.YAMLError:
            # Only the slow parser's messages are the same everywhere.
            pass
    try:
        return _Builder(text, file, setting).document(yaml.SafeLoader(text))
    except yaml.reader.ReaderError as error:
        raise _unreadable(text, file, error.position) from None
    except yaml.MarkedYAMLError as error:
        raise _syntax_error(text, file, error) from None


class _Builder:
    """Makes entries from the events of a parser; a depth of its own, so that no file can exhaust the stack."""

    def __init__(self, text: str, file: str, setting: Setting | None) -> None:
        self._text = text
        self._file = file
        self._setting = setting
        self._loader: Any = None
        self._anchors: dict[str, Entry] = {}
        self._count = 0

    def document(self, loader: Any) -> Entry:
        self._loader = loader
        root: Entry | None = None
        while loader.check_event():
            event = loader.get_event()
            if isinstance(event, yaml.DocumentStartEvent) and root is not None:
                raise self._fault(event, "a second document starts here", "an experiment is one document")
            if isinstance(event, yaml.NodeEvent):
                root = self._entry(event, 0)
        return root or Entry(1, 1, 1, text="", tag="null", setting=self._setting)

    def _entry(self, event: Any, depth: int) -> Entry:
        self._count += 1
        if depth > _DEEPEST or self._count > _MOST:
            raise self._fault(event, _TOO_MUCH)
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event)
        mark = event.start_mark
        entry = Entry(mark.line + 1, mark.column + 1, 0, setting=self._setting)
        end = event
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event, entry)
        elif isinstance(event, yaml.SequenceStartEvent):
            end = self._sequence(event, entry, depth)
        else:
            end = self._mapping(event, entry, depth)
        if end.end_mark.line == mark.line:
            entry.end_column = end.end_mark.column + 1
        if event.anchor:
            self._anchors[event.anchor] = entry
        return entry

    def _alias(self, event: Any) -> Entry:
        found = self._anchors.get(event.anchor)
        if found is None:
            raise self._fault(event, f"*{event.anchor} stands for nothing: there is no &{event.anchor} before it")
        self._count += found.weight
        if self._count > _MOST:
            raise self._fault(event, _TOO_MUCH)
        return found.copied()

    def _scalar(self, event: Any, entry: Entry) -> None:
        self._check_tag(event)
        entry.text, entry.quoted = event.value, bool(event.style)
        tag = event.tag or self._loader.resolve(yaml.ScalarNode, event.value, event.implicit)
        entry.tag = tag.rpartition(":")[2]

    def _sequence(self, event: Any, entry: Entry, depth: int) -> Any:
        self._check_tag(event)
        entry.items = []
        while not isinstance(event := self._loader.get_event(), yaml.SequenceEndEvent):
            entry.items.append(self._entry(event, depth + 1))
        return event

    def _mapping(self, event: Any, entry: Entry, depth: int) -> Any:
        self._check_tag(event)
        entry.keys = {}
        while not isinstance(event := self._loader.get_event(), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                found = "a mapping" if isinstance(event, yaml.MappingStartEvent) else "something else"
                raise self._fault(event, f"a key must be a plain word, but here stands {found}")
            key = event.value
            if key in entry.keys:
                raise self._fault(event, f"the key '{key}' is here twice, first in line {entry.key_places[key][0]}")
            mark: Any = event.start_mark
            entry.key_places[key] = (mark.line + 1, mark.column + 1)
            entry.keys[key] = self._entry(self._loader.get_event(), depth + 1)
        return event

    def _check_tag(self, event: Any) -> None:
        tag = getattr(event, "tag", None)
        if tag and tag != "!" and tag.removeprefix("tag:yaml.org,2002:") not in _TAGS:
            raise self._fault(event, f"the tag '{tag}' is not allowed here")

    def _fault(self, event: Any, message: str, hint: str = "") -> InputError:
        mark = event.start_mark
        return _error_at(self._text, self._file, mark.line + 1, mark.column + 1, message, hint)


def _syntax_error(text: str, file: str, error: yaml.MarkedYAMLError) -> InputError:
    mark = error.problem_mark or error.context_mark
    message = (error.problem or "this is not YAML").replace("\\t", "a tab")
    hint = ""
    if "found character 'a tab'" in message:
        message, hint = "a tab cannot start anything in YAML", "indent with spaces"
    elif mark and (key := _key_with_bracket(text, mark)):
        message, hint = "a key with brackets needs quotes between { and }", f'write "{key}"'
    elif error.context and error.context_mark and mark and error.context_mark.line != mark.line:
        hint = f"{error.context} that starts in line {error.context_mark.line + 1}"
    elif error.context:
        hint = error.context
    line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
    return _error_at(text, file, line, column, message, hint)


def _key_with_bracket(text: str, mark: yaml.Mark) -> str:
    """The key, such as robots[1].count, of which a bracket at `mark` is a part."""
    line = text.split("\n")[mark.line]
    words = (found for found in _BRACKETED.finditer(line) if found.start() < mark.column < found.end())
    return next((found[0] for found in words if line[mark.column] == "["), "")


def _unreadable(text: str, file: str, position: int) -> InputError:
    line = text.count("\n", 0, position) + 1
    column = position - text.rfind("\n", 0, position)
    return _error_at(text, file, line, column, f"the character {text[position]!a} cannot stand in YAML")


def _error_at(text: str, file: str, line: int, column: int, message: str, hint: str = "") -> InputError:
    lines = text.split("\n")
    source = lines[line - 1] if 0 < line <= len(lines) else ""
    source = source if source.isprintable() else ""
    place = Place(file, line, column)
    return InputError(Diagnostic(place, "YAML syntax error", message, source_line=source, hint=hint))
