"""What can go wrong with a robot and its line, by name; when each fault acts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from pybuzz.errors import InputError
from pybuzz.spelling import did_you_mean

__all__ = ["FAULTS", "Fault", "FaultKind", "Faults", "fault_from", "parse_fault"]

When = Literal["request", "state", "once"]


@dataclass(frozen=True, slots=True)
class FaultKind:
    """`acts`: on requests (each one is a chance), as a state while it lasts, or once at its time.

    default: of its value; a number's fault takes numbers only. count: how often it acts if nobody says.
    """

    name: str
    text: str
    acts: When = "request"
    default: float | str | None = None
    choices: tuple[str, ...] = ()
    count: int | None = None


FAULTS: Final[Mapping[str, FaultKind]] = {
    kind.name: kind
    for kind in (
        FaultKind("terminator", "replies end otherwise", default="lfcr", choices=("crlf", "lfcr", "lf", "cr")),
        FaultKind("pieces", "replies in pieces of 1 to 5 bytes, VALUE ms apart", default=3.0),
        FaultKind("partial", "half a reply, then nothing"),
        FaultKind("garble", "some bytes of a reply are others"),
        FaultKind("stray", "stray bytes before a reply"),
        FaultKind("double", "a reply comes twice"),
        FaultKind("letter", "a reply begins with another letter"),
        FaultKind("late", "a reply is held on its way for VALUE s, and all later ones behind it", default=1.5, count=1),
        FaultKind("slow", "the server takes VALUE s for a reply", default=0.25),
        FaultKind("refuse", "the command is answered with $ and has no effect"),
        FaultKind("ignore", "no reply and no effect"),
        FaultKind("mute", "carried out without a reply"),
        FaultKind("kernel", "messages of the kernel between the replies"),
        FaultKind("login", "a login prompt in place of kh4server", acts="state"),
        FaultKind("garbage", "random bytes in place of replies", acts="state"),
        FaultKind("silent", "an open line on which nobody answers", acts="state"),
        FaultKind("firmware", "B gives another firmware", acts="state", default="A,9"),
        FaultKind("overflow", "a reply to S or T longer than 127 bytes kills the server", acts="state"),
        FaultKind("reset", "the connection breaks in the middle of a reply, for VALUE s", default=3.0, count=1),
        FaultKind("close", "the connection closes, and its port is down for VALUE s", acts="once", default=3.0),
        FaultKind("microreset", "the micro-controller starts anew", acts="once"),
        FaultKind("jump", "the encoders jump by VALUE pulses", acts="once", default=5000.0),
        FaultKind(
            "stuck", "something holds a wheel", acts="state", default="both", choices=("left", "right", "both")
        ),
        FaultKind("frozen", "sensors repeat their last readings", acts="state"),
        FaultKind(
            "hidden", "the tracking system does not see the robot: leaves it out, or says NaN", acts="state",
            default="missing", choices=("missing", "nan"),
        ),
        FaultKind("lasersilent", "the laser scanner does not answer", acts="state"),
        FaultKind("laservalues", "the laser scanner sends scans of VALUE distances", acts="state", default=600.0),
        FaultKind("battery", "the gauge shows VALUE percent", acts="state", default=8.0),
    )
}  # fmt: skip

_SPEC = re.compile(r"(?P<robot>\*|[0-9]+):(?P<name>[a-z]+)(?:=(?P<value>[^;]+))?(?P<options>(?:;[^;]+)*)")


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of one robot. `robot`: its number, None for all.

    after: s from now until it may act; duration: s for which it may, None without end; count: how often it acts, None
    without end; letters: requests on which it acts, empty for all.
    """

    name: str
    robot: int | None = None
    value: float | str | None = None
    after: float = 0.0
    duration: float | None = None
    count: int | None = None
    letters: str = ""

    @property
    def kind(self) -> FaultKind:
        return FAULTS[self.name]

    @property
    def number(self) -> float:
        """Its value as a number."""
        assert isinstance(self.value, float)
        return self.value


def fault_from(
    name: str,
    *,
    robot: int | None = None,
    value: float | str | None = None,
    after: float = 0.0,
    duration: float | None = None,
    count: int | None = None,
    letters: str = "",
) -> Fault:
    """A fault with the defaults of its kind. Raises InputError if there is no such fault or value."""
    kind = FAULTS.get(name)
    if kind is None:
        hint = did_you_mean(name, FAULTS) or f"known: {', '.join(FAULTS)}"
        raise InputError.at("fault", f"there is no fault '{name}'", hint=hint)
    own = _value(kind, kind.default if value is None else value)
    return Fault(name, robot, own, after, duration, kind.count if count is None else count, letters)


def parse_fault(text: str) -> Fault:
    """ROBOT:NAME[=VALUE][;after=S][;for=S][;count=N][;on=LETTERS], ROBOT a number or *. Raises InputError."""
    found = _SPEC.fullmatch(text.strip())
    if found is None:
        raise InputError.at(
            "--fault", f"'{text}' is no fault", hint="ROBOT:NAME[=VALUE][;after=S][;for=S][;count=N][;on=LETTERS]"
        )
    options: dict[str, Any] = {}
    for option in filter(None, found["options"].split(";")):
        key, _, value = option.partition("=")
        if key not in _OPTIONS:
            hint = did_you_mean(key, _OPTIONS) or f"known: {', '.join(_OPTIONS)}"
            raise InputError.at("--fault", f"'{option}' in '{text}' says nothing", hint=hint)
        name, convert = _OPTIONS[key]
        try:
            options[name] = convert(value)
        except ValueError:
            raise InputError.at("--fault", f"'{value}' in '{text}' is no number") from None
    robot = None if found["robot"] == "*" else int(found["robot"])
    return fault_from(found["name"], robot=robot, value=found["value"], **options)


_OPTIONS: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "after": ("after", float), "for": ("duration", float), "count": ("count", int), "on": ("letters", str),
}  # fmt: skip


def _value(kind: FaultKind, value: float | str | None) -> float | str | None:
    if kind.default is None:
        if value is not None:
            raise InputError.at("fault", f"'{kind.name}' takes no value")
        return None
    if kind.choices and value not in kind.choices:
        raise InputError.at("fault", f"'{kind.name}' is one of {', '.join(kind.choices)}, not {value!r}")
    if isinstance(kind.default, str):
        return str(value)
    try:
        return float(value if value is not None else kind.default)
    except ValueError:
        raise InputError.at("fault", f"'{kind.name}' takes a number, not {value!r}") from None


class _Entry:
    """A fault with its times on the clock of the emulator, in s."""

    def __init__(self, fault: Fault, now: float) -> None:
        self.fault = fault
        self.begins = now + fault.after
        self.ends = float("inf") if fault.duration is None else self.begins + fault.duration
        self.left = fault.count

    def acts(self, now: float) -> bool:
        return self.begins <= now < self.ends and self.left != 0


class Faults:
    """The faults of one robot. Times are those of the emulator's clock."""

    def __init__(self) -> None:
        self._entries: list[_Entry] = []

    def add(self, fault: Fault, now: float) -> None:
        self._entries.append(_Entry(fault, now))

    def clear(self) -> None:
        """As if there had never been any."""
        self._entries.clear()

    def on_request(self, letter: str, now: float) -> dict[str, Fault]:
        """The faults that act on this request, by name; each of them is one the fewer."""
        acting = {}
        for entry in self._entries:
            fault = entry.fault
            if fault.kind.acts == "request" and entry.acts(now) and (not fault.letters or letter in fault.letters):
                acting[fault.name] = fault
                if entry.left is not None:
                    entry.left -= 1
        return acting

    def states(self, now: float) -> dict[str, Fault]:
        """The states that last now, by name."""
        return {
            entry.fault.name: entry.fault
            for entry in self._entries
            if entry.fault.kind.acts == "state" and entry.acts(now)
        }

    def due(self, now: float) -> Iterator[Fault]:
        """Faults that happen once and whose time has come; each is given once."""
        for entry in self._entries:
            if entry.fault.kind.acts == "once" and entry.acts(now):
                entry.left = 0
                yield entry.fault
