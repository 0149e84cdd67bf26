"""Packages that only some commands need: said before any work is done, with the command that adds them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec

from pybuzz.errors import InputError

__all__ = ["Requirement", "installing", "require", "requirements"]

_REQUIREMENT = re.compile(r"""([\w.-]+)(?:\[[^]]*\])?([^;]*)(?:;.*extra\s*==\s*['"]([\w-]+)['"])?""")


@dataclass(frozen=True, slots=True)
class Requirement:
    """A package that pybuzz asks for. wanted: the versions. extra: "" if nothing works without it."""

    package: str
    wanted: str
    extra: str

    @property
    def version(self) -> str | None:
        """The version that is installed; None: it is missing."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return None


def requirements() -> Iterator[Requirement]:
    """What the installed pybuzz asks for, its extras one by one."""
    for text in requires("pybuzz") or []:
        match = _REQUIREMENT.match(text)
        if match and match[1] != "pybuzz" and match[3] not in ("all", "dev"):
            yield Requirement(match[1], match[2].strip(), match[3] or "")


def installing(extra: str) -> str:
    """The command that adds an extra."""
    return f"pip install 'pybuzz[{extra}]'"


def require(extra: str, *modules: str, place: str, purpose: str) -> None:
    """Raise InputError unless the modules of an extra are there. purpose: what needs them, such as "drawing"."""
    for module in modules:
        if find_spec(module) is None:
            text = f"{purpose} needs {module}, which is not installed"
            raise InputError.at(place, text, kind="missing package", hint=installing(extra))
