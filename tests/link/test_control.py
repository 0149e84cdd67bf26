"""The control socket of a deployment: who knows the secret is obeyed, anything else does no harm."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rehearsals import run_here

from pybuzz.errors import LinkError
from pybuzz.link.control import ControlServer, ask_running_deployment, control_file


class Deployment:
    """A running one with its fleet file; what it was told."""

    def __init__(self, fleet: str) -> None:
        self.fleet = fleet
        self.orders: list[str] = []
        self.server = ControlServer(fleet, self.carry_out)

    def carry_out(self, order: str) -> dict[str, Any]:
        self.orders.append(order)
        return {"order": order}

    def say(self, data: bytes) -> bytes:
        """What a stranger is answered."""
        port = json.loads(control_file(self.fleet).read_text())["port"]
        with closing(socket.create_connection(("127.0.0.1", port), timeout=5)) as stranger:
            stranger.sendall(data)
            stranger.shutdown(socket.SHUT_WR)
            return stranger.recv(100)


@pytest.fixture
def deployment(tmp_path: Path) -> Iterator[Deployment]:
    made = Deployment(str(tmp_path / "fleet.yaml"))
    yield made
    made.server.close()


def test_who_has_the_fleet_file_reaches_the_deployment(deployment: Deployment) -> None:
    assert ask_running_deployment(deployment.fleet, "stop", 5.0) == {"order": "stop"}
    assert deployment.orders == ["stop"]


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"stop\n", b"[]\n", b"7\n", b'{"order": "stop"}\n', b'{"secret": 1, "order": "stop"}\n',
     b'{"secret": "\xc3\xa4", "order": "stop"}\n', b'{"secret": "\\ud800", "order": "stop"}\n', b"\xff\xfe\n",
     b"[" * 50_000 + b"\n", b"x" * 200_000],
    ids=lambda data: repr(data[:25]),
)  # fmt: skip
def test_strangers_are_not_answered_and_the_next_is_served(deployment: Deployment, data: bytes) -> None:
    with suppress(ConnectionError):  # What it sent was not read to its end.
        assert deployment.say(data) == b""
    assert ask_running_deployment(deployment.fleet, "stop", 5.0) == {"order": "stop"}
    assert deployment.orders == ["stop"]


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200))
def test_any_bytes_are_no_order(deployment: Deployment, data: bytes) -> None:
    assert deployment.say(data + b"\n") == b""
    assert deployment.orders == []


def test_a_second_deployment_on_the_same_fleet_is_refused(deployment: Deployment) -> None:
    with pytest.raises(LinkError, match="another deployment drives this fleet"):
        ControlServer(deployment.fleet, deployment.carry_out)
    assert ask_running_deployment(deployment.fleet, "stop", 5.0) == {"order": "stop"}


def test_the_robots_of_a_running_deployment_are_not_told_dead(
    deployment: Deployment, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(deployment.fleet).write_text('robots: [{id: 1, link: "tcp://127.0.0.1:1"}]\n')
    done = run_here(capsys, "robots", "--fleet", deployment.fleet, "--wheels")
    assert (done.returncode, done.stdout) == (3, "")
    assert "another deployment drives this fleet" in done.stderr
    assert f"pybuzz stop --fleet {deployment.fleet}" in done.stderr


def test_a_deployment_that_ends_late_leaves_the_way_to_the_next_open(deployment: Deployment) -> None:
    path = control_file(deployment.fleet)
    before = path.read_text()
    path.unlink()
    following = Deployment(deployment.fleet)
    deployment.server.close()
    assert before != path.read_text()
    assert ask_running_deployment(deployment.fleet, "stop", 5.0) == {"order": "stop"}
    following.server.close()


def test_nothing_is_left_of_it_at_its_end(tmp_path: Path) -> None:
    fleet, before = str(tmp_path / "fleet.yaml"), threading.active_count()
    Deployment(fleet).server.close()
    assert threading.active_count() == before
    assert not control_file(fleet).exists()
    assert ask_running_deployment(fleet, "stop", 5.0) is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"port": "x", "secret": "y"}', '{"port": 1, "secret": "y"}'])
def test_what_a_dead_deployment_left_behind_is_no_deployment(tmp_path: Path, text: str) -> None:
    path = control_file(tmp_path / "fleet.yaml")
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    assert ask_running_deployment(str(tmp_path / "fleet.yaml"), "stop", 5.0) is None
    path.unlink()
