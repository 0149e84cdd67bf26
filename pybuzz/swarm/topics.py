"""`neighbors.broadcast`, `listen` and `ignore`: values sent under a topic, and the functions that wait for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pybuzz.buzz.tables import Table
from pybuzz.buzz.values import BuzzFailure, expect_closure, expect_string, host_function
from pybuzz.swarm.queues import OutgoingQueue
from pybuzz.swarm.wire import Broadcast, UnsendableError, Writer

__all__ = ["Topics"]


class Topics:
    """One robot's listeners, and its way to send to those of others."""

    __slots__ = ("_own", "_queue", "_writer", "listeners")

    def __init__(self, queue: OutgoingQueue, writer: Writer, own: Callable[[Any], Any]) -> None:
        """own: makes a received neutral value this robot's own."""
        self._queue = queue
        self._writer = writer
        self._own = own
        self.listeners: dict[str, Callable[[str, Any, int], Any]] = {}
        """By topic; called with topic, value and sender."""

    def install(self, neighbors: Table) -> None:
        """Adds the functions to the global table `neighbors`."""
        neighbors.store("broadcast", host_function("broadcast", 2, self._broadcast))
        neighbors.store("listen", host_function("listen", 2, self._listen))
        neighbors.store("ignore", host_function("ignore", 1, self._ignore))

    def hear(self, message: Broadcast, sender: int) -> None:
        """Calls the listener of one broadcast, with a value that no other robot has."""
        listener = self.listeners.get(message.topic)
        if listener is not None:
            listener(message.topic, self._own(message.value), sender)

    def _broadcast(self, topic: Any, value: Any) -> None:
        expect_string(topic)
        try:
            payload = self._writer.broadcast(topic, value)
        except UnsendableError as reason:
            # The C runtime sends a malformed message here, which can bring receivers down.
            raise BuzzFailure("type mismatch", str(reason), _HINT) from None
        self._queue.add_broadcast(topic, payload)

    def _listen(self, topic: Any, listener: Any) -> None:
        self.listeners[expect_string(topic)] = expect_closure(listener)

    def _ignore(self, topic: Any) -> None:
        self.listeners.pop(expect_string(topic), None)


_HINT = "send numbers, strings and tables of them, or named functions"
