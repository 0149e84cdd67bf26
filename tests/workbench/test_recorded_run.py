"""A recording as pages see it."""

from __future__ import annotations

import math
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
import pytest
from pages import Page, in_a_loop

from pybuzz.recording import ArenaMark, ObstacleMark, Recorder, Recording, RobotMark, RunDescription
from pybuzz.recording.messages import MessageRows
from pybuzz.recording.notes import NOTE_EVENT, NoteRay, note_text
from pybuzz.recording.views import Picture
from pybuzz.workbench.recorded_run import RecordedRun
from pybuzz.workbench.recorded_scenes import RecordedScenes
from pybuzz.workbench.requests import RequestError
from pybuzz.workbench.viewers import as_text

TICKS = 20


def recorded() -> Recording:
    """kh1 drives along x; kh2 fails in tick 5 and is taken out after tick 9; a box is pushed, a cylinder stands."""
    obstacles = (ObstacleMark("box", "box", (1.0, 0.0), (0.2, 0.2), movable=True),
                 ObstacleMark("post", "cylinder", (0.0, 1.0), (0.1, 0.1)))  # fmt: skip
    floor = Picture(np.full((4, 4, 3), 200, dtype=np.uint8), (-2.0, -2.0), (4.0, 4.0))
    cells = Picture(np.zeros((2, 2, 4), dtype=np.uint8), (0.0, 0.0), (2.0, 2.0))
    cells.pixels[0, 0] = (10, 20, 30, 255)
    recorder = Recorder(
        RunDescription("walk.yaml", 7, 10, (RobotMark("kh1"), RobotMark("kh2", number=2)), ArenaMark((4.0, 4.0)),
                       obstacles, lights=((1.0, 1.0),)),
        sensors=["proximity"], globals_=["state"], views={"floor": floor, "map": cells},
    )  # fmt: skip
    for tick in range(TICKS + 1):
        there = np.array([0, 1] if tick < 10 else [0], dtype=np.int32)
        poses = np.array([[tick / 10, 0.0, 0.0], [0.0, -1.0, math.pi / 2]])[there]
        readings = np.full((len(there), 8), tick / 100)
        if tick < 6:
            recorder.record_objects(tick, np.array([0], dtype=np.int32), np.array([[1.0 + tick / 10, 0.0, 0.0]]))
        recorder.record_tick(tick, poses, np.full((len(there), 3), tick, dtype=np.uint8), {"proximity": readings},
                             {"state": [{"n": tick}, "gone"][: len(there)]}, robots=there)  # fmt: skip
        recorder.log(tick, 0, f"at {tick}")
        if tick == 4:
            one, two = np.array([1, 0], dtype=np.int32), np.array([0, 1], dtype=np.int32)
            recorder.record_messages(tick, MessageRows(one, two, one + 20, np.array([0, 2], dtype=np.uint8)))
            ray = NoteRay((1, 2, 3), (0.0, 0.0, 0.0), (0.5, 0.0, 0.0))
            recorder.event(tick, 1, NOTE_EVENT, note_text("here", (9, 9, 9), [ray], 3, (5, 5, 5)))
    recorder.event(5, 1, "failed", "walk.bzz:3:1: runtime error: division by zero")
    return recorder.close()


@asynccontextmanager
async def opened() -> AsyncIterator[Page]:
    page = Page(RecordedRun(recorded(), "run", lambda about: as_text(**{"type": "welcome", **about})))
    try:
        yield page
    finally:
        page.leave()


def places(frame: bytes) -> list[tuple[float, ...]]:
    _, _, robots, objects = struct.unpack_from("<4I", frame)
    return [struct.unpack_from("<3f", frame, 16 + 12 * index) for index in range(robots + objects)]


@in_a_loop
async def test_a_page_is_told_what_was_recorded() -> None:
    async with opened() as page:
        welcome = await page.until("welcome")
        assert (welcome["mode"], welcome["seed"], welcome["tick_seconds"]) == ("recording", 7, 0.1)
        assert welcome["sensors"] == ["proximity"]
        scene = await page.until("scene")
        assert [robot["name"] for robot in scene["robots"]] == ["kh1", "kh2"]
        assert [(thing["name"], thing["shape"]) for thing in scene["objects"]] == [("box", "box"), ("post", "cylinder")]
        assert (scene["arena"], scene["floor"]) == ({"size": [4, 4], "center": [0, 0]},) * 2
        state = await page.until("state")
        assert (state["tick"], state["ticks"], state["playing"]) == (0, TICKS, False)
        lines = (await page.until("log"))["lines"]
        assert [line["text"] for line in lines if not line["error"]] == [f"at {tick}" for tick in range(TICKS + 1)]
        assert [(line["tick"], line["robot"]) for line in lines if line["error"]] == [(5, "kh2")]


@in_a_loop
async def test_each_tick_is_shown_as_it_was() -> None:
    async with opened() as page:
        page.say("show", tick=5)
        frame = await page.until_frame(5)
        assert places(frame) == [pytest.approx(place, abs=1e-6) for place in (
            (0.5, 0, 0), (0, -1, math.pi / 2), (1.5, 0, 0), (0, 1, 0)
        )]  # fmt: skip
        assert frame[-8:] == bytes([5, 5, 5, 0, 5, 5, 5, 1])
        page.say("show", tick=15)
        scene = await page.until("scene", revision=2)
        assert [robot["name"] for robot in scene["robots"]] == ["kh1"]
        assert len(places(await page.until_frame(15))) == 3
        page.say("show", tick=1000)
        await page.until_frame(TICKS)


@in_a_loop
async def test_a_robot_shows_its_recorded_variables_and_sensors() -> None:
    async with opened() as page:
        page.say("select", robot="kh1")
        page.say("show", tick=12)
        found = await page.until("inspection", tick=12)
        assert found["sensors"] == {"proximity": [0.12] * 8}
        (state,) = found["variables"]
        assert (state["name"], state["kind"]) == ("state", "table")
        assert [(child["name"], child["text"]) for child in state["children"]] == [("n", "12")]
        page.say("select", robot="kh2")
        page.say("show", tick=6)
        assert "division by zero" in (await page.until("inspection", robot="kh2"))["error"]


@in_a_loop
async def test_recorded_messages_and_notes_are_shown() -> None:
    """In tick 4 kh1 received 21 bytes of kh2, which lost what kh1 sent; kh2 drew a ray ahead of itself."""
    async with opened() as page:
        page.say("layers", names=["links", "messages", "notes", "rays"])
        page.say("select", robot="kh1")
        page.say("show", tick=4)
        found = await page.until("inspection", tick=4)
        assert found["messages_in"] == [{"robot": "kh2", "size": 21, "lost": None, "texts": []}]
        assert found["messages_out"] == [{"robot": "kh2", "size": 20, "lost": "packet loss", "texts": []}]
        overlay = await page.until("overlay", tick=4)
        assert overlay["links"] == [[0, 1]]
        assert overlay["messages"] == [{"from": "kh2", "to": "kh1", "lost": None},
                                       {"from": "kh1", "to": "kh2", "lost": "packet loss"}]  # fmt: skip
        (note,) = overlay["notes"]
        assert (note["robot"], note["text"], note["color"]) == ("kh2", "here", [9, 9, 9])
        assert note["rays"] == [{"color": [1, 2, 3], "line": [0.0, -1.0, 0.0, -0.5]}]
        assert note["trail"] == [[0, -1]] * 3
        page.say("show", tick=5)
        assert await page.until("overlay", tick=5) == {"type": "overlay", "tick": 5, "links": [], "messages": [],
                                                       "notes": []}  # fmt: skip


@in_a_loop
async def test_it_plays_from_where_it_is_to_its_end() -> None:
    async with opened() as page:
        page.say("speed", factor=None)
        page.say("show", tick=8)
        page.say("play")
        assert (await page.until("state", playing=True))["tick"] >= 8
        await page.until_frame(TICKS)
        await page.until("state", playing=False, tick=TICKS)


@in_a_loop
async def test_a_speed_of_a_recording_beyond_the_bounds_is_the_nearest_one() -> None:
    async with opened() as page:
        for asked, taken in ((1e-300, 0.01), (1e300, 1000.0)):
            page.say("speed", factor=asked)
            assert (await page.until("state", factor=taken))["factor"] == taken


@in_a_loop
async def test_it_steps_pauses_and_starts_over() -> None:
    async with opened() as page:
        page.say("step")
        await page.until_frame(1)
        page.say("step", ticks=3)
        await page.until_frame(4)
        page.say("play")
        page.say("pause")
        await page.until("state", playing=False, tick=4)
        page.say("reset")
        await page.until_frame(0)


@pytest.mark.parametrize("request_", [{"type": "move"}, {"type": "add"}, {"type": "continue_from"}, {"type": "check"}],
                         ids=lambda request: str(request["type"]))  # fmt: skip
def test_what_happened_cannot_be_changed(request_: dict[str, Any]) -> None:
    @in_a_loop
    async def ask() -> None:
        async with opened() as page:
            with pytest.raises(RequestError, match="recording"):
                page.say(request_["type"])

    ask()


def test_the_map_lies_on_the_floor() -> None:
    """Its upper left quarter is the cell; the map covers the upper right quarter of the floor."""
    floor = RecordedScenes(recorded()).floor
    assert floor is not None
    assert floor.pixels[0, 2].tolist() == [10, 20, 30]
    assert floor.pixels[0, 3].tolist() == floor.pixels[3, 0].tolist() == [200, 200, 200]
    assert (floor.corner, floor.size) == ((-2.0, -2.0), (4.0, 4.0))
