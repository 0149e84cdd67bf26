"""A robot on a line: connect, ask one thing at a time, stop."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from pybuzz.link import protocol
from pybuzz.link.addresses import Address
from pybuzz.link.conversation import QUIET_S, Conversation, Counters, ExchangeError, Send
from pybuzz.link.protocol import Reply, Request
from pybuzz.link.transports import LinkLostError, Transport

__all__ = ["HandshakeError", "Session", "StopOutcome", "StopReport", "longest_stop_s"]

_HANDSHAKES: Final = 5
_STOP_S: Final = 1.0
_STOPS: Final = 5
_AFTER_REFUSAL_S: Final = 0.05
"""kh4server refuses an order when the bus to the micro-controller is busy: it needs time."""
_BRAKING_S: Final = 0.2
"""Motors idle cuts the braking off, so it waits for standing wheels, but not for long."""
_COASTING_S: Final = 0.6
"""Idle wheels roll on for up to 0.25 s from full speed; a slow line takes the rest."""
_BETWEEN_READINGS_S: Final = 0.03
_CLEARING_S: Final = 0.05
_FLOOD: Final = "lines that nobody asked for arrive without end: another program talks on this line"

ALL_LIGHTS_OFF: Final = protocol.lights((0, 0, 0), (0, 0, 0), (0, 0, 0))


class HandshakeError(Exception):
    """Something is on the line, but no kh4server. `kind`: silent, foreign or garbled; `last_line` is what it said."""

    def __init__(self, kind: str, text: str, last_line: bytes = b"") -> None:
        super().__init__(text)
        self.kind = kind
        self.last_line = last_line


StopOutcome = Literal["stopped", "not confirmed", "not reached"]


@dataclass(frozen=True, slots=True)
class StopReport:
    """How a stop went; `text` says what failed.

    stopped: an order to stop was acknowledged, and the wheels were seen standing. not confirmed: the robot said
    something, but one of the two is missing. not reached: the line is broken, or nothing was answered.
    """

    outcome: StopOutcome
    text: str = ""

    @property
    def stopped(self) -> bool:
        return self.outcome == "stopped"


def longest_stop_s(address: Address) -> float:
    """How long `Session.stop` may take on a line that answers nothing, and that must be opened again first."""
    return 2.0 + (_STOPS + 6) * (address.timeout_s + QUIET_S)


class Session:
    """The one user of a line. Not for several threads at once."""

    def __init__(
        self,
        address: Address,
        *,
        clock: Callable[[], float] = time.monotonic,
        before_each: Callable[[], None] = lambda: None,
    ) -> None:
        """before_each: called before each exchange of `ask_in_time`, which does not begin if this raises."""
        self.address = address
        self._before_each = before_each
        self.firmware = ""
        self._clock = clock
        self._conversation = Conversation(timeout_s=address.timeout_s)
        self._transport: Transport | None = None

    @property
    def counters(self) -> Counters:
        return self._conversation.counters

    @property
    def is_open(self) -> bool:
        return self._transport is not None

    def connect(self) -> None:
        """Open the line and find a kh4server on it. Raises LinkLostError or HandshakeError."""
        self.close()
        self._transport = Transport(self.address)
        self._conversation.reset()
        try:
            self.firmware = self._shake_hands()
        except (LinkLostError, HandshakeError):
            self.close()
            raise

    def ask_in_time(self, request: Request) -> Reply:
        """As `ask`, given up when a link without replies counts as lost."""
        self._before_each()
        return self.ask(request, within_s=self.address.lost_after_s)

    def ask(self, request: Request, *, tries: int | None = None, within_s: float = math.inf) -> Reply:
        """One exchange. Raises ExchangeError without a good answer, LinkLostError when the line breaks."""
        transport, conversation, clock = self._transport, self._conversation, self._clock
        if transport is None:
            raise LinkLostError("not connected")
        conversation.begin(request, tries=tries, within_s=within_s)
        floods = False
        try:
            while conversation.outcome is None:
                now = clock()
                action = conversation.next_action(now)
                if isinstance(action, Send):
                    floods |= not self._clear_line(transport)
                    transport.write(action.data)
                    conversation.sent(clock())
                else:
                    conversation.receive(transport.read(action.until - now))
                    conversation.tick(clock())
        except LinkLostError:
            self.close()
            raise
        except BaseException:
            conversation.abandon(clock())
            raise
        if isinstance(conversation.outcome, ExchangeError):
            if floods:
                raise ExchangeError("foreign", _FLOOD, conversation.outcome.last_line)
            raise conversation.outcome
        return conversation.outcome

    def _clear_line(self, transport: Transport) -> bool:
        """Throw away what has arrived; whether there was an end to it."""
        end = self._clock() + _CLEARING_S
        while waiting := transport.read(0.0):
            self._conversation.discard(waiting)
            if self._clock() > end:
                return False
        return True

    def stop(self) -> StopReport:
        """The stop procedure of docs/deployment.md. Never raises.

        Zero order until the robot acknowledges it, at least 5 times over 1 s, also after refusals; motors idle when the
        wheels stand or 0.2 s later, and also without an acknowledgement; then whether the wheels stand is read back.
        """
        try:
            return self._stop()
        except LinkLostError as error:
            return StopReport("not reached", str(error))

    def _stop(self) -> StopReport:
        self._conversation.abandon(self._clock())
        replies = self.counters.replies + self.counters.refused
        braked = self._brake()
        if braked:
            self._stand_still(_BRAKING_S)
        idled = self._try(protocol.motors_idle(), tries=2 if braked else 1)
        stands = self._stand_still(_COASTING_S)
        if self.counters.replies + self.counters.refused == replies:
            return StopReport(
                "not reached", "no answer to the zero order, to motors idle, nor to a reading of the wheels"
            )
        rest = (ALL_LIGHTS_OFF, protocol.ultrasound_mask(0)) if braked or idled else ()
        refusing = [str(request) for request in rest if not self._try(request, tries=2)]
        known = [] if braked else ["no acknowledgement of the zero order"]
        known += [] if idled else ["no acknowledgement of motors idle"]
        if stands and (braked or idled):
            known += [f"no answer to {', '.join(refusing)}"] if refusing else []
            return StopReport("stopped", "; ".join(known))
        seen = {
            None: "its wheels cannot be read",
            False: "its wheels still turn",
            True: "its wheels stand, or are held",
        }
        known.append(seen[stands])
        return StopReport("not confirmed", "; ".join(known))

    def _brake(self) -> bool:
        """Whether the robot acknowledged a zero order. Motors idle is tried in between: that order may come through."""
        end = self._clock() + _STOP_S
        attempt = 0
        while attempt < _STOPS or self._clock() < end:
            if self._try(protocol.speed_order(0, 0)):
                return True
            if attempt % _STOPS == 0:
                self._try(protocol.motors_idle())
            attempt += 1
            self._pause(_AFTER_REFUSAL_S)
        return False

    def _stand_still(self, within_s: float) -> bool | None:
        """Whether two readings of the encoders in a row are equal within this time; None: they cannot be read."""
        end = self._clock() + within_s
        before: tuple[float, ...] | None = None
        while True:
            try:
                now = tuple(self.ask(protocol.encoders(), tries=1).values)
            except ExchangeError:
                now = None
            if now is not None and now == before:
                return True
            if self._clock() >= end and (before is not None or now is None):
                return None if now is None else False
            before = now
            self._pause(_BETWEEN_READINGS_S)

    def _pause(self, seconds: float) -> None:
        """Wait, and throw away what arrives."""
        assert self._transport is not None
        end = self._clock() + seconds
        while (left := end - self._clock()) > 0.0:
            self._conversation.discard(self._transport.read(left))

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()
            self._transport = None
        self._conversation.reset()

    def _try(self, request: Request, *, tries: int = 1) -> bool:
        try:
            self.ask(request, tries=tries)
        except ExchangeError:
            return False
        return True

    def _shake_hands(self) -> str:
        error = ExchangeError("silent", "")
        for _ in range(_HANDSHAKES):
            self._conversation.reset()
            try:
                return self.ask(protocol.firmware(), tries=1).text
            except ExchangeError as failure:
                error = failure if failure.last_line or not error.last_line else error
        raise HandshakeError(error.kind, str(error), error.last_line)
