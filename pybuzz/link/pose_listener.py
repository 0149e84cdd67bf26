"""Receives external poses by UDP and hands them to the robots' estimates."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from pybuzz.errors import Diagnostic, LinkError, Place
from pybuzz.link.fleet import PoseSource
from pybuzz.link.positions import PoseEstimate, SampleStream

__all__ = ["PoseListener"]

_LARGEST_DATAGRAM: Final = 65535
_MOST_UNKNOWN: Final = 10
_LOOK_S: Final = 0.2
"""How long `close` may wait: closing a socket does not wake the thread that waits at it."""


class PoseListener:
    """Listens until `close`. estimates: by robot id. tell: what a person should know of the datagrams, each thing once.

    Raises LinkError if the port is taken.
    """

    def __init__(self, source: PoseSource, estimates: Mapping[int, PoseEstimate], tell: Callable[[str], None]) -> None:
        self.stream = SampleStream()
        self._tell = tell
        self._unknown: set[int] = set()
        """Ids that the tracker sends and the fleet does not have."""
        self._has_told_malformed = False
        self._transform = source.transform
        self._estimates = estimates
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self._socket.bind((source.address, source.port))
        except OSError as error:
            self._socket.close()
            text = f"poses cannot be received on {source.address}:{source.port}: {error.strerror}"
            hint = "end the program that has the port, or change pose: {port: ...} in the fleet file"
            raise LinkError(Diagnostic(Place("pose source"), "link", text, hint=hint)) from None
        self._socket.settimeout(_LOOK_S)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="poses", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        self._thread.join()
        self._socket.close()

    def _listen(self) -> None:
        while not self._closing.is_set():
            # A datagram to a port that nobody has can come back as an error of this socket: it says nothing here.
            with suppress(OSError):
                data, sender = self._socket.recvfrom(_LARGEST_DATAGRAM)
                self._take(sender, data)

    def _take(self, sender: tuple[str, int], data: bytes) -> None:
        samples = self.stream.take(sender, data)
        for sample in samples:
            estimate = self._estimates.get(sample.robot)
            if estimate is not None:
                estimate.see(self._transform.apply(sample.pose), time.monotonic())
        self._tell_unknown({sample.robot for sample in samples} - self._estimates.keys() - self._unknown)
        if self.stream.malformed and not self._has_told_malformed:
            self._has_told_malformed = True
            text = f"a datagram of the tracker is refused: {self.stream.malformed}; further ones are only counted"
            self._tell(text)

    def _tell_unknown(self, ids: set[int]) -> None:
        """At most so many ids: a stray program may send any."""
        if ids and len(self._unknown) < _MOST_UNKNOWN:
            self._unknown |= ids
            known = ", ".join(map(str, sorted(self._estimates)))
            said = ", ".join(map(str, sorted(ids)[:_MOST_UNKNOWN]))
            self._tell(f"the tracker sends poses of {said}, and the fleet has no such id; it has {known}")
