"""Several robots without bodies, run by fixed rules and reported line by line: what `pybuzz exec --sim` prints.

A script says in a line `# sim: robots=4 steps=3 ...` how it wants to be run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

from pybuzz.buzz.program import Program
from pybuzz.buzz.single import to_single
from pybuzz.buzz.values import format_value, text_of
from pybuzz.errors import InputError
from pybuzz.spelling import nearest
from pybuzz.swarm.mind import Mind
from pybuzz.swarm.packets import Packet
from pybuzz.swarm.wire import split_messages

__all__ = ["Arrangement", "run"]

_DIRECTIVE = re.compile(r"^\s*#\s*sim:(.*)$", re.MULTILINE)
_DETAIL_OF_MISMATCH = re.compile("expected |cannot find function |function '|a .* value can't be used ")
"""What the reference says of a type mismatch; of operands of arithmetic it says nothing."""

_DISTANCE_CM: Final = 100.0
_BEHIND: Final = to_single(3.1415927)
_FIRST_SEED: Final = 1000


@dataclass(frozen=True, slots=True)
class Arrangement:
    """How many robots, for how long, and who hears whom.

    first: id of the first robot. msgsize: bytes of a packet. comm: "full", "line" (robots next to each other) or "ring"
    (those and the two ends). dump: whether sent messages are printed.
    """

    robots: int = 2
    first: int = 0
    steps: int = 3
    msgsize: int = 100
    comm: str = "full"
    dump: bool = False

    @classmethod
    def of_script(cls, path: str, text: str) -> Arrangement:
        """From the script's `# sim:` line. Raises InputError for unknown keys and faulty values."""
        found = _DIRECTIVE.search(text)
        line = text.count("\n", 0, found.start()) + 1 if found else 0
        settings: dict[str, Any] = {}
        for word in found[1].split() if found else ():
            key, _, value = word.partition("=")
            settings[key] = _setting(path, line, key, value)
        return cls(**settings)

    def hears(self, receiver: int, sender: int) -> bool:
        """Whether the robots with these indices are linked."""
        apart = abs(receiver - sender)
        if self.comm == "full":
            return apart > 0
        return apart == 1 or (self.comm == "ring" and apart == self.robots - 1 and apart > 0)


def _setting(path: str, line: int, key: str, value: str) -> int | str | bool:
    known = [field.name for field in fields(Arrangement)]
    if key not in known:
        hint = f"did you mean {close}?" if (close := nearest(key, known)) else f"there are {', '.join(known)}"
        raise InputError.at(path, f'"# sim:" knows no "{key}"', line=line, hint=hint)
    if key == "comm":
        if value not in ("full", "line", "ring"):
            raise InputError.at(path, f'comm is "{value}"', line=line, hint="use full, line or ring")
        return value
    if not value.isdecimal():
        raise InputError.at(path, f'{key} is "{value}", but should be a whole number', line=line)
    return bool(int(value)) if key == "dump" else int(value)


def run(program: Program, arrangement: Arrangement, write: Callable[[str], None]) -> list[Mind]:
    """Runs all phases, writes each line of the report, and gives the minds as they ended."""
    write("== load")
    robots = [_Robot(program, arrangement, index, write) for index in range(arrangement.robots)]
    write("== init")
    for robot in robots:
        robot.act("init", robot.mind.init)
    for step in range(1, arrangement.steps + 1):
        write(f"== step {step}")
        packets = [robot.mind.packet() for robot in robots]
        for robot in robots:
            robot.step(packets)
    write("== destroy")
    for robot in robots:
        robot.mind.destroy()
    return [robot.mind for robot in robots]


class _Robot:
    """One robot of the driver: its mind, and its lines in the report."""

    def __init__(self, program: Program, arrangement: Arrangement, index: int, write: Callable[[str], None]) -> None:
        self._arrangement = arrangement
        self._index = index
        self._write = write
        self._name = f"R{arrangement.first + index}"
        machine = program.new_machine(arrangement.first + index, log=self._log)
        machine.random.seed(_FIRST_SEED + arrangement.first + index)
        self.mind = Mind(
            machine,
            arrangement.first + index,
            data_size=arrangement.msgsize,
            log_oversize=lambda _, size, limit: write(f"{self._name}! oversize {size} max {limit}"),
        )
        self.act("global", self.mind.start)

    def act(self, phase: str, action: Callable[[], None]) -> None:
        """Runs a phase if the robot lives, and reports its failure."""
        if self.mind.alive:
            action()
            if self.mind.error is not None:
                self._write(f"{self._name}! {phase}: {_message(self.mind)}")

    def step(self, packets: Sequence[Packet]) -> None:
        """One control step, given the packets of all robots."""
        self.act("step", lambda: self._hear(packets))
        if self.mind.alive:
            self.act("step", self.mind.step)
            if self.mind.alive and self._arrangement.dump:
                for payload in split_messages(self.mind.packet().data):
                    self._write(f"{self._name}> {payload.hex()}")

    def _hear(self, packets: Sequence[Packet]) -> None:
        linked = [index for index in range(len(packets)) if self._arrangement.hears(self._index, index)]
        self.mind.hear(
            [packets[index] for index in linked],
            [_DISTANCE_CM * abs(index - self._index) for index in linked],
            [0.0 if index > self._index else _BEHIND for index in linked],
            [0.0] * len(linked),
        )

    def _log(self, values: Sequence[Any]) -> None:
        self._write(f"{self._name}: " + "".join(text_of(format_value(value)) for value in values))


def _message(mind: Mind) -> str:
    """The failure in the reference's words, without the names and operands that ours tell besides."""
    assert mind.error is not None
    problem = mind.error.diagnostics[0]
    text = problem.text.partition("; `")[0]
    if problem.kind == "type mismatch" and not _DETAIL_OF_MISMATCH.match(text):
        text = ""
    return f"{problem.kind}: {text}" if text else problem.kind
