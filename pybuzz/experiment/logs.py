"""The lines that robots log, in order, and who is told of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pybuzz.buzz.values import Value, format_value_stream, text_of

__all__ = ["Log", "LogLine"]


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of one robot; `tick` 0 is before the first tick. Errors come from the runtime, not from a script."""

    tick: int
    robot: str
    text: str
    error: bool = False

    def __str__(self) -> str:
        return f"[{self.robot}] {self.text}"


class Log:
    """Collects lines until they are taken; a listener hears each line at once."""

    def __init__(self, listener: Callable[[LogLine], None] | None = None) -> None:
        self.tick = 0
        self._listener = listener
        self._lines: list[LogLine] = []

    def write(self, robot: str, text: str, *, error: bool = False) -> None:
        """One line of readable text."""
        line = LogLine(self.tick, robot, text, error)
        self._lines.append(line)
        if self._listener is not None:
            self._listener(line)

    def script_function(self, robot: str) -> Callable[[tuple[Value, ...]], None]:
        """A script's `log`: values without separators, floats with six significant digits as in C++ streams."""

        def log(values: tuple[Value, ...]) -> None:
            self.write(robot, text_of("".join(map(format_value_stream, values))))

        return log

    def take(self) -> list[LogLine]:
        """The lines since the last call."""
        lines, self._lines = self._lines, []
        return lines
