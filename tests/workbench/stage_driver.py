"""Drives a stage in a thread of this process, as the server does over its pipe."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import Pipe
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pybuzz.workbench.options import StageOptions
from pybuzz.workbench.pipe import pack, unpack
from pybuzz.workbench.stage import serve

PATIENCE_S = 300.0
"""Long, for kernels may compile first."""


class Driver:
    """The server's end of a stage's pipe. frames: the latest frame of each tick; messages: all others, in order."""

    def __init__(self, options: StageOptions) -> None:
        self.connection, other = Pipe()
        self.frames: dict[int, bytes] = {}
        self.messages: list[dict[str, Any]] = []
        self.thread = Thread(target=serve, args=(other, options), daemon=True)
        self.thread.start()

    def tell(self, kind: str, **fields: Any) -> None:
        self.connection.send_bytes(pack({"type": kind, **fields}))

    def next_message(self) -> dict[str, Any]:
        """The next message that is no frame; frames before it are kept."""
        while True:
            assert self.connection.poll(PATIENCE_S), f"nothing came, after {json.dumps(self.messages[-3:])[:500]}"
            found = unpack(self.connection.recv_bytes())
            if isinstance(found, bytes):
                self.frames[int.from_bytes(found[:4], "little")] = found
            else:
                assert found is not None
                self.messages.append(found)
                return found

    def until(self, kind: str, wanted: Callable[[dict[str, Any]], bool] = lambda message: True) -> dict[str, Any]:
        """The next message of a kind that is as wanted."""
        while True:
            message = self.next_message()
            if message["type"] == kind and wanted(message):
                return message

    def until_paused(self, tick: int) -> dict[str, Any]:
        return self.until("state", lambda state: state["tick"] == tick and not state["playing"] and not state["busy"])

    def until_loaded(self) -> dict[str, Any]:
        """The `welcome`, once the stage is ready."""
        welcome = self.next_message()
        while welcome["type"] != "welcome":
            assert welcome["type"] != "failed", welcome["text"]
            welcome = self.next_message()
        self.until("state", lambda state: not state["busy"])
        return welcome

    def step(self, ticks: int, to: int) -> None:
        self.tell("step", ticks=ticks)
        self.until_paused(to)

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.messages if message["type"] == kind]

    def poses(self, tick: int) -> NDArray[np.float32]:
        """float32[robots + objects, 3] of a frame."""
        _, _, robots, objects = struct.unpack("<4I", self.frames[tick][:16])
        return np.frombuffer(self.frames[tick], "<f4", 3 * (robots + objects), 16).reshape(-1, 3)

    def lights(self, tick: int) -> NDArray[np.uint8]:
        """uint8[robots, 4]: red, green, blue, flags."""
        robots = int.from_bytes(self.frames[tick][8:12], "little")
        return np.frombuffer(self.frames[tick], np.uint8)[-4 * robots :].reshape(-1, 4)


@contextmanager
def staged(folder: Path, script: str, experiment: str = "", **options: Any) -> Iterator[Driver]:
    """A stage that has loaded an experiment with this script, `experiment.yaml` or, without one, the script alone."""
    (folder / "robot.bzz").write_text(script)
    target = folder / "robot.bzz"
    if experiment:
        target = folder / "experiment.yaml"
        target.write_text(experiment)
    driver = Driver(StageOptions(str(target), str(folder), **{"seed": 7, "speed": None, **options}))
    try:
        yield driver
    finally:
        driver.connection.close()
        driver.thread.join(PATIENCE_S)
        assert not driver.thread.is_alive(), "the stage outlives its pipe"
