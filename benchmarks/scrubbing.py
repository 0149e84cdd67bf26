"""How long a page waits for a tick of the past: `pybuzz view` of a long run, asked over its socket.

    python benchmarks/scrubbing.py [--robots 50] [--ticks 6000] [--shows 200]

Prints the time from `show` to the frame and the `inspection` of the selected robot, and the server's memory.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from urllib.parse import urlsplit

from websockets.sync.client import ClientConnection, connect

EXPERIMENT = Path(__file__).parents[1] / "scripts" / "examples" / "hexagon"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--robots", type=int, default=50)
    parser.add_argument("--ticks", type=int, default=6000)
    parser.add_argument("--shows", type=int, default=200)
    options = parser.parse_args()
    command = [sys.executable, "-m", "pybuzz", "view", str(EXPERIMENT), "--no-browser", "--seed", "1", "--set",
               "arena.size=[10, 10]", "--robots", str(options.robots), "--ticks", str(options.ticks)]  # fmt: skip
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    url = server.stdout.readline().strip()
    try:
        with connect(
            f"{url.replace('http', 'ws')}socket", origin=f"http://{urlsplit(url).netloc}", max_size=None
        ) as page:  # type: ignore[arg-type]
            measure(page, server.pid, options.ticks, options.shows)
    finally:
        server.send_signal(signal.SIGINT)
        server.wait()


def measure(page: ClientConnection, process: int, ticks: int, shows: int) -> None:
    say(page, "hello", version=1)
    say(page, "speed", factor=None)
    say(page, "select", robot="kh1")
    say(page, "play")
    start = perf_counter()
    while tick_of(page.recv()) != ticks:
        pass
    print(f"{ticks} ticks in {perf_counter() - start:.1f} s; the server's memory: {memory_mb(process):.0f} MB")
    numbers = random.Random(1)
    waits = sorted(wait_for(page, numbers.randrange(ticks)) for _ in range(shows))
    print(f"a tick of the past: median {waits[shows // 2]:.1f} ms, 99 % within {waits[int(shows * 0.99)]:.1f} ms, "
          f"longest {waits[-1]:.1f} ms")  # fmt: skip


def wait_for(page: ClientConnection, tick: int) -> float:
    """Milliseconds until the frame of a tick and the inspection have come."""
    start = perf_counter()
    say(page, "show", tick=tick)
    missing = {"frame", "inspection"}
    while missing:
        message = page.recv()
        if tick_of(message) == tick:
            missing.discard("frame")
        elif isinstance(message, str) and message.startswith('{"type":"inspection"'):
            missing.discard("inspection")
    return 1000 * (perf_counter() - start)


def say(page: ClientConnection, kind: str, **fields: object) -> None:
    page.send(json.dumps({"type": kind, **fields}))


def tick_of(message: str | bytes) -> int | None:
    return int.from_bytes(message[:4], "little") if isinstance(message, bytes) else None


def memory_mb(process: int) -> float:
    return next(
        int(line.split()[1]) / 1024
        for line in Path(f"/proc/{process}/status").read_text().splitlines()
        if line.startswith("VmRSS")
    )


if __name__ == "__main__":
    main()
