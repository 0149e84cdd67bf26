"""One line to one robot, without input or output: who may speak when, what counts as an answer, when to ask again.

kh4server throws away whatever waits at the moment it replies. So there is one request outstanding, ever: the next goes
out after the reply, or after the time-out and a silence. A late answer must never be taken for that to a later request:
after a time-out nothing is believed until another letter was answered in between.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import Final

from pybuzz.link.protocol import LineSplitter, Reply, ReplyError, Request, is_foreign, parse_reply

__all__ = ["QUIET_S", "Conversation", "Counters", "ExchangeError", "Outcome", "Send", "Wait"]

QUIET_S: Final = 0.05
"""Silence after a time-out before the next request."""

SHORTEST_TRY_S: Final = 0.15
"""A request that was sent is waited for at least so long, however late it is."""

_MARKERS: Final = tuple(Request(letter) for letter in "BRNE")


@dataclass(slots=True)
class Counters:
    """What happened on a line so far."""

    requests: int = 0
    replies: int = 0
    timeouts: int = 0
    retries: int = 0
    rejected: int = 0
    refused: int = 0
    strays: int = 0
    reconnections: int = 0

    def to_json(self) -> dict[str, int]:
        return {one.name: getattr(self, one.name) for one in fields(self)}


class ExchangeError(Exception):
    """A request that got no good answer. `kind`: refused, foreign, garbled or silent. `last_line`: what came."""

    def __init__(self, kind: str, text: str, last_line: bytes = b"") -> None:
        super().__init__(text)
        self.kind = kind
        self.last_line = last_line


Outcome = Reply | ExchangeError


@dataclass(frozen=True, slots=True)
class Send:
    """Throw away what has arrived, then send this and say `sent`."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Wait:
    """Receive until this time."""

    until: float


@dataclass(slots=True)
class Conversation:
    """Begin a request, then follow `next_action` until `outcome` is there. Times are in s of any steady clock."""

    timeout_s: float
    tries: int = 3
    counters: Counters = field(default_factory=Counters)
    outcome: Outcome | None = None
    _request: Request | None = None
    _steps: list[Request] = field(default_factory=list)
    _lines: LineSplitter = field(default_factory=LineSplitter)
    _tries_left: int = 0
    _deadline: float = 0.0
    _within_s: float = math.inf
    _give_up_at: float = math.inf
    _quiet_until: float = 0.0
    _is_waiting: bool = False
    _unanswered: set[str] = field(default_factory=set)
    _last_line: bytes = b""
    _complaint: str = ""

    def begin(self, request: Request, *, tries: int | None = None, within_s: float = math.inf) -> None:
        """Start an exchange: so many tries, all within `within_s`. Raises RuntimeError while another is under way."""
        if self._request is not None:
            raise RuntimeError(f"{request} while {self._request} is not answered")
        self._request = request
        self._steps = self._steps_to(request)
        self._tries_left = (tries or self.tries) if request.command.repeatable else 1
        self.outcome = None
        self._within_s, self._give_up_at = within_s, math.inf
        self._last_line, self._complaint = b"", ""

    def abandon(self, now: float) -> None:
        """Give up the exchange under way, if there is one. A late answer to it is not believed."""
        if self._request is None:
            return
        if self._is_waiting:
            self._unanswered.add(self._steps[0].letter)
            self._is_waiting = False
            self._lines.clear()
            self._quiet_until = now + QUIET_S
        self._request = None
        self._steps = []

    def reset(self) -> None:
        """The line is new: nothing old can arrive on it any more."""
        self._request = None
        self._steps = []
        self._is_waiting = False
        self._unanswered.clear()
        self._lines.clear()
        self._quiet_until = 0.0

    def next_action(self, now: float) -> Send | Wait:
        """What to do while there is no outcome."""
        if self._is_waiting:
            return Wait(self._deadline)
        return Wait(self._quiet_until) if now < self._quiet_until else Send(self._steps[0].line)

    def discard(self, data: bytes) -> None:
        """Bytes that nobody asked for."""
        self.counters.strays += len(self._lines.feed(data)) + self._lines.clear()

    def sent(self, now: float) -> None:
        """What `Send` asked for is on its way."""
        self._is_waiting = True
        self._give_up_at = min(self._give_up_at, now + self._within_s)
        self._deadline = min(now + self.timeout_s, max(self._give_up_at, now + SHORTEST_TRY_S))
        self.counters.requests += 1

    def receive(self, data: bytes) -> None:
        """Bytes that arrived."""
        if not self._is_waiting:
            self.discard(data)
            return
        for line in self._lines.feed(data):
            if self._is_waiting:
                self._hear(line)
            else:
                self.counters.strays += 1

    def tick(self, now: float) -> None:
        """Time has passed: a request may have run out of it."""
        if not self._is_waiting or now < self._deadline:
            return
        assert self._request is not None
        self._is_waiting = False
        self._lines.clear()
        self.counters.timeouts += 1
        self._unanswered.add(self._steps[0].letter)
        self._quiet_until = now + QUIET_S
        self._tries_left -= 1
        if self._tries_left <= 0 or now + QUIET_S >= self._give_up_at:
            self._end(self._failure())
        else:
            self.counters.retries += 1
            self._steps = self._steps_to(self._request)

    def _steps_to(self, request: Request) -> list[Request]:
        """What to ask until an answer to `request` can be believed.

        While an answer to an earlier request of the same letter may be on its way, a request of another letter must be
        answered first. An order goes out before that as well, because a stop cannot wait.
        """
        if request.letter not in self._unanswered:
            return [request]
        marker = next((marker for marker in _MARKERS if marker.letter not in self._unanswered), None)
        if marker is None:
            return [request]
        return [marker, request] if request.command.values else [request, marker, request]

    def _hear(self, line: bytes) -> None:
        step = self._steps[0]
        self._last_line = line
        try:
            reply = parse_reply(step, line)
        except ReplyError as error:
            self._reject(error)
            return
        self._is_waiting = False
        self.counters.replies += 1
        if step.letter not in self._unanswered:
            # The server answers in order: what it still had to say from before is behind us.
            self._unanswered.clear()
        self._steps = self._steps[1:]
        if not self._steps:
            self._end(reply)

    def _reject(self, error: ReplyError) -> None:
        self._complaint = str(error)
        if error.kind == "refused":
            self._is_waiting = False
            self.counters.refused += 1
            self._end(ExchangeError("refused", str(error), self._last_line))
        else:
            self.counters.rejected += 1

    def _failure(self) -> ExchangeError:
        if self._last_line:
            kind = "foreign" if is_foreign(self._last_line) else "garbled"
            return ExchangeError(kind, self._complaint, self._last_line)
        return ExchangeError("silent", f"no reply to {self._request} within {self.timeout_s:g} s")

    def _end(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self._request = None
