"""YAML with places: every key and value knows its line and column. Plain data only: no tags, no repeated keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import yaml

from pybuzz.errors import Diagnostic, InputError, Place
from pybuzz.experiment.settings import Setting

__all__ = ["Entry", "parse"]

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
    def what(self) -> str:
        """What it is, in words."""
        if self.keys is not None:
            return "a mapping"
        if self.items is not None:
            return "a list"
        return "empty" if self.tag == "null" and not self.text else f"'{self.text}'"


def parse(text: str, file: str, setting: Setting | None = None) -> Entry:
    """The one document of `text`. Raises InputError with the fault of syntax."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.reader.ReaderError as error:
        raise _unreadable(text, file, error.position) from None
    except yaml.MarkedYAMLError as error:
        raise _syntax_error(text, file, error) from None
    except RecursionError:
        raise InputError.at(file, "lists and mappings are nested too deeply", kind="YAML syntax error") from None
    if node is None:
        return Entry(1, 1, 1, text="", tag="null", setting=setting)
    return _Builder(text, file, setting).entry(node, 0)


@dataclass
class _Builder:
    text: str
    file: str
    setting: Setting | None
    count: int = 0

    def entry(self, node: yaml.Node, depth: int) -> Entry:
        self.count += 1
        if depth > _DEEPEST or self.count > _MOST:
            raise self._fault(node, "lists and mappings are nested too deeply")
        prefix, _, kind = node.tag.rpartition(":")
        if prefix != "tag:yaml.org,2002" or kind not in _TAGS:
            raise self._fault(node, f"the tag '{node.tag}' is not allowed here")
        mark = node.start_mark
        end = node.end_mark.column if node.end_mark.line == mark.line else 0
        entry = Entry(mark.line + 1, mark.column + 1, end + 1 if end else 0, setting=self.setting)
        kinds: dict[type[yaml.Node], Callable[[yaml.Node, Entry, int], None]] = {
            yaml.ScalarNode: self._scalar, yaml.SequenceNode: self._sequence, yaml.MappingNode: self._mapping,
        }  # fmt: skip
        kinds[type(node)](node, entry, depth)
        return entry

    def _scalar(self, node: yaml.Node, entry: Entry, _depth: int) -> None:
        entry.text, entry.tag = node.value, node.tag.rpartition(":")[2]
        entry.quoted = getattr(node, "style", None) is not None

    def _sequence(self, node: yaml.Node, entry: Entry, depth: int) -> None:
        entry.items = [self.entry(item, depth + 1) for item in node.value]

    def _mapping(self, node: yaml.Node, entry: Entry, depth: int) -> None:
        entry.keys = {}
        for key_node, value in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise self._fault(key_node, "a key must be a plain word")
            if key_node.value in entry.keys:
                line = entry.key_places[key_node.value][0]
                raise self._fault(key_node, f"the key '{key_node.value}' is here twice, first in line {line}")
            entry.key_places[key_node.value] = (key_node.start_mark.line + 1, key_node.start_mark.column + 1)
            entry.keys[key_node.value] = self.entry(value, depth + 1)

    def _fault(self, node: yaml.Node, message: str) -> InputError:
        return _error_at(self.text, self.file, node.start_mark.line + 1, node.start_mark.column + 1, message)


def _syntax_error(text: str, file: str, error: yaml.MarkedYAMLError) -> InputError:
    mark = error.problem_mark or error.context_mark
    message = (error.problem or "this is not YAML").replace("\\t", "a tab")
    hint = ""
    if "found character 'a tab'" in message:
        message, hint = "a tab cannot start anything in YAML", "indent with spaces"
    elif error.context and error.context_mark and mark and error.context_mark.line != mark.line:
        hint = f"{error.context} that starts in line {error.context_mark.line + 1}"
    elif error.context:
        hint = error.context
    line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
    return _error_at(text, file, line, column, message, hint)


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
