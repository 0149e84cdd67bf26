"""`--set KEY=VALUE`: one grammar for changing an experiment from outside, whatever its format.

buzz.NAME=5                               a global of every script, set before `init`
radio.range=2  or  yaml.radio.range=2     a key of a YAML file; robots[2].count=5 the second entry of a list
arena/distribute[1]/entity/@quantity=20   an attribute of an XML file; [1] is the first of that name
NAME=20  or  $$NAME$$=20                  a placeholder that stands in the file where a value should be
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from pybuzz.errors import Diagnostic, InputError, Place
from pybuzz.spelling import did_you_mean

__all__ = [
    "PLACEHOLDER",
    "BuzzValue",
    "ReadSettings",
    "Setting",
    "buzz_globals",
    "group_error",
    "parse_sets",
    "setting_error",
]

BuzzValue = int | float | str | None

_KEY = r"[A-Za-z_][A-Za-z0-9_-]*(?:\[[0-9]+\])?"
_BUZZ = re.compile(r"buzz\.([A-Za-z_][A-Za-z0-9_]*)")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
PLACEHOLDER = re.compile(r"\$\$\w+\$\$|\{\{ *\w+ *\}\}|@\w+@|%\w+%")
"""How templates of experiments mark a place where a value is put in; a name in capitals alone is one, too."""
_DOTTED = re.compile(rf"(?:yaml\.)?{_KEY}(?:\.{_KEY})*")
_XML_PATH = re.compile(rf"/?(?:{_KEY}/)*@[A-Za-z_][A-Za-z0-9_-]*")
_INTEGER = re.compile(r"[+-]?[0-9]+")
_FLOAT = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Setting:
    """One KEY=VALUE. `kind` tells a global, a path into YAML or XML, and a plain name (placeholder or YAML key)."""

    key: str
    value: str
    kind: Literal["buzz", "yaml", "xml", "name"]

    def __str__(self) -> str:
        return f"{self.key}={self.value}"


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """What a reader of experiment files is told besides the file.

    `substitute`: robots of the file and what stands in for them, such as {"foot-bot": "kheperaiv"}.
    `robots`: how many robots the one group of robots of the file shall have.
    `text`: what the file holds, if that is not what is on disk.
    `scripts`: FILE or CONTROLLER=FILE, instead of the scripts that the file names.
    """

    seed: int | None = None
    sets: tuple[Setting, ...] = ()
    strict: bool = False
    substitute: Mapping[str, str] = field(default_factory=dict)
    robots: int | None = None
    text: str | None = None
    scripts: tuple[str, ...] = ()


def parse_sets(sets: Iterable[str] | Mapping[str, object]) -> tuple[Setting, ...]:
    """Settings from "KEY=VALUE" texts, or from a mapping as `pybuzz.load(set=...)` takes it.

    Raises InputError that names every text that is none.
    """
    if isinstance(sets, Mapping):
        sets = [f"{key}={_as_text(value)}" for key, value in sets.items()]
    found: list[Setting] = []
    faults: list[Diagnostic] = []
    for text in sets:
        try:
            found.append(_parse(text))
        except InputError as error:
            faults += error.diagnostics
    if faults:
        raise InputError(faults)
    return tuple(found)


def setting_error(setting: Setting, text: str, candidates: Iterable[str] = ()) -> Diagnostic:
    """A fault of one setting, with the nearest of the names that it could have meant."""
    names = sorted(candidates)
    listed = f"known here: {', '.join(names[:12])}{', ...' if len(names) > 12 else ''}" if names else ""
    wanted = re.split(r"[./@]", setting.key)[-1].split("[")[0]
    return Diagnostic(Place(f"--set {setting}"), "unknown setting", text, hint=did_you_mean(wanted, names) or listed)


def group_error(source: str, wanted: int, groups: int, singles: int, example: str) -> Diagnostic:
    """`--robots` cannot know which robots are meant."""
    parts = [_counted(groups, "group"), _counted(singles, "single place")]
    text = f"--robots {wanted}: the robots of the file stand in {' and '.join(part for part in parts if part)}"
    if not groups and not singles:
        text = f"--robots {wanted}: the file has no robots"
    hint = f"--set {example}" if groups else "--robots changes the size of a group, which the file must have"
    return Diagnostic(Place(source), "which robots", text, hint=hint)


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}" if count else ""


def buzz_globals(sets: Iterable[Setting]) -> dict[str, BuzzValue]:
    """The Buzz globals among the settings. Raises InputError for an integer beyond 32 bits."""
    return {setting.key.removeprefix("buzz."): _buzz_value(setting) for setting in sets if setting.kind == "buzz"}


def _parse(text: str) -> Setting:
    key, equals, value = text.partition("=")
    key = key.strip()
    if not equals:
        raise InputError.at(f"--set {text}", "there is no '='", kind="not a setting", hint="write --set KEY=VALUE")
    if _BUZZ.fullmatch(key):
        return Setting(key, value, "buzz")
    if _NAME.fullmatch(key) or PLACEHOLDER.fullmatch(key):
        return Setting(key, value, "name")
    if _XML_PATH.fullmatch(key):
        return Setting(key, value, "xml")
    if _DOTTED.fullmatch(key) and not key.startswith("buzz."):
        return Setting(key, value, "yaml")
    raise InputError.at(
        f"--set {text}", f"'{key}' is no key", kind="not a setting",
        hint="buzz.NAME, key.of.a.yaml.file, path/in/xml/@attribute, or the NAME of a placeholder",
    )  # fmt: skip


def _as_text(value: object) -> str:
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def _buzz_value(setting: Setting) -> BuzzValue:
    text = setting.value.strip()
    if text in ("nil", "null"):
        return None
    if text in ("true", "false"):
        return int(text == "true")
    if _INTEGER.fullmatch(text):
        if not -(2**31) <= int(text) < 2**31:
            raise InputError.at(f"--set {setting}", "an integer of Buzz has 32 bits", kind="wrong value",
                                hint="write it as a float, with a point")  # fmt: skip
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    return text
