"""The workbench's page in headless Chromium, which draws without a graphics card: frames, and ticks of the past.

    python benchmarks/workbench_page.py [--chromium /usr/bin/chromium]

1,000 robots with trails play at their own speed: how many pictures a second the page draws, and what one costs it.
Then 50 robots run 6,000 ticks as fast as they go, and one tick after another is clicked on the time line: how long it
takes, in wall time as a person feels it, until that tick is on the screen. Server, simulation, browser and drawing
share the processors of this machine.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

SCENES = Path(__file__).parent / "scale"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
LONGEST_MS = 1_800_000

HUNDRED_TICKS = 100
SCRUBBED_TICKS = 6_000
SCRUBS = 40


@contextmanager
def workbench(browser: Browser, *arguments: str | Path) -> Iterator[Page]:
    """The page of a `pybuzz view` of these arguments, connected."""
    command = [sys.executable, "-m", "pybuzz", "view", *map(str, arguments), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            page = browser.new_page(viewport={"width": 1280, "height": 720})
            page.set_default_timeout(LONGEST_MS)
            page.goto(server.stdout.readline().strip())
            page.wait_for_function("() => ['k0', 'kh1'].some((name) => window.workbench?.placeOf(name))")
            yield page
            page.close()
        finally:
            server.terminate()


def measure_drawing(page: Page) -> None:
    page.keyboard.press("t")
    page.keyboard.press("Space")
    page.wait_for_function(f"() => workbench.tick >= {HUNDRED_TICKS}")
    samples = []
    for _ in range(10):
        page.wait_for_timeout(1000)
        samples.append(page.evaluate("() => workbench.measure()"))
    rates = [sample["fps"] for sample in samples]
    cost = statistics.median(sample["drawMs"] for sample in samples)
    print(
        f"1,000 robots with trails: {statistics.median(rates):.0f} pictures/s "
        f"(from {min(rates):.0f} to {max(rates):.0f}), {cost:.1f} ms each"
    )


def measure_scrubbing(page: Page) -> None:
    page.locator("[data-test=speed]").select_option("null")
    page.locator("[data-test=play]").click()
    page.wait_for_function(f"() => workbench.newest >= {SCRUBBED_TICKS} && !workbench.playing")
    page.evaluate(
        """() => {
            window.waits = [];
            document.querySelector("[data-test=slider]").addEventListener("pointerdown", () => {
                const start = performance.now();
                const look = () => {
                    const shown = !workbench.live && workbench.frameTick === workbench.tick;
                    if (shown) waits.push(performance.now() - start);
                    else requestAnimationFrame(look);
                };
                requestAnimationFrame(look);
            });
        }"""
    )
    box = page.locator("[data-test=slider]").bounding_box()
    assert box is not None
    draw = random.Random(1)
    for done in range(SCRUBS):
        page.mouse.click(box["x"] + box["width"] * draw.uniform(0.05, 0.95), box["y"] + 12)
        page.wait_for_function(f"() => waits.length > {done}")
    waits = sorted(page.evaluate("() => waits"))
    print(
        f"a tick of {SCRUBBED_TICKS:,}, 50 robots: on the screen after {statistics.median(waits):.0f} ms, "
        f"19 of 20 times within {waits[int(0.95 * len(waits))]:.0f} ms, at most {waits[-1]:.0f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=parser.parse_args().chromium, args=FLAGS)
        with workbench(browser, SCENES / "hexagon_1000.argos", "--seconds", "600") as page:
            measure_drawing(page)
        with workbench(browser, SCENES / "hexagon.bzz", "--robots", "50", "--ticks", str(SCRUBBED_TICKS)) as page:
            measure_scrubbing(page)
        browser.close()


if __name__ == "__main__":
    main()
