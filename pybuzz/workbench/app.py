"""The web application: the page and its parts, the experiment's files, and the socket."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from anyio import CancelScope, create_task_group
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from pybuzz.workbench.files import LARGEST, ExperimentFiles, FileError, TextFile
from pybuzz.workbench.problems import Checker
from pybuzz.workbench.requests import VERSION, RequestError, read_request
from pybuzz.workbench.viewers import Run, Viewer, as_text

__all__ = ["LARGEST_MESSAGE", "make_app"]

LARGEST_MESSAGE = 1_000_000
"""Bytes of a message of a page."""

_PAGE = Path(__file__).parent / "page"
_PARTS = {
    ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".mjs": "text/javascript", ".json":
    "application/json", ".svg": "image/svg+xml", ".png": "image/png", ".woff2": "font/woff2", ".txt": "text/plain",
}  # fmt: skip
_MOST_VIEWERS = 32
_MOST_REFUSED = 10
_SPAN = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
_MOST_FRAME_BYTES = 4_000_000
"""Of one answer with frames of the past: it is made between two ticks."""

_TOO_LARGE, _NOT_UNDERSTOOD, _TRY_LATER = 1009, 1008, 1013


def make_app(run: Run, files: ExperimentFiles | None = None, checker: Checker | None = None) -> Starlette:
    """What stands behind the guard; paths are those below the token. A recording has no files, and nothing to check."""
    site = _Site(run, checker)
    routes: list[BaseRoute] = [
        Route("/", site.page),
        Route("/page/{name:path}", site.part),
        Route("/floor.png", site.floor),
        Route("/frames/{span}", site.frames),
        WebSocketRoute("/socket", site.socket),
    ]
    if files is not None:
        desk = _Desk(files)
        routes.append(Route("/files/{name:path}", desk.read, methods=["GET"]))
        routes.append(Route("/files/{name:path}", desk.write, methods=["PUT"]))
    return Starlette(routes=routes)


class _Desk:
    """Where files are read and written."""

    def __init__(self, files: ExperimentFiles) -> None:
        self._files = files

    async def read(self, request: Request) -> Response:
        try:
            found = await asyncio.to_thread(self._files.read, request.path_params["name"])
        except FileError as fault:
            return _fault_response(fault)
        return _text_response(found, 200)

    async def write(self, request: Request) -> Response:
        """`If-Match` has the mark of the text that was changed; `If-None-Match: *` asks for a new file."""
        name, expected = request.path_params["name"], _mark_in(request.headers.get("if-match", "*"))
        new = request.headers.get("if-none-match") == "*"
        try:
            self._files.path_of(name)
            text = await _body(request, name)
            kept = await asyncio.to_thread(self._files.write, name, text, expected=expected, new=new)
        except FileError as fault:
            return _fault_response(fault)
        return Response(status_code=204, headers=_mark_header(kept))


class _Site:
    """The page and its socket."""

    def __init__(self, run: Run, checker: Checker | None) -> None:
        self._run = run
        self._checker = checker
        self._viewers = 0

    async def page(self, request: Request) -> Response:
        return FileResponse(_PAGE / "index.html", media_type="text/html")

    async def part(self, request: Request) -> Response:
        name = request.path_params["name"]
        with suppress(OSError, ValueError):
            path = (_PAGE / name).resolve()
            if path.is_relative_to(_PAGE.resolve()) and path.is_file() and path.suffix in _PARTS:
                return FileResponse(path, media_type=_PARTS[path.suffix])
        return PlainTextResponse("there is no such part of the page", 404)

    async def floor(self, request: Request) -> Response:
        picture = self._run.floor()
        if picture is None:
            return PlainTextResponse("the floor is white", 404)
        return Response(picture, media_type="image/png")

    async def frames(self, request: Request) -> Response:
        """The frames of these ticks, one behind the other; only the last ones, if all would be too much."""
        span = _SPAN.fullmatch(request.path_params["span"])
        if span is None:
            return PlainTextResponse("frames are asked for as FIRST-LAST", 404)
        first, last = map(int, span.groups())
        found: list[bytes] = []
        left = _MOST_FRAME_BYTES
        for tick in range(last, first - 1, -1):
            frame = self._run.frame(tick)
            if frame is None or len(frame) > left:
                break
            found.append(frame)
            left -= len(frame)
        return Response(b"".join(reversed(found)), media_type="application/octet-stream")

    async def socket(self, socket: WebSocket) -> None:
        await socket.accept()
        if self._viewers >= _MOST_VIEWERS:
            await socket.close(_TRY_LATER, "too many pages are open")
            return
        self._viewers += 1
        viewer = Viewer()
        code: int | None = _TRY_LATER
        try:
            async with create_task_group() as tasks:
                tasks.start_soon(_send, viewer, socket)
                tasks.start_soon(_give_up, viewer, tasks.cancel_scope)
                code = await self._listen(viewer, socket)
                tasks.cancel_scope.cancel()
        finally:
            self._viewers -= 1
            self._run.leave(viewer)
            if self._checker is not None:
                self._checker.leave(viewer)
        if code is not None:
            await socket.close(code)

    async def _listen(self, viewer: Viewer, socket: WebSocket) -> int | None:
        """Answer a page until it is to be closed: the code to close it with, or None if it has gone."""
        refused = 0
        while refused < _MOST_REFUSED:
            message = await socket.receive()
            if message["type"] != "websocket.receive":
                return None
            data = message.get("text") or message.get("bytes") or ""
            if len(data) > LARGEST_MESSAGE:
                return _TOO_LARGE
            try:
                self._answer(viewer, read_request(data))
                refused = 0
            except RequestError as fault:
                refused += 1
                viewer.tell(as_text("refused", request=fault.request, text=fault.text))
        await viewer.sent()
        return _NOT_UNDERSTOOD

    def _answer(self, viewer: Viewer, request: dict[str, object]) -> None:
        kind = str(request["type"])
        if kind == "hello":
            if request["version"] != VERSION:
                raise RequestError("hello", f"this server speaks version {VERSION}: reload the page")
            if not viewer.greeted:
                viewer.greeted = True
                self._run.greet(viewer)
        elif not viewer.greeted:
            raise RequestError(kind, "'hello' comes first")
        elif kind == "check" and self._checker is not None:
            self._checker.check(viewer, str(request["file"]), str(request["text"]))
        else:
            self._run.handle(viewer, request)


async def _send(viewer: Viewer, socket: WebSocket) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        await viewer.send_all(socket)


async def _give_up(viewer: Viewer, scope: CancelScope) -> None:
    """Do not wait for a page that does not read."""
    await viewer.overrun.wait()
    scope.cancel()


async def _body(request: Request, name: str) -> bytes:
    """What a request brings. Raises FileError (413) as soon as it is too much."""
    text = b""
    async for part in request.stream():
        text += part
        if len(text) > LARGEST:
            raise FileError(413, f"{name} would be over {LARGEST} bytes")
    return text


def _text_response(file: TextFile, status: int) -> Response:
    return Response(file.text, status, media_type="text/plain; charset=utf-8", headers=_mark_header(file))


def _fault_response(fault: FileError) -> Response:
    """409 has the file's text as it is now, other faults one line that says what is wrong."""
    if fault.current is not None:
        response = _text_response(fault.current, fault.status)
        response.headers["x-fault"] = quote(fault.text)
        return response
    return PlainTextResponse(fault.text, fault.status)


def _mark_in(header: str) -> str | None:
    """The mark that `If-Match` names; None: any will do."""
    text = header.strip()
    return None if text in ("", "*") else text.removeprefix("W/").strip('"')


def _mark_header(file: TextFile) -> dict[str, str]:
    return {"etag": f'"{file.mark}"'}
