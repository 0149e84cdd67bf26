"""Serves one workbench until somebody ends it: the address, the web server, the browser."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Thread

import uvicorn
from starlette.types import ASGIApp

from pybuzz.errors import InputError
from pybuzz.workbench.access import Guard, new_token
from pybuzz.workbench.app import LARGEST_MESSAGE

__all__ = ["Address", "on_signals", "open_browser", "serve_app"]

_CLOSING_S = 2
_MOST_CONNECTIONS = 200


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen. port 0: a free one."""

    host: str = "127.0.0.1"
    port: int = 0

    def bind(self) -> socket.socket:
        """Raises InputError if that is not possible."""
        try:
            family, kind, number, _, place = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)[0]
            listener = socket.socket(family, kind, number)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(place)
        except OSError as fault:
            text = f"cannot listen on {self.host} port {self.port}: {fault.strerror}"
            raise InputError.at("--host, --port", text, hint="--port 0 takes a free one") from fault
        return listener


async def serve_app(app: ASGIApp, address: Address, *, remote: bool, ready: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM. ready: told the URL once pages are answered. Raises InputError."""
    token = new_token()
    with address.bind() as listener:
        names = [address.host] + ([socket.gethostname()] if remote else [])
        guard = Guard(app, token, names=names, remote=remote)
        server = _Server(
            uvicorn.Config(
                guard, lifespan="off", log_level="critical", access_log=False, server_header=False, proxy_headers=False,
                ws_max_size=LARGEST_MESSAGE, ws_max_queue=16, limit_concurrency=_MOST_CONNECTIONS,
                timeout_graceful_shutdown=_CLOSING_S,
            )
        )  # fmt: skip
        _end_on_signals(server)
        listener.listen(128)
        ready(f"http://{_shown_host(address.host)}:{listener.getsockname()[1]}/{token}/")
        await server.serve(sockets=[listener])


def open_browser(url: str) -> None:
    """Show the page, where there is a display; a browser in the terminal is not what anybody wants."""
    has_display = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if has_display:
        Thread(target=webbrowser.open, args=(url,), daemon=True).start()


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are the caller's: uvicorn would raise them anew when it has ended."""
        yield


def _end_on_signals(server: uvicorn.Server) -> None:
    """The first one ends politely, a second one at once."""

    def end() -> None:
        server.force_exit = server.should_exit
        server.should_exit = True

    on_signals(end)


def on_signals(call: Callable[[], object]) -> None:
    """What SIGINT and SIGTERM do from now on."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Where loops know no signals (Windows), Ctrl-C arrives as KeyboardInterrupt.
        with suppress(NotImplementedError):
            loop.add_signal_handler(number, call)


def _shown_host(host: str) -> str:
    if host in ("0.0.0.0", "::", ""):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host
