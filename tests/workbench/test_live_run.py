"""A live experiment behind pages: what is past is shown again, and a stage that hangs or crashes is replaced."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from fake_stages import frame, obedient
from pages import Page, in_a_loop

from pybuzz.workbench import live_run
from pybuzz.workbench.live_run import LiveRun
from pybuzz.workbench.options import StageOptions
from pybuzz.workbench.viewers import Viewer, as_text


@asynccontextmanager
async def opened(**options: Any) -> AsyncIterator[tuple[LiveRun, Page]]:
    run = LiveRun(
        StageOptions("fake.bzz", ".", **options), lambda loaded: as_text(**{"type": "welcome", **loaded}), obedient
    )
    page = Page(run)
    try:
        yield run, page
    finally:
        page.leave()
        await run.close()


@in_a_loop
async def test_a_page_is_welcomed_before_the_experiment_was_loaded_and_again_after() -> None:
    async with opened() as (_, page):
        assert (await page.until("welcome")).get("seed") is None
        assert (await page.until("state"))["busy"] == "starting"
        assert (await page.until("welcome"))["seed"] == 42
        assert [robot["name"] for robot in (await page.until("scene"))["robots"]] == ["kh1", "kh2"]
        assert await page.until_frame(0) == frame(0)


@in_a_loop
async def test_a_page_that_comes_later_is_told_all() -> None:
    async with opened() as (run, first):
        first.say("step", ticks=3)
        await first.until_frame(3)
        await first.until("heard")
        page = Page(run)
        assert (await page.until("welcome"))["title"] == "fake"
        await page.until("scene", revision=1)
        await page.until("state")
        log = await page.until("log", from_start=True)
        assert [line["text"] for line in log["lines"]] == ["at 0", "at 1", "at 2", "at 3"]
        await page.until_frame(3)
        page.leave()


@in_a_loop
async def test_what_any_page_wants_laid_over_the_arena_is_asked_for_until_that_page_leaves() -> None:
    async with opened() as (run, first):
        first.say("layers", names=["rays"])
        assert (await first.until("heard"))["message"]["names"] == ["rays"]
        second = Page(run)
        second.say("layers", names=["links", "notes"])
        assert (await first.until("heard"))["message"]["names"] == ["links", "notes", "rays"]
        second.leave()
        assert (await first.until("heard"))["message"]["names"] == ["rays"]


@in_a_loop
async def test_the_past_is_shown_until_the_newest_is_asked_for() -> None:
    async with opened() as (_, page):
        page.say("step", ticks=9)
        await page.until_frame(9)
        page.say("show", tick=4)
        assert await page.until_frame(4) == frame(4)
        page.say("step", ticks=1)
        await page.until("heard")
        page.say("show", tick=2)
        await page.until_frame(2)
        assert frame(10) not in page.aside
        page.say("show", tick=None)
        await page.until_frame(10)
        page.say("show", tick=1000)
        await page.until_frame(10)


@in_a_loop
async def test_a_robot_of_the_past_shows_its_place_and_its_scalar_globals() -> None:
    async with opened() as (_, page):
        page.say("step", ticks=9)
        await page.until_frame(9)
        page.say("select", robot="kh1")
        page.say("show", tick=4)
        found = await page.until("inspection")
        assert (found["robot"], found["tick"], found["live"], found["error"]) == ("kh1", 4, False, None)
        assert found["pose"] == [0.5, -1.0, 2.0]
        assert [(node["name"], node["kind"], node["text"]) for node in found["variables"]] == [
            ("count", "int", "4"), ("state", "string", '"a"')
        ]  # fmt: skip
        page.say("show", tick=7)
        found = await page.until("inspection", tick=7)
        assert [node["name"] for node in found["variables"]] == ["count"]
        assert found["error"] is None
        page.say("select", robot="kh2")
        assert (await page.until("inspection", robot="kh2"))["error"] == "its script failed"


@in_a_loop
async def test_a_run_that_begins_anew_forgets_the_old_one() -> None:
    async with opened() as (_, page):
        page.say("step", ticks=9)
        await page.until_frame(9)
        page.say("show", tick=5)
        await page.until_frame(5)
        page.say("reset")
        await page.until("welcome")
        assert (await page.until("log", from_start=True))["lines"] == []
        await page.until_frame(0)
        page.say("show", tick=9)
        await page.until_frame(0)
        page.say("step", ticks=1)
        await page.until_frame(1)


@pytest.fixture
def _short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_run, "_SILENCE_S", 0.3)
    monkeypatch.setattr(live_run, "_WATCH_S", 0.05)


@pytest.mark.usefixtures("_short_patience")
@in_a_loop
async def test_a_stage_that_hangs_is_replaced_when_the_run_is_to_go_on_from_a_tick() -> None:
    """With the same seed and speed, and what was changed by hand until then."""
    async with opened(speed=None) as (_, page):
        await page.until_frame(0)
        page.say("layers", names=["rays"])
        page.say("step", ticks=2)
        move = {"name": "kh1", "x": 1.0, "y": 2.0, "yaw": 0.0}
        page.say("move", **move)
        page.say("step", ticks=2)
        page.say("move", **move)
        page.say("debug", action="over")
        page.aside.clear()
        page.say("continue_from", tick=3)
        assert (await page.until("state", busy="starting anew"))["factor"] is None
        page.aside.clear()
        assert (await page.until("welcome"))["seed"] == 42
        assert (await page.until("heard"))["message"] == {"type": "layers", "names": ["rays"]}
        heard = (await page.until("heard"))["message"]
        assert heard == {"type": "continue_from", "tick": 3,
                         "interventions": [{"tick": 2, "request": {"type": "move", **move}}]}  # fmt: skip


@in_a_loop
async def test_a_stage_that_crashed_is_told_of_and_replaced_by_a_reset() -> None:
    async with opened() as (_, page):
        await page.until_frame(0)
        page.say("debug", action="out")
        assert "ended" in (await page.until("state", ended=True))["reason"]
        page.say("play")
        assert "reset" in (await page.until("refused", request="play"))["text"]
        page.say("reset")
        await page.until("welcome", seed=42)
        await page.until_frame(0)


@in_a_loop
async def test_closing_ends_a_stage_that_listens_and_kills_one_that_does_not() -> None:
    for action, ended in (("into", True), ("over", False)):
        run = LiveRun(StageOptions("fake.bzz", "."), lambda loaded: as_text("welcome"), obedient)
        page = Page(run)
        await page.until_frame(0)
        page.say("debug", action=action)
        page.leave()
        assert await run.close() is ended


@in_a_loop
async def test_a_page_that_does_not_read_is_given_up() -> None:
    viewer = Viewer()
    for _ in range(40):
        viewer.tell("x" * 1_000_000)
    assert viewer.overrun.is_set()
