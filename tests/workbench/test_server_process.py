"""The server as it is started: what it survives, and how it ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, nullcontext, suppress
from pathlib import Path

import httpx
import pytest
from servers import ViewProcess, is_alive
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from pybuzz.cli.view import check_host
from pybuzz.errors import InputError

WALK = "count = 0\nfunction init() {}\nfunction step() {\n  count = count + 1\n  log(count)\n}\n"
EXPERIMENT = """\
experiment: {ticks_per_second: 10, length: 20, seed: 3}
arena: {size: [4, 4], walls: true}
robots:
  - {kind: kheperaiv, count: 2, script: walk.bzz, place: {uniform: [[-1.5, -1.5], [1.5, 1.5]]}}
"""


def write_experiment(folder: Path) -> Path:
    (folder / "walk.bzz").write_text(WALK)
    (folder / "walk.yaml").write_text(EXPERIMENT)
    return folder / "walk.yaml"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("view")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[ViewProcess]:
    with ViewProcess(write_experiment(folder)) as server:
        yield server


def eventually(is_so: Callable[[], bool]) -> bool:
    end = time.monotonic() + 20
    while time.monotonic() < end and not is_so():
        time.sleep(0.02)
    return is_so()


def is_serving(server: ViewProcess) -> bool:
    return server.process.poll() is None and httpx.get(server.url + "files/walk.bzz").text == WALK


def test_it_listens_on_loopback_alone_and_tells_its_url(server: ViewProcess) -> None:
    assert server.url.startswith("http://127.0.0.1:")
    assert len(server.url.split("/")[3]) >= 22
    listening = Path("/proc/net/tcp").read_text()
    assert f"0100007F:{server.port:04X}" in listening
    assert f"00000000:{server.port:04X}" not in listening


def test_an_experiment_plays_is_looked_back_at_and_goes_on_from_there(server: ViewProcess) -> None:
    page = server.page()
    assert page.until("welcome", seed=3)["files"] == ["walk.bzz", "walk.yaml"]
    page.say("step", ticks=30)
    first = page.until_frame(30)
    page.say("select", robot="kh1")
    page.say("show", tick=12)
    variables = page.until("inspection", live=False)["variables"]
    assert [(node["name"], node["text"]) for node in variables] == [("count", "12")]
    page.until_frame(12)
    page.say("show", tick=None)
    page.say("continue_from", tick=10)
    page.until("welcome", seed=3)
    page.until_frame(10)
    page.say("step", ticks=20)
    again = page.until_frame(30)
    assert again[16:] == first[16:]


def test_ten_megabytes_of_junk_close_the_socket_and_nothing_else(server: ViewProcess) -> None:
    """In one message, in many, as text that is no UTF-8, and before there is a socket."""
    with server.socket() as one, suppress(ConnectionClosed):
        one.send(os.urandom(10_000_000))
        one.recv(timeout=20)
    assert one.close_code in (1006, 1009)  # 1006: the connection was cut while it was still being sent
    with server.socket() as many, suppress(ConnectionClosed):
        for _ in range(20):
            many.send(os.urandom(500_000))
    with socket.create_connection(("127.0.0.1", server.port)) as raw, suppress(OSError):
        for _ in range(20):
            raw.sendall(os.urandom(500_000))
    assert is_serving(server)


def test_junk_that_looks_like_a_page_is_refused(server: ViewProcess) -> None:
    page = server.page()
    for text in ("{}", '{"type": "remove", "name": "nobody"}', '{"type": "step", "ticks": 0}'):
        page.socket.send(text)
        assert page.until("refused")["text"]
    assert is_serving(server)


def test_foreign_sockets_are_refused(server: ViewProcess) -> None:
    from websockets.sync.client import connect

    for url, origin, status in (
        (f"ws://{server.address}/socket", f"http://{server.address}", 404),
        (server.url.replace("http", "ws") + "socket", "http://evil.example", 403),
        (server.url.replace("http", "ws") + "socket", None, 403),
    ):
        with pytest.raises(InvalidStatus) as refusal:
            connect(url, origin=origin)  # type: ignore[arg-type]
        assert refusal.value.response.status_code == status


def test_paths_that_lead_out_are_refused_as_they_stand(server: ViewProcess, folder: Path) -> None:
    """A client would tidy these paths, so they go out by hand."""
    secret = folder.parent / "secret.bzz"
    secret.write_text("for nobody")
    token = server.url.split("/")[3]
    for path in ("../secret.bzz", "%2e%2e/secret.bzz", str(secret), "..%5csecret.bzz", "%252e%252e/secret.bzz"):
        with socket.create_connection(("127.0.0.1", server.port)) as raw:
            head = f"GET /{token}/files/{path} HTTP/1.1\r\nHost: {server.address}\r\nConnection: close\r\n\r\n"
            raw.sendall(head.encode())
            answer = b"".join(iter(lambda: raw.recv(65536), b""))
        assert answer.startswith((b"HTTP/1.1 404", b"HTTP/1.1 403"))
        assert b"for nobody" not in answer.partition(b"\r\n\r\n")[2]


def test_many_sockets_do_no_harm(server: ViewProcess) -> None:
    with ExitStack() as stack:
        for _ in range(60):
            with suppress(WebSocketException, OSError):
                stack.enter_context(server.socket())
        for _ in range(100):
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
    assert eventually(lambda: is_serving(server))
    page = server.page()
    page.until("welcome")


def test_ctrl_c_completes_the_recording_and_ends_all_that_was_started(folder: Path) -> None:
    from pybuzz.recording import Recording

    server = ViewProcess(write_experiment(folder), "--record", str(folder / "run"))
    page = server.page()
    page.say("step", ticks=5)
    page.until_frame(5)
    children = server.children()
    assert children
    code, errors = server.end()
    assert (code, errors) == (0, f"Ctrl-C ends\nrecorded in {folder / 'run'}\n")
    assert eventually(lambda: not any(map(is_alive, children)))
    recording = Recording.open(folder / "run")
    assert (recording.status, recording.ticks) == ("interrupted", 5)


def test_what_did_not_load_is_not_said_to_be_recorded(folder: Path) -> None:
    script = folder / "broken.bzz"
    script.write_text("x = = 1\n")
    server = ViewProcess(script, "--record", str(folder / "nothing"))
    server.page().until("failed")
    code, errors = server.end()
    assert (code, errors) == (0, f"Ctrl-C ends\nnothing was recorded in {folder / 'nothing'}: nothing ran\n")


def test_a_server_that_is_killed_leaves_nothing_running(folder: Path) -> None:
    server = ViewProcess(write_experiment(folder))
    page = server.page()
    page.until("welcome", seed=3)
    page.say("play")
    page.until_tick(2)
    children = server.children()
    assert children
    server.end(signal.SIGKILL)
    assert eventually(lambda: not any(map(is_alive, children)))


def view(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pybuzz", "view", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_a_host_that_others_reach_must_be_allowed(folder: Path) -> None:
    ended = view(str(write_experiment(folder)), "--host", "0.0.0.0")
    assert ended.returncode == 2
    assert "read and change the files of its folder" in ended.stderr
    assert "--allow-remote" in ended.stderr


HOSTS = {"127.0.0.1": True, "localhost": True, "::1": True, "127.8.8.8": True,
         "::": False, "192.168.1.2": False, "lab7.example": False}  # fmt: skip


@pytest.mark.parametrize(("host", "is_safe"), HOSTS.items())
def test_only_loopback_addresses_need_no_word(host: str, is_safe: bool) -> None:
    with nullcontext() if is_safe else pytest.raises(InputError):
        check_host(host, allow_remote=False)
    check_host(host, allow_remote=True)


def test_a_target_that_is_not_there_is_told_at_once(tmp_path: Path) -> None:
    ended = view(str(tmp_path / "nothing.bzz"))
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "there is no such file" in ended.stderr


def test_a_port_that_is_taken_is_told(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ended = view(str(write_experiment(folder)), "--port", str(taken.getsockname()[1]))
    assert ended.returncode == 2
    assert "in use" in ended.stderr


def test_without_its_packages_one_line_says_what_to_install(folder: Path) -> None:
    code = (
        "import sys; sys.modules['starlette'] = None\n"
        "from pybuzz.cli.app import run_app; sys.exit(run_app(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", code, "view", str(write_experiment(folder))]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2
    assert ended.stderr.splitlines() == [
        "view: missing package: the workbench needs starlette, which is not installed",
        "  hint: pip install 'pybuzz[view]'",
    ]


def test_run_shows_itself_and_plays_at_once(folder: Path) -> None:
    with ViewProcess(write_experiment(folder), command=("run", "--view")) as server:
        page = server.page()
        page.until_tick(2)


def test_a_recording_takes_no_options_of_a_run(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("{}")
    ended = view(str(tmp_path), "--seed", "3")
    assert ended.returncode == 2
    assert "without options of a run" in ended.stderr
