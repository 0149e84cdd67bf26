"""Who may talk to the workbench: those who know its secret path, under its own address, from its own page.

The token keeps out other users and programs; the check of `Host` keeps out pages that had their name point here (DNS
rebinding); the check of `Origin` keeps out foreign pages that somehow learnt the token.
"""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["Guard", "new_token"]

_LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})

_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


def new_token() -> str:
    """A secret of 128 bits that can stand in a path."""
    return secrets.token_urlsafe(16)


class Guard:
    """Lets requests below the secret path through to `app`, which sees paths without it.

    names: under which the server is reached beside loopback ones; any address in numbers too if `remote`.
    A wrong path is answered with 404, a foreign `Host` or `Origin` with 403, both without a word.
    """

    def __init__(self, app: ASGIApp, token: str, *, names: Iterable[str] = (), remote: bool = False) -> None:
        self._app = app
        self._token = token.encode()
        self._names = _LOOPBACK_NAMES | {name.lower() for name in names}
        self._remote = remote

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        first, slash, rest = scope["path"].removeprefix("/").partition("/")
        headers = Headers(scope=scope)
        if not secrets.compare_digest(first.encode("utf-8", "surrogateescape"), self._token):
            await _refuse(scope, send, 404)
        elif not self._knows(headers.get("host", "")) or not _is_own_origin(scope, headers):
            await _refuse(scope, send, 403)
        elif not slash:
            await _refuse(scope, send, 307, [(b"location", b"/" + self._token + b"/")])
        else:
            # Everything below is routed as if the secret path were the root.
            inner = {**scope, "path": "/" + rest, "raw_path": None, "root_path": ""}
            await self._app(inner, receive, _with_headers(send))

    def _knows(self, host: str) -> bool:
        """Whether a `Host` is one of ours. Its port may be any: tunnels have their own."""
        name = _name_of(host)
        return name in self._names or (self._remote and _is_address(name))


def _is_own_origin(scope: Scope, headers: Headers) -> bool:
    """Browsers name the origin with every socket and every PUT; of what a page loads it may be missing."""
    origins = headers.getlist("origin")
    if not origins:
        return bool(scope["type"] == "http")
    return all(origin.lower() == f"http://{headers['host'].lower()}" for origin in origins)


def _name_of(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


async def _refuse(scope: Scope, send: Send, status: int, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
    kind = "http.response"
    if scope["type"] == "websocket":
        kind = "websocket.http.response"
        if kind not in scope.get("extensions", {}):
            await send({"type": "websocket.close"})
            return
    length = (b"content-length", b"0")
    await send({"type": f"{kind}.start", "status": status, "headers": [length, *headers]})
    await send({"type": f"{kind}.body", "body": b""})


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return send_with_headers
