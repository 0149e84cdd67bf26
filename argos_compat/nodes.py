"""Elements as they are read: typed attributes, and at the end a word about everything that nobody asked for.

A reading never stops at a fault: the fault is noted, a harmless value is returned, and the next attribute follows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from argos_compat import values
from argos_compat.xml_tree import Attribute, Element
from pybuzz.experiment.plan import Point
from pybuzz.faults import Faults
from pybuzz.invocation import command_with
from pybuzz.settings import PLACEHOLDER, setting_error
from pybuzz.spelling import did_you_mean, nearest

__all__ = ["Document", "Node", "path_of"]

Value = TypeVar("Value")


class Document:
    """All elements of a file that were looked at. One Node per Element."""

    def __init__(self, faults: Faults, root: Element) -> None:
        self.faults = faults
        self.root = root
        self.placeholders: dict[str, str] = {}
        """Each name that stands where a value should be, and a value that would do."""
        self.unfilled: list[tuple[Node, str, str]] = []
        """Elements with the attributes that hold a placeholder, and what is wrong with them."""
        self._nodes: dict[int, Node] = {}

    def node(self, element: Element) -> Node:
        return self._nodes.setdefault(id(element), Node(element, self))

    def close(self) -> None:
        """Report what is missing and what is unknown, once the whole file has been read."""
        values = [f"{name}={value}" for name, value in self.placeholders.items()]
        for node, attribute, text in self.unfilled:
            command = command_with("--set", *values, file=self.faults.file)
            node.fault_in(attribute, text, hint=f"give a value to what stands there: {command}")
        for node in list(self._nodes.values()):
            node.report()


class Node:
    """One element. A `default` of None makes an attribute required."""

    def __init__(self, element: Element, document: Document) -> None:
        self.element = element
        self.tag = element.tag
        self._document = document
        self._faults = document.faults
        self._attributes: set[str] = set()
        self._children: set[str] = set()
        self._missing: list[str] = []
        self._missing_children: list[str] = []
        self._all_known = False

    @property
    def path(self) -> str:
        """The way to the element as `--set` takes it, such as arena/box[2]."""
        return path_of(self.element, self._document.root)

    @property
    def file(self) -> str:
        return self._faults.file

    def command_setting(self, attribute: str, value: object) -> str:
        """The running command with another value for an attribute."""
        return command_with("--set", f"{self.path}/@{attribute}={value}", file=self.file)

    # -- attributes ----------------------------------------------------------------------------------------------

    def text(self, name: str, default: str | None = None) -> str:
        return self._value(name, str, default, "")

    def number(
        self, name: str, default: float | None = None, *, least: float | None = None, above: float | None = None
    ) -> float:
        """A real number, at least `least` and above `above`."""

        def convert(text: str) -> float:
            return _within(values.number(text), text, least, above)

        return self._value(name, convert, default, 1.0)

    def whole(self, name: str, default: int | None = None, *, least: int = 0, most: int | None = None) -> int:
        def convert(text: str) -> int:
            number = values.whole_number(text)
            if most is not None and number > most:
                raise ValueError(f"{number} is more than this can be here, {most}")
            return int(_within(number, text, least, None))

        return self._value(name, convert, default, max(least, 1))

    def boolean(self, name: str, default: bool | None = None) -> bool:
        return self._value(name, values.boolean, default, False)

    def point(
        self, name: str, default: Point | None = None, *, above: float | None = None, parts: str = "x,y,z"
    ) -> Point:
        """Three numbers; with `above`, each of them larger than that. parts: what they are called."""

        def convert(text: str) -> Point:
            x, y, z = (_within(part, text, None, above) for part in values.vector(text, 3, parts))
            return x, y, z

        return self._value(name, convert, default, (1.0, 1.0, 1.0) if above is not None else (0.0, 0.0, 0.0))

    def number_range(self, name: str) -> tuple[float, float] | None:
        """Two numbers "min:max", or None if the attribute is not there."""
        return self._value(name, values.number_range, (0.0, 0.0), (0.0, 0.0)) if self.has(name) else None

    def color(self, name: str) -> str:
        return self._value(name, values.color, None, "black")

    def choice(self, name: str, choices: Iterable[str], default: str | None = None) -> str:
        """One of `choices`; "" if the file says something else."""
        known = tuple(choices)

        def convert(text: str) -> str:
            if text not in known:
                raise ValueError(f"'{text}' is not known here; it must be {' or '.join(known)}")
            return text

        return self._value(name, convert, default, "", known)

    def has(self, name: str) -> bool:
        """Whether the attribute is there; it is known from now on."""
        self._attributes.add(name)
        return name in self.element.attributes

    def ignore(self, *names: str) -> None:
        """Attributes that are known and do nothing here."""
        self._attributes.update(names)

    def _value(
        self, name: str, convert: Callable[[str], Value], default: Value | None, fallback: Value,
        candidates: Iterable[str] = (),
    ) -> Value:  # fmt: skip
        self._attributes.add(name)
        attribute = self.element.attributes.get(name)
        if attribute is None:
            if default is None:
                self._missing.append(name)
                return fallback
            return default
        try:
            return convert(attribute.value)
        except ValueError as error:
            text = f"{name} of <{self.tag}>: {error}"
            if attribute.setting is None and self._is_placeholder(attribute.value, convert):
                self._document.unfilled.append((self, name, text))
            else:
                hint = did_you_mean(attribute.value, candidates)
                self.fault_in(name, text, hint=hint or self._way_out(attribute, convert, tuple(candidates)))
            return fallback if default is None else default

    def _is_placeholder(self, written: str, convert: Callable[[str], object]) -> bool:
        """Whether a value, or its part between commas or colons, is a name that stands for one; it is noted then."""
        words = [word.strip() for word in re.split("[,:]", written)]
        names = [word for word in words if PLACEHOLDER.fullmatch(word) or (word.isidentifier() and word.isupper())]
        for value in ("5", "0.5", "1,1,1", "true") if names else ():
            filled = written
            for name in names:
                filled = filled.replace(name, value)
            if _takes(convert, filled):
                self._document.placeholders.update(dict.fromkeys(names, value))
                return True
        return False

    def _way_out(
        self, attribute: Attribute, convert: Callable[[str], object], candidates: tuple[str, ...]
    ) -> str | None:
        """The command that puts the one value that is possible, or what is nearly written, in place of a wrong one."""
        possible = candidates if len(candidates) == 1 else values.near_values(attribute.value)
        meant = next((value for value in possible if _takes(convert, value)), None)
        return None if meant is None else self.command_setting(attribute.name, meant)

    # -- children ------------------------------------------------------------------------------------------------

    def child(self, tag: str, *, required: bool = False) -> Node | None:
        """The first child of that name."""
        self._children.add(tag)
        found = [child for child in self.element.children if child.tag == tag]
        for second in found[1:]:
            self._faults.warn(
                second.line, second.column, "ignored", f"a second <{tag}>: only the first one, line {found[0].line}, "
                "counts", end_column=second.end_column,
            )  # fmt: skip
        if not found and required and tag not in self._missing_children:
            self._missing_children.append(tag)
        return self._document.node(found[0]) if found else None

    def children(self) -> list[Node]:
        """All children, whatever their names; none of them counts as unknown."""
        self._children.update(child.tag for child in self.element.children)
        return [self._document.node(child) for child in self.element.children]

    def ignore_children(self, *tags: str) -> None:
        """Children that are known and do nothing here."""
        self._children.update(tags)

    def ignore_content(self) -> None:
        """Whatever stands in this element is none of our business."""
        self._all_known = True

    # -- faults --------------------------------------------------------------------------------------------------

    def fault(self, kind: str, text: str, *, hint: str | None = None) -> None:
        """An error about the element as a whole."""
        self._faults.error(
            self.element.line, self.element.column, kind, text, hint=hint, end_column=self.element.end_column
        )

    def warn(self, kind: str, text: str, *, hint: str | None = None) -> None:
        self._faults.warn(
            self.element.line, self.element.column, kind, text, hint=hint, end_column=self.element.end_column
        )

    def fault_in(self, name: str, text: str, *, kind: str = "wrong value", hint: str | None = None) -> None:
        """An error about the value of an attribute, or about the element if it has no such attribute."""
        attribute = self.element.attributes.get(name)
        if attribute is None:
            self.fault(kind, text, hint=hint)
            return
        if attribute.setting:
            hint = f"the value comes from --set {attribute.setting}"
        self._faults.error(attribute.line, attribute.column, kind, text, hint=hint, end_column=attribute.end_column)

    def report(self) -> None:
        """What is missing, each with the misspelling that it may hide behind, then what is unknown."""
        unknown = [] if self._all_known else [name for name in self.element.attributes if name not in self._attributes]
        strange = [] if self._all_known else [child for child in self.element.children
                                              if child.tag not in self._children]  # fmt: skip
        for name in self._missing:
            written = nearest(name, unknown)
            if written:
                unknown.remove(written)
                self._report_unknown(written, required=True)
            else:
                self.fault("missing attribute", f"<{self.tag}> needs the attribute '{name}'")
        for tag in self._missing_children:
            near = nearest(tag, [child.tag for child in strange])
            for child in [child for child in strange if child.tag == near]:
                strange.remove(child)
                self._report_strange(child, required=True)
            if near is None:
                self.fault("missing element", f"<{self.tag}> needs an element <{tag}>")
        for name in unknown:
            self._report_unknown(name, required=False)
        for child in strange:
            self._report_strange(child, required=False)

    def _report_unknown(self, name: str, *, required: bool) -> None:
        attribute = self.element.attributes[name]
        if attribute.setting:
            text = f"<{self.tag}> has no attribute '{name}'"
            self._faults.include([setting_error(attribute.setting, text, self._attributes)])
            return
        report = self._faults.error if required else self._faults.warn
        others = self._attributes - set(self.element.attributes)
        text = f"<{self.tag}> has no attribute '{name}'"
        hint = did_you_mean(name, others) or _list_of("attributes", self._attributes)
        report(
            attribute.name_line, attribute.name_column, "unknown attribute",
            text if required else f"{text}; it is ignored", hint=hint, end_column=attribute.name_column + len(name),
        )  # fmt: skip

    def _report_strange(self, child: Element, *, required: bool) -> None:
        report = self._faults.error if required else self._faults.warn
        text = f"<{self.tag}> has no element <{child.tag}>"
        report(
            child.line, child.column, "unknown element", text if required else f"{text}; it is ignored",
            hint=did_you_mean(child.tag, self._children) or _list_of("elements", self._children),
            end_column=child.end_column,
        )  # fmt: skip


def path_of(element: Element, root: Element) -> str:
    """The way from the root to the element as `--set` takes it; elements that are alone need no number."""
    for child in root.children:
        rest = "" if child is element else path_of(element, child)
        if child is element or rest:
            alike = [other for other in root.children if other.tag == child.tag]
            number = f"[{1 + next(i for i, other in enumerate(alike) if other is child)}]" if len(alike) > 1 else ""
            return f"{child.tag}{number}{f'/{rest}' if rest else ''}"
    return ""


def _within(value: float, text: str, least: float | None, above: float | None) -> float:
    if least is not None and value < least:
        raise ValueError(f"'{text}' must be at least {least:g}")
    if above is not None and value <= above:
        raise ValueError(f"'{text}' must be above {above:g}")
    return value


def _takes(convert: Callable[[str], object], text: str) -> bool:
    try:
        convert(text)
    except ValueError:
        return False
    return True


def _list_of(what: str, names: Iterable[str]) -> str | None:
    listed = sorted(names)
    return f"known {what}: {', '.join(listed)}" if listed else None
