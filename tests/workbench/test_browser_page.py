"""The page alone in headless Chromium: a stand-in for the server says what there is, and hears what the page asks."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = Path("/usr/bin/chromium")
if not os.environ.get("CI"):
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip(f"there is no browser at {CHROMIUM}", allow_module_level=True)

from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect, sync_playwright  # noqa: E402

import pybuzz.workbench  # noqa: E402

PARTS = Path(pybuzz.workbench.__file__).parent / "page"
ADDRESS = "http://workbench.test/token/"
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
PATIENCE_MS = 60_000

WELCOME = {
    "version": 1, "title": "walk.yaml", "mode": "live", "seed": 7, "tick_seconds": 0.1, "files": ["walk.bzz"],
    "scripts": ["walk.bzz"], "names": [], "sensors": ["proximity"],
}  # fmt: skip
ROBOT = {"kind": "kheperaiv", "radius": 0.07, "script": "walk.bzz"}
SCENE = {
    "revision": 1, "arena": {"size": [4, 4], "center": [0, 0]}, "floor": None, "lights": [], "cells": [],
    "robots": [{**ROBOT, "name": f"kh{n}", "number": n} for n in (1, 2)],
    "objects": [{"name": "crate", "shape": "box", "size": [0.4, 0.4], "movable": True}],
}  # fmt: skip
STATE = {
    "playing": False, "factor": 1, "tick": 50, "ticks": 600, "ended": False, "reason": "", "rate": 0, "busy": "",
}  # fmt: skip
PLACES = [(-1.0, 0.5, 0.0), (1.0, 0.5, 1.5), (0.0, -1.0, 0.0)]
NOTHING: list[Any] = []

TWENTY_KEYS = """() => {
    const slider = document.querySelector("[data-test=slider]");
    const key = { key: "ArrowLeft", bubbles: true, cancelable: true };
    for (let count = 0; count < 20; count++) slider.dispatchEvent(new KeyboardEvent("keydown", key));
}"""


def frame(tick: int) -> bytes:
    places = b"".join(struct.pack("<3f", *place) for place in PLACES)
    return struct.pack("<4I", tick, 1, 2, 1) + places + bytes([255, 0, 0, 0, 0, 0, 255, 0])


class Server:
    """Answers a page with a run of 50 ticks in which nothing moves."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.heard: list[dict[str, Any]] = []
        self.answers: dict[str, Callable[[dict[str, Any]], None]] = {
            "hello": self._greet,
            "show": lambda request: self.socket.send(frame(50 if request["tick"] is None else request["tick"])),
        }
        page.route("**/*", self._hand_out)
        page.route_web_socket("**/socket", self._accept)
        page.goto(ADDRESS)
        expect(page.locator("[data-test=connection]")).to_have_text("connected", timeout=PATIENCE_MS)
        page.wait_for_function("() => workbench.placeOf('kh1') !== null", timeout=PATIENCE_MS)

    def say(self, kind: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"type": kind, **fields}))

    def asked(self, kind: str) -> list[dict[str, Any]]:
        return [request for request in self.heard if request["type"] == kind]

    def hears(self, kind: str, count: int = 1) -> dict[str, Any]:
        """The newest request of a kind, once there are so many."""
        for _ in range(PATIENCE_MS // 20):
            if len(self.asked(kind)) >= count:
                return self.asked(kind)[-1]
            self.page.wait_for_timeout(20)
        raise AssertionError(f"the page did not ask for {kind}, but for {self.heard}")

    def place_of(self, name: str) -> tuple[float, float]:
        """On the page."""
        place = self.page.evaluate("name => workbench.placeOf(name)", name)
        box = self.page.locator("canvas.front").bounding_box()
        assert box is not None
        return box["x"] + place["x"], box["y"] + place["y"]

    def inspect(self, variables: list[dict[str, Any]], tick: int = 50) -> None:
        self.say(
            "inspection", robot="kh1", tick=tick, live=True, pose=[0, 0, 0], wheels=[0, 0], error=None,
            variables=variables, sensors={"proximity": [0.5, "inf"]}, messages_in=NOTHING, messages_out=NOTHING,
        )  # fmt: skip

    def _accept(self, socket: WebSocketRoute) -> None:
        self.socket = socket
        socket.on_message(lambda text: self._hear(json.loads(text)))

    def _hear(self, request: dict[str, Any]) -> None:
        self.heard.append(request)
        self.answers.get(request["type"], lambda _: None)(request)

    def _greet(self, request: dict[str, Any]) -> None:
        self.say("welcome", **WELCOME)
        self.say("scene", **SCENE)
        self.say("state", **STATE)
        self.say("log", lines=NOTHING, from_start=True)
        self.socket.send(frame(50))

    @staticmethod
    def _hand_out(route: Route) -> None:
        name = route.request.url.removeprefix(ADDRESS).partition("?")[0]
        if name.startswith("files/"):
            route.fulfill(body="# walk\nfunction step() {}\n", headers={"ETag": '"1"', "Content-Type": "text/plain"})
            return
        path = PARTS / (name.removeprefix("page/") or "index.html")
        if path.is_file():
            route.fulfill(body=path.read_bytes(), content_type=TYPES[path.suffix])
        else:
            route.fulfill(status=404, body="there is no such thing")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def server(browser: Browser) -> Iterator[Server]:
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.set_default_timeout(PATIENCE_MS)
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    yield Server(page)
    page.close()
    assert not faults


def test_what_scripts_log_is_shown_to_the_letter(server: Server) -> None:
    text = "<img src=x onerror='document.title=1'>&amp;\n  second line"
    server.say(
        "log", lines=[{"tick": 3, "robot": "<b>kh1", "text": text, "error": True, "file": "walk.bzz", "line": 2}]
    )
    lines = server.page.locator("[data-test=log-lines]")
    expect(lines.locator(".text").first).to_have_text("<img src=x onerror='document.title=1'>&amp;")
    expect(lines.locator(".robot").first).to_have_text("<b>kh1")
    expect(lines.locator(".text").last).to_have_text("second line")
    assert lines.locator("img, b").count() == 0


def test_a_filter_shows_the_lines_of_one_robot(server: Server) -> None:
    lines = [
        {"tick": n, "robot": f"kh{1 + n % 2}", "text": f"at {n}", "error": n == 7, "file": None, "line": None}
        for n in range(5000)
    ]
    server.say("log", lines=lines)
    count = server.page.locator("[data-test=log-count]")
    expect(count).to_have_text("5000")
    assert server.page.locator("[data-test=log-lines] .row").count() < 100, "only what is seen is on the page"
    server.page.locator("[data-test=log-robot]").fill("kh2")
    expect(count).to_have_text("2500 of 5000")
    server.page.locator("[data-test=log-errors]").check()
    expect(count).to_have_text("1 of 5000")


def test_a_table_stays_open_while_its_values_change(server: Server) -> None:
    def variables(count: int) -> list[dict[str, Any]]:
        child = {"name": "1", "kind": "int", "text": str(count)}
        return [
            {
                "name": "table",
                "kind": "table",
                "text": "2 entries",
                "children": [child, {**child, "kind": "string"}],
                "more": 3,
            }
        ]

    server.page.keyboard.press("]")
    server.hears("select")
    server.inspect(variables(1))
    tree = server.page.locator("[data-test=variables]")
    tree.locator(".node").first.click()
    server.page.keyboard.press("ArrowDown")
    server.inspect(variables(2), tick=51)
    expect(tree.locator(".value")).to_have_text(["2 entries", "2", "2", "3 more"])
    assert server.page.evaluate("document.activeElement.dataset.name") == "1", "the focus stays where it was"
    server.page.keyboard.press("ArrowLeft")
    server.page.keyboard.press("ArrowLeft")
    expect(tree.locator(".value")).to_have_text(["2 entries"])


def test_while_a_tick_is_on_its_way_only_the_last_one_wanted_is_asked_for_next(server: Server) -> None:
    server.answers["show"] = lambda request: None
    server.page.evaluate(TWENTY_KEYS)
    assert server.hears("show")["tick"] == 49
    server.socket.send(frame(49))
    server.hears("show", 2)
    assert {request["tick"] for request in server.asked("show")} == {49, 30}
    assert server.page.evaluate("workbench.tick") == 30


def test_dragging_a_robot_moves_it_once_when_it_is_let_go(server: Server) -> None:
    x, y = server.place_of("kh1")
    metre = (server.place_of("kh2")[0] - x) / 2
    server.page.mouse.move(x, y)
    server.page.mouse.down()
    server.page.mouse.move(x + metre / 2, y, steps=5)
    server.page.mouse.move(x + metre, y + metre / 2, steps=5)
    assert not server.asked("move")
    server.page.mouse.up()
    move = server.hears("move")
    assert move["name"] == "kh1"
    assert (move["x"], move["y"], move["yaw"]) == pytest.approx((0.0, 0.0, 0.0), abs=0.02)
    assert server.hears("select")["robot"] == "kh1"


def test_the_past_cannot_be_changed(server: Server) -> None:
    server.page.keyboard.press("]")
    server.page.keyboard.press(",")
    server.hears("show")
    server.page.keyboard.press("Shift+ArrowLeft")
    expect(server.page.locator("[data-test=notices]")).to_contain_text("This is the past")
    server.page.keyboard.press("l")
    server.page.keyboard.press("Shift+ArrowLeft")
    assert server.hears("move")["x"] == pytest.approx(-1.02)


def test_a_page_that_lost_its_server_comes_back_to_what_it_showed(server: Server) -> None:
    server.page.keyboard.press("]")
    server.page.keyboard.press("k")
    server.page.keyboard.press(",")
    server.hears("show")
    server.heard.clear()
    server.socket.close(code=1001)
    server.hears("show")
    assert server.heard[0]["type"] == "hello"
    assert server.hears("select")["robot"] == "kh1"
    assert server.hears("layers")["names"] == ["links"]
    assert server.hears("show")["tick"] == 49
    expect(server.page.locator("[data-test=connection]")).to_have_text("connected")


def test_what_does_not_load_is_said_with_its_place(server: Server) -> None:
    server.say(
        "failed", text="/home/ada/walk.bzz:2:10: compile error: syntax error\n  function step() {}\n           ^"
    )
    curtain = server.page.locator("[data-test=curtain]")
    expect(curtain).to_contain_text("does not load")
    curtain.get_by_text("walk.bzz:2:10:").click()
    expect(server.page.locator(".editor-cursor")).to_have_text("Line 2, column 1")
    server.say("state", **{**STATE, "busy": "loading"})
    expect(curtain).to_have_text("loading")
    server.say("state", **STATE)
    expect(curtain).not_to_be_visible()


def test_a_page_that_comes_later_shows_the_breakpoints_there_are_and_leaves_them(server: Server) -> None:
    places = [{"file": "walk.bzz", "line": 1, "at": 2}, {"file": "other.bzz", "line": 9, "at": 9}]
    server.say("breakpoints", lines=places)
    dots = server.page.locator(".editor-breakpoint")
    expect(dots).to_have_count(1)
    server.say("welcome", **WELCOME)
    server.page.locator(".cm-line").first.click()
    assert not server.asked("breakpoints")
    server.page.keyboard.press("F9")
    lines = server.hears("breakpoints")["lines"]
    assert sorted((one["file"], one["line"]) for one in lines) == [("other.bzz", 9), ("walk.bzz", 1), ("walk.bzz", 2)]
    server.say("breakpoints", lines=NOTHING)  # said before that was heard
    server.say("breakpoints", lines=[{**one, "at": one["line"]} for one in lines])
    server.page.wait_for_timeout(50)
    expect(dots).to_have_count(2)
    server.say("breakpoints", lines=NOTHING)
    expect(dots).to_have_count(0)


@pytest.mark.parametrize("kind", ["welcome", "failed", "resumed"])
def test_a_line_is_marked_only_as_long_as_a_script_stands_there(server: Server, kind: str) -> None:
    stack = [{"function": "step", "file": "walk.bzz", "line": 2, "variables": NOTHING}]
    server.say("stopped", robot="kh1", reason="breakpoint", file="walk.bzz", line=2, stack=stack)
    line = server.page.locator(".editor-stopped")
    expect(line).to_have_count(1)
    server.say(kind, **{"welcome": WELCOME, "failed": {"text": "walk.bzz:1:1: no"}, "resumed": {}}[kind])
    expect(line).to_have_count(0)
    expect(server.page.locator("[data-test=stack]")).not_to_be_visible()


def test_what_ended_or_did_not_load_is_run_anew_from_the_editor(server: Server) -> None:
    server.say("failed", text="walk.bzz:2:10: compile error: syntax error")
    server.say("state", **{**STATE, "ended": True, "reason": "walk.bzz:2:10: compile error: syntax error"})
    expect(server.page.locator("[data-test=state]")).to_have_text("does not load")
    server.page.keyboard.press(" ")
    expect(server.page.locator("[data-test=notices]")).to_contain_text("mend what does not load")
    assert not server.asked("play")
    server.page.locator("[data-test=run]").click()
    server.hears("reset")
    assert not server.asked("play")
    server.say("welcome", **WELCOME)
    server.hears("play")


def test_what_has_ended_is_played_again_from_its_start(server: Server) -> None:
    server.say("state", **{**STATE, "ended": True, "reason": "all ticks were run", "factor": None})
    expect(server.page.locator("[data-test=state]")).to_have_text("ended: all ticks were run")
    server.page.keyboard.press(" ")
    assert server.hears("show")["tick"] == 0
    server.page.wait_for_function("() => workbench.live", timeout=PATIENCE_MS)
    assert not server.asked("play")


def test_all_keys_are_listed_and_each_means_one_thing(server: Server) -> None:
    server.page.keyboard.press("?")
    help = server.page.locator("[data-test=help]")
    expect(help).to_be_visible()
    keys = help.locator("dt").all_text_contents()
    assert len(keys) == len(set(keys)) > 30
    server.page.keyboard.press("Escape")
    expect(help).not_to_be_visible()


def test_every_button_has_a_name_and_nothing_scrolls_sideways(server: Server) -> None:
    nameless = "[...document.querySelectorAll('button')].filter(b => !(b.textContent.trim() || b.ariaLabel)).length"
    assert server.page.evaluate(nameless) == 0
    for width in (1920, 1280, 1000):
        server.page.set_viewport_size({"width": width, "height": 720})
        assert server.page.evaluate("document.documentElement.scrollWidth") == width
