"""Robots of small scenes, without ports and clocks."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pybuzz.emulator.hardware import Hardware, HardwareOptions
from pybuzz.emulator.scene import Scene
from pybuzz.emulator.server import Kh4Server
from pybuzz.experiment.reading import read_plan
from pybuzz.khepera import load_model

ALONE = """
experiment: {length: 10, seed: 1}
arena: {size: [4, 4], walls: true}
robots:
  - {kind: kheperaiv, name: kh1, script: null, at: [0, 0], yaw: 0}
"""


class Bench:
    """One robot of a scene on the bench: `say` a line, let time `pass_`, look."""

    def __init__(self, scene: Scene, options: HardwareOptions | None = None, *, x_layout: str = "shipped") -> None:
        self.scene = scene
        self.oddities: list[str] = []
        self.hardware = Hardware(scene, 0, load_model(), 7, options)
        self.hardware.placed(scene.poses[0].tolist())
        self.server = Kh4Server(self.hardware, self.oddities.append, x_layout=x_layout)  # type: ignore[arg-type]

    def say(self, line: str) -> str:
        return self.say_raw(line).decode("latin-1")

    def say_raw(self, line: str) -> bytes:
        return self.server.answer(line.encode())

    def numbers(self, line: str) -> list[float]:
        return [float(part) for part in self.say(line).rstrip("\r\n").split(",")[1:]]

    def pass_(self, seconds: float) -> None:
        for _ in range(round(seconds * 100)):
            driven = self.hardware.wheel_speeds()
            self.scene.step(np.array([driven]))
            self.hardware.moved(self.scene.poses[0].tolist(), driven)


def scene_of(folder: Path, text: str) -> Scene:
    path = folder / "scene.yaml"
    path.write_text(text)
    plan, _ = read_plan(path)
    return Scene(plan, 1)
