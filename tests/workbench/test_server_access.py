"""Who is let in: everything else is refused, and the server lives."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from pybuzz.workbench.access import Guard, new_token
from pybuzz.workbench.app import make_app
from pybuzz.workbench.files import ExperimentFiles
from pybuzz.workbench.problems import Checker
from pybuzz.workbench.viewers import Viewer, as_text

TOKEN = "a-secret"
ADDRESS = "http://127.0.0.1:8000"
OWN = {"origin": ADDRESS, "host": "127.0.0.1:8000"}


class FakeRun:
    """Welcomes pages and keeps what they say."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []

    def greet(self, viewer: Viewer) -> None:
        viewer.tell(as_text("welcome"))

    def leave(self, viewer: Viewer) -> None: ...

    def handle(self, viewer: Viewer, request: dict[str, Any]) -> None:
        self.heard.append(request)
        viewer.tell(as_text("state"))

    def floor(self) -> bytes | None:
        return None

    def frame(self, tick: int) -> bytes | None:
        """A run of 1,000 ticks; the frames from tick 900 on have a megabyte each."""
        return None if tick > 1000 else b"%4d" % tick if tick < 900 else bytes(1_000_000)


@pytest.fixture
def run() -> FakeRun:
    return FakeRun()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An experiment's folder, and a secret beside it."""
    (tmp_path / "secret.bzz").write_text("secret")
    folder = tmp_path / "experiment"
    folder.mkdir()
    (folder / "walk.bzz").write_text("function step() {}\n")
    return folder


@pytest.fixture
def client(run: FakeRun, folder: Path) -> Iterator[TestClient]:
    files = ExperimentFiles(folder)
    app = Guard(make_app(run, files, Checker(files)), TOKEN)
    with TestClient(app, base_url=ADDRESS, follow_redirects=False) as client:
        yield client


def test_the_page_is_below_the_token(client: TestClient) -> None:
    assert client.get(f"/{TOKEN}/files/walk.bzz").text == "function step() {}\n"


def test_the_token_without_a_slash_leads_to_the_page(client: TestClient) -> None:
    answer = client.get(f"/{TOKEN}")
    assert (answer.status_code, answer.headers["location"]) == (307, f"/{TOKEN}/")


@pytest.mark.parametrize("path", ["/", "", "/files/walk.bzz", "/wrong/files/walk.bzz", "/a-secre/", f"//{TOKEN}/",
                                  f"/x%2f..%2f{TOKEN}/", "/%00/", "/ä/", "/favicon.ico"])  # fmt: skip
def test_without_the_token_there_is_nothing(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.content) == (404, b"")


def test_tokens_are_long_and_never_the_same() -> None:
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert min(map(len, tokens)) >= 22  # 128 bits


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example:8000", "", "evil@127.0.0.1.example", "[", "10.0.0.1:8000"]
)
def test_a_host_that_is_not_ours_is_refused(client: TestClient, host: str) -> None:
    """DNS rebinding: a foreign name that points to 127.0.0.1."""
    assert client.get(f"/{TOKEN}/files/walk.bzz", headers={"host": host}).status_code == 403


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "LOCALHOST", "[::1]:8000", "localhost:9999"])
def test_loopback_names_are_ours_whatever_the_port_of_a_tunnel(client: TestClient, host: str) -> None:
    assert client.get(f"/{TOKEN}/files/walk.bzz", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "https://127.0.0.1:8000", "http://127.0.0.1:8001", "http://localhost:8000", ""],
)
def test_a_foreign_origin_is_refused(client: TestClient, run: FakeRun, origin: str) -> None:
    headers = {**OWN, "origin": origin}
    assert client.get(f"/{TOKEN}/files/walk.bzz", headers=headers).status_code == 403
    assert client.put(f"/{TOKEN}/files/walk.bzz", content="", headers=headers).status_code == 403
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"/{TOKEN}/socket", headers=headers):
        pass


def test_a_socket_without_an_origin_or_a_token_is_refused(client: TestClient) -> None:
    for path, headers in ((f"/{TOKEN}/socket", {"host": OWN["host"]}), ("/socket", OWN), ("/wrong/socket", OWN)):
        with pytest.raises(WebSocketDisconnect), client.websocket_connect(path, headers=headers):
            pass


def test_remote_addresses_are_ours_only_if_that_was_allowed(run: FakeRun, folder: Path) -> None:
    files = ExperimentFiles(folder)
    app = Guard(make_app(run, files, Checker(files)), TOKEN, names=["lab7"], remote=True)
    client = TestClient(app, base_url="http://10.0.0.1:8000")
    statuses = {host: client.get(f"/{TOKEN}/files/walk.bzz", headers={"host": host}).status_code
                for host in ("10.0.0.1:8000", "lab7:8000", "[fd00::1]", "evil.example")}  # fmt: skip
    assert statuses == {"10.0.0.1:8000": 200, "lab7:8000": 200, "[fd00::1]": 200, "evil.example": 403}


@pytest.mark.parametrize("name", ["../secret.bzz", "%2e%2e/secret.bzz", "..%2fsecret.bzz", "x/../../secret.bzz",
                                  "%2Fetc%2Fpasswd", "/secret.bzz", "..\\secret.bzz", "out.bzz", "outside/secret.bzz",
                                  "walk.bzz%00.bzz", ".hidden.bzz", ".git/config", "", "%2e", "%2e%2e", "c:/x.bzz",
                                  "picture.png", "walk.bzz/x.bzz", "a" * 5000 + ".bzz"])  # fmt: skip
def test_nothing_outside_of_the_folder_is_read_or_written(client: TestClient, folder: Path, name: str) -> None:
    (folder / "out.bzz").symlink_to(folder.parent / "secret.bzz")
    (folder / "outside").symlink_to(folder.parent)
    (folder / ".hidden.bzz").write_text("hidden")
    (folder / "picture.png").write_bytes(b"x")
    before = sorted(path.read_bytes() for path in folder.parent.rglob("*") if path.is_file())
    read = client.get(f"/{TOKEN}/files/{name}")
    write = client.put(f"/{TOKEN}/files/{name}", content="mine", headers=OWN)
    assert read.status_code in (403, 404)
    assert write.status_code in (403, 404)
    assert "secret" not in read.text
    assert sorted(path.read_bytes() for path in folder.parent.rglob("*") if path.is_file()) == before


def test_parts_of_the_page_are_those_of_its_folder(client: TestClient) -> None:
    for name in ("../app.py", "%2e%2e/app.py", "vendor/../../app.py", "%2fetc%2fpasswd", "%00", "nothing.js", ""):
        assert client.get(f"/{TOKEN}/page/{name}").status_code == 404


def test_a_huge_text_and_one_that_is_none_are_refused(client: TestClient, folder: Path) -> None:
    path = f"/{TOKEN}/files/walk.bzz"
    assert client.put(path, content=b"x" * 1_000_001, headers=OWN).status_code == 413
    assert client.put(path, content=b"\xff\xfe\x00", headers=OWN).status_code == 415
    assert client.put(path, content=b"a\0b", headers=OWN).status_code == 415
    assert client.put(f"/{TOKEN}/page/index.html", content=b"", headers=OWN).status_code == 405
    assert (folder / "walk.bzz").read_text() == "function step() {}\n"


def test_every_answer_shuts_others_out(client: TestClient) -> None:
    headers = client.get(f"/{TOKEN}/files/walk.bzz").headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "script-src 'self';" in policy
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"


JUNK = [
    "", "x", "[]", "1", "{}", '{"type":1}', '{"type":"dance"}', '{"type":"move"}', "[" * 90_000, '{"type":"hello"}',
    '{"type":"move","name":"kh1","x":NaN,"y":0,"yaw":0}', '{"type":"show","tick":-1}', '{"type":"speed","factor":0}',
    '{"type":"move","name":"kh1","x":1e999,"y":0,"yaw":0}', '{"type":"step","ticks":true}',
    '{"type":"add","item":{"kind":"box","x":0,"y":0,"size":[1]}}', '{"type":"layers","names":["rays","x"]}',
    '{"type":"breakpoints","lines":[{"file":1,"line":2}]}',
]  # fmt: skip


@pytest.mark.parametrize("junk", JUNK, ids=range(len(JUNK)))
def test_what_is_not_understood_is_refused_with_a_reason(client: TestClient, run: FakeRun, junk: str) -> None:
    with client.websocket_connect(f"/{TOKEN}/socket", headers=OWN) as socket:
        socket.send_text('{"type":"hello","version":1}')
        assert socket.receive_json()["type"] == "welcome"
        socket.send_text(junk)
        answer = socket.receive_json()
        assert answer["type"] == "refused"
        assert answer["text"]
        socket.send_text('{"type":"play"}')
        assert socket.receive_json()["type"] == "state"
    assert run.heard == [{"type": "play"}]


def test_ten_messages_in_a_row_that_are_not_understood_close_the_socket(client: TestClient) -> None:
    with client.websocket_connect(f"/{TOKEN}/socket", headers=OWN) as socket:
        for _ in range(10):
            socket.send_bytes(os.urandom(1000))
        kinds = [json.loads(socket.receive_text())["type"] for _ in range(10)]
        with pytest.raises(WebSocketDisconnect) as end:
            socket.receive_text()
    assert kinds == ["refused"] * 10
    assert end.value.code == 1008


def test_hello_comes_first_and_in_a_version_that_is_known(client: TestClient, run: FakeRun) -> None:
    with client.websocket_connect(f"/{TOKEN}/socket", headers=OWN) as socket:
        socket.send_json({"type": "play"})
        assert "hello" in socket.receive_json()["text"]
        socket.send_json({"type": "hello", "version": 2})
        assert "version 1" in socket.receive_json()["text"]
    assert run.heard == []


def test_a_message_over_a_megabyte_closes_the_socket(client: TestClient) -> None:
    with client.websocket_connect(f"/{TOKEN}/socket", headers=OWN) as socket:
        socket.send_text("x" * 1_000_001)
        with pytest.raises(WebSocketDisconnect) as end:
            socket.receive_text()
    assert end.value.code == 1009


def test_too_many_pages_are_sent_away(client: TestClient) -> None:
    from contextlib import ExitStack

    with ExitStack() as stack:
        for _ in range(32):
            stack.enter_context(client.websocket_connect(f"/{TOKEN}/socket", headers=OWN))
        with client.websocket_connect(f"/{TOKEN}/socket", headers=OWN) as one_more, pytest.raises(WebSocketDisconnect):
            one_more.receive_text()
    with client.websocket_connect(f"/{TOKEN}/socket", headers=OWN) as socket:
        socket.send_json({"type": "hello", "version": 1})
        assert socket.receive_json()["type"] == "welcome"


@pytest.mark.parametrize(("span", "frames"), [("7-9", "   7   8   9"), ("0-0", "   0"), ("9-7", ""), ("999-1001", "")])
def test_frames_of_a_span_are_answered_one_behind_the_other(client: TestClient, span: str, frames: str) -> None:
    assert client.get(f"/{TOKEN}/frames/{span}").text == frames


def test_of_too_many_frames_the_last_ones_are_answered(client: TestClient) -> None:
    assert len(client.get(f"/{TOKEN}/frames/0-990").content) == 4_000_000
    assert len(client.get(f"/{TOKEN}/frames/0-899").content) == 900 * 4


@pytest.mark.parametrize("span", ["", "7", "-1-3", "a-b", "1-2-3", "../1-2", "1" * 5000 + "-2"])
def test_a_span_that_is_none_is_not_found(client: TestClient, span: str) -> None:
    assert client.get(f"/{TOKEN}/frames/{span}").status_code == 404
