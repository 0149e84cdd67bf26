"""Stages for tests of the server: processes that talk as a stage does, without an experiment."""

from __future__ import annotations

import json
import os
import time
from multiprocessing.connection import Connection
from typing import Any

from pybuzz.workbench.options import StageOptions

PLACES = {"kh1": (0.5, -1.0, 2.0), "kh2": (1.5, 0.25, -1.0)}


def frame(tick: int, revision: int = 1, failed: int = 0) -> bytes:
    """Of two robots."""
    import struct

    header = struct.pack("<4I", tick, revision, 2, 0)
    places = b"".join(struct.pack("<3f", *place) for place in PLACES.values())
    return header + places + bytes([1, 2, 3, 0, 4, 5, 6, failed])


class Teller:
    def __init__(self, connection: Connection, options: StageOptions) -> None:
        self._connection = connection
        self.seed = 42 if options.seed is None else options.seed
        self.factor = options.speed

    def say(self, kind: str, **fields: Any) -> None:
        self._connection.send_bytes(json.dumps({"type": kind, **fields}).encode())

    def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self._connection.recv_bytes())
        return message

    def load(self) -> None:
        self.say("welcome", title="fake", seed=self.seed, tick_seconds=0.1, scripts=["walk.bzz"], sensors=[])
        self.say("scene", revision=1, arena=None, floor=None, objects=[], lights=[],
                 robots=[{"name": name} for name in PLACES])  # fmt: skip
        self.tell_state()
        self.tick(0)

    def tell_state(self, **changed: Any) -> None:
        state = {"playing": False, "factor": self.factor, "tick": 0, "ticks": None, "ended": False, "reason": ""}
        self.say("state", **(state | {"rate": 0, "busy": ""} | changed))

    def tick(self, tick: int) -> None:
        self._connection.send_bytes(b"\0" + frame(tick, failed=tick == 7))
        self.say("globals", tick=tick, changed={"kh1": {"count": tick, "state": "a" if tick < 5 else None}})
        self.say("log", lines=[{"tick": tick, "robot": "kh1", "text": f"at {tick}", "error": False}])


def obedient(connection: Connection, options: StageOptions) -> None:
    """Makes as many ticks as a `step` says; tells what else it is asked. `debug` "out" crashes, "over" hangs."""
    stage = Teller(connection, options)
    stage.load()
    tick = 0
    try:
        while True:
            message = stage.hear()
            if message["type"] == "step":
                for _ in range(message["ticks"]):
                    tick += 1
                    stage.tick(tick)
            elif message["type"] == "reset":
                tick = 0
                stage.load()
            elif message["type"] == "move":
                stage.say("intervened", tick=tick, request=message)
            elif message == {"type": "debug", "action": "over"}:
                time.sleep(1000)
            elif message == {"type": "debug", "action": "out"}:
                os._exit(3)
            stage.say("heard", message=message)
    except EOFError:
        pass
