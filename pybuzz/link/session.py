"""A robot on a line: connect, ask one thing at a time, stop."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pybuzz.link import protocol
from pybuzz.link.addresses import Address
from pybuzz.link.conversation import Conversation, Counters, ExchangeError, Send
from pybuzz.link.protocol import Reply, Request
from pybuzz.link.transports import LinkLostError, Transport

__all__ = ["HandshakeError", "Session", "StopReport"]

_HANDSHAKES: Final = 5
_STOP_S: Final = 1.0
_STOPS: Final = 5

ALL_LIGHTS_OFF: Final = protocol.lights((0, 0, 0), (0, 0, 0), (0, 0, 0))


class HandshakeError(Exception):
    """Something is on the line, but no kh4server. `kind`: silent, foreign or garbled; `last_line` is what it said."""

    def __init__(self, kind: str, text: str, last_line: bytes = b"") -> None:
        super().__init__(text)
        self.kind = kind
        self.last_line = last_line


@dataclass(frozen=True, slots=True)
class StopReport:
    """How a stop went: `stopped` if the robot acknowledged a zero order; `text` says what failed."""

    stopped: bool
    text: str = ""


class Session:
    """The one user of a line. Not for several threads at once."""

    def __init__(self, address: Address, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.address = address
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
        return self.ask(request, within_s=self.address.lost_after_s)

    def ask(self, request: Request, *, tries: int | None = None, within_s: float = math.inf) -> Reply:
        """One exchange. Raises ExchangeError without a good answer, LinkLostError when the line breaks."""
        transport, conversation, clock = self._transport, self._conversation, self._clock
        if transport is None:
            raise LinkLostError("not connected")
        conversation.begin(request, tries=tries, within_s=within_s)
        try:
            while conversation.outcome is None:
                now = clock()
                action = conversation.next_action(now)
                if isinstance(action, Send):
                    while waiting := transport.read(0.0):
                        conversation.discard(waiting)
                    transport.write(action.data)
                    conversation.sent(clock())
                else:
                    conversation.receive(transport.read(action.until - now))
                    conversation.tick(clock())
        except LinkLostError:
            self.close()
            raise
        if isinstance(conversation.outcome, ExchangeError):
            raise conversation.outcome
        return conversation.outcome

    def stop(self) -> StopReport:
        """Zero order until it is acknowledged, at least 5 times over 1 s; then motors idle, lights and ultrasound off.

        Never raises.
        """
        try:
            end = self._clock() + _STOP_S
            for attempt in range(_STOPS * 10):
                if attempt >= _STOPS and self._clock() > end:
                    return StopReport(False, "no acknowledgement of the zero order")
                if self._try(protocol.speed_order(0, 0)):
                    break
            refusing = [
                str(request)
                for request in (protocol.motors_idle(), ALL_LIGHTS_OFF, protocol.ultrasound_mask(0))
                if not self._try(request, tries=2)
            ]
        except LinkLostError as error:
            return StopReport(False, str(error))
        return StopReport(True, f"no answer to {', '.join(refusing)}" if refusing else "")

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
