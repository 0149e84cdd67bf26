"""The pictures of the workbench in README.md and docs/workbench.md, taken of the page itself in headless Chromium.

python docs/images/workbench.py
"""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).parent
EXPERIMENT = HERE.parents[1] / "scripts" / "examples" / "hexagon"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
SIZE = {"width": 1280, "height": 720}
GIF_SIZE = (800, 450)
FRAMES, FRAME_MS, TICKS_EACH = 26, 130, 20
STILL_AT = 22
"""The frame of which the picture is taken, with the links of the radio in it."""
PATIENCE_MS = 600_000  # kernels may have to be compiled first


def picture(page: Page) -> Image.Image:
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def go_on(page: Page, ticks: int) -> None:
    """Ten ticks a press, each seen before the next: trails want every place."""
    for _ in range(ticks // 10):
        newest = page.evaluate("workbench.newest")
        page.keyboard.press(":")
        page.wait_for_function(f"() => workbench.frameTick === {newest + 10} && !workbench.playing")
    page.wait_for_timeout(500)  # robots glide to their places


def still(page: Page) -> Image.Image:
    page.keyboard.press("k")  # who hears whom
    page.wait_for_timeout(1000)
    taken = picture(page)
    page.keyboard.press("k")
    return taken


def film(page: Page) -> list[Image.Image]:
    frames = []
    for number in range(FRAMES):
        if number == STILL_AT:
            still(page).quantize(192, dither=Image.Dither.NONE).save(HERE / "workbench.png", optimize=True)
        frames.append(picture(page).resize(GIF_SIZE, Image.Resampling.LANCZOS))
        go_on(page, TICKS_EACH)
    return frames


def save_gif(frames: list[Image.Image], path: Path) -> None:
    """All frames share their colours, so that what stands still costs nothing."""
    colours = Image.new("RGB", (GIF_SIZE[0], 2 * GIF_SIZE[1]))
    colours.paste(frames[-1], (0, 0))
    lights = frames[STILL_AT].crop((100, 100, 400, 270))  # small, but what one looks at
    colours.paste(lights.resize(GIF_SIZE, Image.Resampling.NEAREST), (0, GIF_SIZE[1]))
    palette = colours.quantize(192, kmeans=2, dither=Image.Dither.NONE)
    small = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    durations = [FRAME_MS] * (len(small) - 1) + [2000]
    small[0].save(path, save_all=True, append_images=small[1:], duration=durations, loop=0, optimize=True)


def main() -> None:
    server = subprocess.Popen(
        [sys.executable, "-m", "pybuzz", "view", EXPERIMENT, "--no-browser"], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        page = browser.new_page(viewport=SIZE, color_scheme="dark")
        page.set_default_timeout(PATIENCE_MS)
        page.goto(server.stdout.readline().strip())
        page.wait_for_function("() => window.workbench?.placeOf('kh1')")
        for key in ("t", "]", "+", "+"):  # trails; the first robot; nearer
            page.keyboard.press(key)
        page.wait_for_function("() => workbench.selected !== null")
        save_gif(film(page), HERE / "workbench.gif")
        browser.close()
    server.terminate()
    server.wait()


if __name__ == "__main__":
    main()
