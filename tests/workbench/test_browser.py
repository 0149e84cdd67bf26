"""The workbench as a person uses it: `pybuzz view` and its page in headless Chromium.

Every test leaves a picture of the page in `.artefacts/workbench`.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = Path("/usr/bin/chromium")
IN_CI = bool(os.environ.get("CI"))
if not IN_CI:
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip(f"there is no browser at {CHROMIUM}", allow_module_level=True)

from playwright.sync_api import (  # noqa: E402
    Browser,
    ConsoleMessage,
    FloatRect,
    Locator,
    Page,
    WebSocketRoute,
    expect,
    sync_playwright,
)

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / ".artefacts" / "workbench"
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
PATIENCE_MS = 60_000  # a busy machine is no fault

EXPERIMENT = """\
experiment: {ticks_per_second: 10, length: 600, seed: 5}
arena: {size: [4, 3], walls: true}
obstacles:
  - {name: crate, box: [0.3, 0.3, 0.5], at: [1.2, -0.8], movable: true, mass: 1}
lights: [{name: lamp, at: [-1.5, 1.2, 1]}]
robots:
  - {kind: kheperaiv, name: ada, script: walker.bzz, at: [-1.0, 0.0], yaw: 0}
  - {kind: kheperaiv, name: ben, script: walker.bzz, at: [0.0, 0.9], yaw: 90}
  - {kind: kheperaiv, name: cleo, script: walker.bzz, at: [0.6, 0.2], yaw: 180}
"""
WALKER = """\
include "colours.bzz"

function init() {
  turns = 0
  memory = { .home = "north", .seen = { .first = 7 } }
  log("ready")
}

function step() {
  turns = turns + 1
  show_turn(turns)
  set_wheels(4.0, 6.0)
  neighbors.broadcast("turn", turns)
}
"""
COLOURS = """\
# What the lights show.
function show_turn(turn) {
  var red = 0
  if(turn % 10 < 5) red = 255
  set_leds(red, 120, 40)
}
"""
FUNCTION_LINE, STEP_LINE = 9, 11  # of `function step`, and of a line in it

# Robots glide from frame to frame: the place of one when it is the same twice in a row.
AT_REST = """(name) => {
    const place = window.workbench.placeOf(name);
    const isAtRest = place && window.placeBefore === JSON.stringify(place);
    window.placeBefore = JSON.stringify(place);
    return isAtRest ? place : null;
}"""


class Workbench:
    """The page, with words for what a person does and sees."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def part(self, name: str) -> Locator:
        return self.page.locator(f"[data-test={name}]")

    def wait(self, condition: str) -> None:
        """Until a condition over `workbench`, in JavaScript, holds."""
        self.page.wait_for_function(f"() => {{ const workbench = window.workbench; return {condition}; }}")

    def value(self, expression: str) -> Any:
        return self.page.evaluate(f"() => {{ const workbench = window.workbench; return {expression}; }}")

    def play_until(self, tick: int) -> None:
        self.part("play").click()
        self.wait(f"workbench.tick >= {tick}")
        self.part("play").click()
        self.wait("!workbench.playing")

    def steps(self, count: int) -> None:
        before = self.value("workbench.newest")
        for step in range(count):
            self.part("step").click()
            self.wait(f"workbench.newest === {before + step + 1}")

    def place_of(self, name: str) -> tuple[float, float]:
        """Of a robot or object, on the screen, once it is at rest there."""
        self.page.evaluate("() => { window.placeBefore = null; }")
        place = self.page.wait_for_function(AT_REST, arg=name, polling=120).json_value()
        return self.canvas["x"] + place["x"], self.canvas["y"] + place["y"]

    @property
    def canvas(self) -> FloatRect:
        """Where the arena is on the screen."""
        box = self.page.locator("#arena-view").bounding_box()
        assert box is not None
        return box

    def select(self, name: str) -> None:
        self.page.mouse.click(*self.place_of(name))
        self.wait(f"workbench.selected === {json.dumps(name)}")

    def line(self, number: int) -> Locator:
        """A line of the text in the editor, from 1; of short texts, which are on the page as a whole."""
        return self.part("editor-text").locator(".cm-line").nth(number - 1)

    def write_after(self, number: int, text: str) -> None:
        """Types a new line below one."""
        self.line(number).click()
        self.page.keyboard.press("End")
        self.page.keyboard.insert_text("\n" + text)


@contextmanager
def served(*arguments: str | Path) -> Iterator[str]:
    """The address of a `pybuzz view` of these arguments, while it runs."""
    command = [sys.executable, "-m", "pybuzz", "view", *map(str, arguments), "--no-browser"]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        yield server.stdout.readline().strip()
    finally:
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=20) == 0, "Ctrl-C ends it well"
        server.stdout.close()


def write_experiment(folder: Path) -> None:
    (folder / "walk.yaml").write_text(EXPERIMENT)
    (folder / "walker.bzz").write_text(WALKER)
    (folder / "colours.bzz").write_text(COLOURS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("walk")
    write_experiment(folder)
    return folder


@pytest.fixture(scope="module")
def recording(folder: Path) -> Path:
    """Of a run whose sensors are all read: kernels that the tests need are compiled when they begin."""
    sensors = "proximity,ultrasound,ground,light,battery,lidar"
    command = [sys.executable, "-m", "pybuzz", "run", folder / "walk.yaml", "--ticks", "30", "--quiet"]
    options = ["--record", folder / "run", "--record-globals", "turns", "--record-sensors", sensors]
    subprocess.run([*command, *options], cwd=ROOT, check=True)
    return folder / "run"


@pytest.fixture(scope="module")
def address(folder: Path, recording: Path) -> Iterator[str]:
    with served(folder / "walk.yaml") as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert CHROMIUM.exists(), f"CI tests the workbench in {CHROMIUM}: .ci/run installs it"
    PICTURES.mkdir(parents=True, exist_ok=True)
    print(f"pictures: {PICTURES}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def page_at(browser: Browser, address: str, picture: str, *, color_scheme: Any = "dark") -> Iterator[Page]:
    """A page of its own, which must not complain; at the end a picture is taken of it."""
    complaints: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and "409 (Conflict)" not in message.text:
            complaints.append(message.text)

    page = browser.new_page(viewport={"width": 1280, "height": 720}, color_scheme=color_scheme)
    page.set_default_timeout(PATIENCE_MS)
    page.on("console", hear)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address)
    try:
        yield page
    finally:
        page.screenshot(path=PICTURES / f"{picture}.png")
        page.close()
    assert complaints == []


@pytest.fixture
def workbench(browser: Browser, address: str, folder: Path, request: pytest.FixtureRequest) -> Iterator[Workbench]:
    """A page that shows the experiment at its beginning, paused, with its files as they were at first."""
    write_experiment(folder)
    with page_at(browser, address, request.node.name.removeprefix("test_")) as page:
        workbench = Workbench(page)
        workbench.wait("workbench?.connection === 'connected'")
        if workbench.value("workbench.playing"):
            workbench.part("play").click()
        workbench.part("reset").click()
        workbench.wait("workbench.newest === 0 && workbench.frameTick === 0 && !workbench.playing")
        workbench.line(1).wait_for()
        yield workbench


expect.set_options(timeout=PATIENCE_MS)


def test_the_page_opens_with_the_robots_in_place(workbench: Workbench) -> None:
    expect(workbench.part("connection")).to_have_text("connected")
    expect(workbench.part("title")).to_contain_text("walk")
    expect(workbench.part("log-lines")).to_contain_text("ready")
    west, _ = workbench.place_of("ada")
    east, south = workbench.place_of("cleo")
    _, north = workbench.place_of("ben")
    assert west < east
    assert north < south


def test_a_run_plays_and_pauses(workbench: Workbench) -> None:
    before = workbench.place_of("ada")
    workbench.play_until(10)
    stood = workbench.value("workbench.newest")
    assert workbench.place_of("ada") != before
    workbench.steps(1)
    assert workbench.value("workbench.newest") == stood + 1, "nothing ran while it was paused"


def test_the_past_is_looked_at_and_left_again(workbench: Workbench) -> None:
    start = workbench.place_of("ada")
    workbench.play_until(20)
    end = workbench.place_of("ada")
    slider = workbench.part("slider")
    slider.press("Home")
    workbench.wait("workbench.frameTick === 0 && !workbench.live")
    assert workbench.place_of("ada") == start
    slider.press("ArrowRight")
    workbench.wait("workbench.frameTick === 1")
    box = slider.bounding_box()
    assert box is not None
    workbench.page.mouse.click(box["x"] + 0.12 * box["width"], box["y"] + 12)
    workbench.wait("workbench.frameTick > 5 && workbench.frameTick < workbench.newest")
    workbench.part("live").click()
    workbench.wait("workbench.live && workbench.frameTick === workbench.newest")
    assert workbench.place_of("ada") == end


def test_a_run_continues_from_a_tick_of_the_past_as_it_did_before(workbench: Workbench) -> None:
    workbench.steps(8)
    end = workbench.place_of("ada")
    for _ in range(4):
        workbench.part("back").click()
    workbench.wait("workbench.frameTick === 4")
    workbench.part("continue").click()
    workbench.wait("workbench.newest === 4 && workbench.live")
    workbench.steps(4)
    workbench.wait("workbench.frameTick === 8")
    assert workbench.place_of("ada") == end


def test_an_error_is_marked_as_it_is_typed_and_the_mended_script_runs(workbench: Workbench, folder: Path) -> None:
    workbench.write_after(STEP_LINE, '  log(turns * 100, " mended"))')
    problems = workbench.part("problems").locator("button")
    expect(problems.first).to_contain_text(f"{STEP_LINE + 1}:")
    expect(workbench.page.locator(".cm-lintRange-error").first).to_be_visible()
    expect(workbench.part("problem-count")).to_contain_text("error")
    workbench.page.screenshot(path=PICTURES / "error_in_the_editor.png")
    problems.first.click()
    workbench.page.keyboard.press("End")
    workbench.page.keyboard.press("Backspace")
    expect(problems).to_have_count(0)
    assert folder.joinpath("walker.bzz").read_text() == WALKER, "nothing is saved unasked"
    workbench.page.keyboard.press("Control+Enter")
    workbench.wait("workbench.playing && workbench.newest >= 3")
    expect(workbench.part("log-lines")).to_contain_text("300 mended")
    assert 'log(turns * 100, " mended")' in folder.joinpath("walker.bzz").read_text()


def test_a_script_that_fails_is_explained_with_its_place(workbench: Workbench) -> None:
    workbench.write_after(STEP_LINE, "  if(turns == 3) set_wheels(nil, 1)")
    workbench.page.keyboard.press("Control+Enter")
    fault = workbench.part("log-lines").get_by_text(f"walker.bzz:{STEP_LINE + 1}").first
    fault.click()
    expect(workbench.page.locator(".cm-activeLine")).to_contain_text("set_wheels(nil, 1)")


def test_a_script_that_cannot_be_loaded_runs_once_it_is_mended(workbench: Workbench) -> None:
    workbench.write_after(STEP_LINE, "  turns = = 2")
    workbench.page.keyboard.press("Control+Enter")
    expect(workbench.part("state")).to_be_visible()
    expect(workbench.part("problems").locator("button").first).to_contain_text(f"{STEP_LINE + 1}:")
    workbench.page.screenshot(path=PICTURES / "not_loaded.png")
    workbench.line(STEP_LINE + 1).click()
    workbench.page.keyboard.press("End")
    workbench.page.keyboard.press("Shift+Home")
    workbench.page.keyboard.insert_text('  if(turns == 2) log("mended")')
    workbench.page.keyboard.press("Control+Enter")
    expect(workbench.part("log-lines")).to_contain_text("mended")


def test_names_are_completed_with_their_fields(workbench: Workbench) -> None:
    workbench.line(STEP_LINE).click()
    workbench.page.keyboard.press("End")
    workbench.page.keyboard.press("Enter")
    workbench.page.keyboard.type("x = math.sq")
    option = workbench.page.locator(".cm-tooltip-autocomplete li").first
    expect(option).to_contain_text("sqrt")
    option.click()
    expect(workbench.line(STEP_LINE + 1)).to_have_text("  x = math.sqrt")


def test_a_file_changed_by_another_program_is_not_overwritten_unasked(workbench: Workbench, folder: Path) -> None:
    workbench.write_after(2, "# mine")
    folder.joinpath("walker.bzz").write_text("# theirs\n" + WALKER)
    workbench.page.keyboard.press("Control+s")
    question = workbench.part("editor-question")
    expect(question).to_contain_text("walker.bzz was changed on disk")
    question.get_by_text("Take the one on disk").click()
    expect(workbench.line(1)).to_have_text("# theirs")
    assert folder.joinpath("walker.bzz").read_text() == "# theirs\n" + WALKER


def test_the_editor_is_left_by_the_keyboard_alone(workbench: Workbench) -> None:
    workbench.line(1).click()
    workbench.page.keyboard.press("Tab")
    expect(workbench.line(1)).to_contain_text("  ")
    workbench.page.keyboard.press("Escape")
    workbench.page.keyboard.press("Tab")
    assert not workbench.page.evaluate("document.activeElement.closest('.cm-editor')")


def test_a_selected_robot_shows_its_variables(workbench: Workbench) -> None:
    workbench.steps(3)
    workbench.select("ada")
    inspector = workbench.part("inspector")
    expect(inspector).to_contain_text("turns")
    expect(inspector).to_contain_text("memory")
    row = inspector.locator("[data-name=turns]")
    expect(row).to_contain_text("3")
    workbench.steps(1)
    expect(row).to_contain_text("4")


def test_a_value_keeps_the_kind_it_is_typed_in(workbench: Workbench) -> None:
    workbench.steps(1)
    workbench.select("ada")
    row = workbench.part("inspector").locator("[data-name=turns]")
    expect(row).to_contain_text("1")
    for typed, shown in (("5.0", "6.0"), ("5", "6")):  # the script adds 1 in its step
        row.dblclick()
        workbench.part("field-value").fill(typed)
        workbench.part("dialog-go").click()
        workbench.steps(1)
        expect(row.locator(".value")).to_have_text(shown)


def test_a_breakpoint_stops_the_selected_robot(workbench: Workbench) -> None:
    workbench.select("ben")
    workbench.line(FUNCTION_LINE).click()
    workbench.page.keyboard.press("F9")
    dot = workbench.page.locator(".editor-breakpoint")
    expect(dot).to_have_count(1)
    workbench.part("play").click()
    stopped = workbench.page.locator(".editor-stopped")
    expect(stopped).to_have_text("  turns = turns + 1")  # the next line with code
    expect(workbench.part("stack").locator("li")).to_have_count(1)
    workbench.part("debug-over").click()
    expect(stopped).to_have_text("  show_turn(turns)")
    workbench.page.screenshot(path=PICTURES / "stopped_at_a_breakpoint.png")
    workbench.page.keyboard.press("F11")
    expect(stopped).to_have_text("  var red = 0")
    expect(workbench.part("stack").locator("li")).to_have_count(2)
    expect(workbench.part("debug").locator("[data-name=turn]")).to_contain_text("1")
    workbench.part("stack").locator("button").nth(1).click()
    expect(workbench.page.locator(".cm-activeLine")).to_have_text("  show_turn(turns)")
    dot.click()
    expect(dot).to_have_count(0)
    workbench.part("debug-continue").click()
    expect(stopped).to_have_count(0)
    workbench.wait("workbench.newest >= 3")


def test_a_robot_is_dragged_elsewhere(workbench: Workbench) -> None:
    x, y = workbench.place_of("cleo")
    mouse = workbench.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 30, y + 20)
    mouse.move(x + 60, y + 40)
    mouse.up()
    workbench.wait(f"Math.abs(workbench.placeOf('cleo').x - {x + 60 - workbench.canvas['x']}) < 2")
    workbench.steps(1)
    moved_x, moved_y = workbench.place_of("cleo")
    assert abs(moved_x - x - 60) < 3
    assert abs(moved_y - y - 40) < 3


def test_a_reloaded_page_shows_the_same_run(workbench: Workbench) -> None:
    workbench.steps(5)
    place = workbench.place_of("ben")
    workbench.page.reload()
    workbench.wait("workbench?.connection === 'connected' && workbench.frameTick === 5")
    assert workbench.place_of("ben") == place
    workbench.steps(1)


def test_a_broken_connection_is_told_and_made_again(browser: Browser, address: str) -> None:
    routes: list[WebSocketRoute] = []

    def pass_through(route: WebSocketRoute) -> None:
        route.connect_to_server()
        routes.append(route)

    with page_at(browser, "about:blank", "broken_connection") as page:
        page.route_web_socket("**/socket", pass_through)
        page.goto(address)
        workbench = Workbench(page)
        workbench.wait("workbench?.connection === 'connected'")
        routes[0].close()
        workbench.wait("workbench.connection !== 'connected'")
        workbench.wait("workbench.connection === 'connected'")
        assert len(routes) == 2
        workbench.steps(1)


def test_a_recording_is_looked_at_in_the_same_page(browser: Browser, recording: Path) -> None:
    with served(recording) as address, page_at(browser, address, "recording", color_scheme="light") as page:
        workbench = Workbench(page)
        workbench.wait("workbench?.connection === 'connected'")
        workbench.part("slider").press("End")
        workbench.wait("workbench.frameTick === 30")
        end = workbench.place_of("ada")
        workbench.part("slider").press("Home")
        workbench.wait("workbench.frameTick === 0")
        assert workbench.place_of("ada") != end
        workbench.select("ada")
        workbench.part("slider").press("End")
        expect(workbench.part("inspector")).to_contain_text("turns")
        expect(workbench.part("inspector").locator("[data-name=turns]")).to_contain_text("30")
