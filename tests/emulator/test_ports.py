"""Emulated robots as clients meet them: on TCP ports and terminals, with faults, lasers, control and a log.

One emulator serves all tests of this file; each test has a robot to itself.
"""

from __future__ import annotations

import itertools
import json
import os
import select
import socket
import threading
import time
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from pybuzz.cli.app import run_app
from pybuzz.emulator import EmulatorProcess
from pybuzz.emulator.assertions import faults
from pybuzz.emulator.journal import Entry
from pybuzz.errors import LinkError
from pybuzz.link.fleet_file import read_fleet
from pybuzz.link.scip import parse_message

SCENE = """
experiment: {length: 10, seed: 3}
arena: {size: [8, 8], walls: true}
robots:
  - {kind: kheperaiv, count: 26, script: null, place: {grid: {center: [0, 0], distances: [1, 1], layout: [6, 5]}}}
radio: {range: 2, loss: 0.1}
"""


@pytest.fixture(scope="module")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmulatorProcess]:
    folder = tmp_path_factory.mktemp("emulator")
    (folder / "scene.yaml").write_text(SCENE)
    arguments = ("--laser-port", "0", "--fleet", str(folder / "fleet.yaml"))
    with EmulatorProcess(folder / "scene.yaml", folder, *arguments) as running:
        yield running


_numbers = itertools.count(1)


class Client:
    """A careful client of one robot."""

    def __init__(self, emulator: EmulatorProcess, robot: int | None = None) -> None:
        self.emulator = emulator
        self.robot = robot or next(_numbers)
        self.connect()

    def connect(self) -> None:
        host, port = self.emulator.urls[self.robot].removeprefix("tcp://").split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=5)

    def fault(self, text: str) -> None:
        self.emulator.fault(f"{self.robot}:{text}")

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def read(self, seconds: float = 0.4) -> bytes:
        """All that comes until the line was silent for so long."""
        data = b""
        while select.select([self.socket], [], [], seconds)[0]:
            more = self.socket.recv(4096)
            data += more
            if not more:
                break
        return data

    def ask(self, line: str) -> bytes:
        """One reply with its end."""
        self.send(line.encode() + b"\n")
        data = b""
        while not data.endswith((b"\n", b"\r")):
            data += self.socket.recv(4096)
        return data

    def log(self, kind: str) -> list[Entry]:
        time.sleep(0.05)
        return [entry for entry in self.emulator.log() if entry.robot == self.robot and entry.kind == kind]


@pytest.fixture
def client(emulator: EmulatorProcess) -> Iterator[Client]:
    """On a robot that no other test uses."""
    client = Client(emulator)
    yield client
    client.socket.close()


def test_a_robot_answers_in_real_time_and_moves(client: Client) -> None:
    assert client.ask("B") == b"b,B,5\r\n"
    assert client.ask("D,147,147") == b"d\r\n"
    time.sleep(1.0)
    assert client.ask("D,0,0") == b"d\r\n"
    moving, still = client.log("received")[1:3]
    time.sleep(0.3)
    pulses = float(client.ask("R").decode().split(",")[1])
    assert pulses == pytest.approx(14700 * (still.t - moving.t), rel=0.05)
    x0, y0, _ = client.emulator.starts[client.robot]
    x, y, _ = client.emulator.poses()[client.robot]
    assert ((x - x0) ** 2 + (y - y0) ** 2) ** 0.5 == pytest.approx(pulses * 6.78181e-6, abs=0.003)


def test_of_two_commands_at_once_the_second_is_lost(client: Client) -> None:
    client.send(b"D,1,1\nN\nR\n")
    assert client.read() == b"d\r\n"
    assert client.log("flushed")[0].line == "N\nR\n"


def test_empty_lines_and_carriage_returns_are_not_answered(client: Client) -> None:
    client.send(b"\n\nB\r\n\n")
    assert client.read() == b"b,B,5\r\n"


def test_a_line_of_more_than_82_characters_is_cut(client: Client) -> None:
    client.send(b"D," + b"," * 90 + b"5,6\n")
    assert client.read() == b"d\r\n"
    assert "cut" in client.log("oddity")[0].details["text"]


def test_nothing_happens_before_the_end_of_a_line(client: Client) -> None:
    client.send(b"B")
    assert client.read(0.2) == b""
    client.send(b"\n")
    assert client.read() == b"b,B,5\r\n"


def test_a_second_client_waits_until_the_first_is_gone_and_the_motors_go_on(client: Client) -> None:
    client.ask("D,100,100")
    second = Client(client.emulator, client.robot)
    second.send(b"E\n")
    assert second.read(0.3) == b""
    client.socket.close()
    assert second.read() == b"e,100,100\r\n"
    assert second.ask("D,0,0") == b"d\r\n"
    second.socket.close()
    gone = client.log("disconnected")[0].details
    assert (gone["left"], gone["right"], gone["mode"]) == (100, 100, 1)
    own = [entry for entry in client.emulator.log() if entry.robot == client.robot]
    assert "disconnected" in faults(own)[0]


@pytest.mark.parametrize(
    ("fault", "reply"),
    [
        ("terminator=lfcr", b"b,B,5\n\r"),
        ("pieces=5", b"b,B,5\r\n"),
        ("partial", b"b,"),
        ("double", b"b,B,5\r\nb,B,5\r\n"),
        ("letter", b"c,B,5\r\n"),
        ("refuse", b"$\r\n"),
        ("firmware=A,9", b"b,A,9\r\n"),
        ("kernel", b"[ 1234.567890] usb 1-1: reset full-speed USB device number 2 using musb-hdrc\r\nb,B,5\r\n"),
        ("silent", b""),
    ],
)
def test_faults_act_on_replies(emulator: EmulatorProcess, fault: str, reply: bytes) -> None:
    """All of them on one robot, one after the other."""
    client = Client(emulator, 26)
    client.fault(fault)
    client.send(b"B\n")
    assert client.read() == reply
    emulator.ask("clear", robot=26)
    assert client.ask("B") == b"b,B,5\r\n"
    client.socket.close()


def test_an_ignored_command_has_no_effect_and_a_mute_one_has(client: Client) -> None:
    client.fault("ignore;on=D")
    client.send(b"D,50,50\n")
    assert client.read(0.2) == b""
    assert client.ask("E") == b"e,0,0\r\n"
    client.emulator.ask("clear", robot=client.robot)
    client.fault("mute;on=D")
    client.send(b"D,50,50\n")
    assert client.read(0.3) == b""
    assert client.ask("E") == b"e,50,50\r\n"
    client.emulator.ask("clear", robot=client.robot)
    client.ask("D,0,0")


def test_a_late_reply_comes_before_that_to_a_later_request(client: Client) -> None:
    client.fault("late=0.6;on=R")
    client.send(b"R\n")
    assert client.read(0.3) == b""
    client.send(b"B\n")
    assert client.read(0.5) == b"r,0,0\r\nb,B,5\r\n"


def test_a_slow_server_throws_away_what_came_meanwhile(client: Client) -> None:
    client.fault("slow=0.3;count=1")
    client.send(b"B\n")
    time.sleep(0.1)
    client.send(b"N\n")
    assert client.read() == b"b,B,5\r\n"


def test_a_closed_port_comes_back(client: Client) -> None:
    client.ask("D,90,90")
    client.fault("close=0.6")
    assert client.read(1.0) == b""
    with pytest.raises(ConnectionRefusedError):
        client.connect()
    time.sleep(0.8)
    client.connect()
    assert client.ask("E") == b"e,90,90\r\n"
    client.ask("D,0,0")


def test_a_reset_breaks_the_connection_in_the_middle_of_a_reply(client: Client) -> None:
    client.fault("reset=0.1;on=R")
    client.send(b"R\n")
    with pytest.raises(ConnectionResetError):
        client.read(2.0)


def test_hardware_fails_too(client: Client) -> None:
    client.fault("jump=5000")
    client.fault("battery=8")
    client.fault("stuck=left")
    time.sleep(0.1)
    assert client.ask("R") == b"r,5000,5000\r\n"
    assert client.ask("V,5") == b"v,8\r\n"
    client.ask("D,100,100")
    time.sleep(0.3)
    assert client.ask("E") == b"e,0,100\r\n"
    client.fault("microreset")
    time.sleep(0.3)
    assert client.ask("R").startswith(b"r,0,")
    assert client.ask("E") == b"e,0,0\r\n"


def test_a_login_prompt_greets_and_echoes(emulator: EmulatorProcess) -> None:
    client = Client(emulator, 25)
    client.fault("login")
    client.socket.close()
    time.sleep(0.1)
    client.connect()
    assert b"login: " in client.read(0.2)
    client.send(b"B\n")
    assert client.read(0.2).startswith(b"B\r\nPassword:")
    client.socket.close()


def test_a_server_with_the_overflow_dies_of_a_long_reply_and_the_motors_go_on(client: Client) -> None:
    client.fault("overflow")
    client.ask("D,30,30")
    client.send(b"T\n")
    assert client.read(0.3) == b""
    client.send(b"B\n")
    assert client.read(0.3) == b""
    assert client.log("still") == []


def test_a_laser_scans_on_a_port_of_its_own(emulator: EmulatorProcess) -> None:
    robot = 23
    host, port = emulator.lasers[robot].removeprefix("tcp://").split(":")
    with socket.create_connection((host, int(port)), timeout=5) as laser:
        replies = []
        for command in ("SCIP2.0", "PP", "GD0044072500", "BM", "BM", "GD0044072500", "GS0380038800"):
            laser.sendall(command.encode() + b"\n")
            data = b""
            while not data.endswith(b"\n\n"):
                data += laser.recv(65536)
            replies.append(data[:-2])
    parsed = [parse_message(reply) for reply in (replies[0], *replies[2:])]
    assert [reply.status for reply in parsed] == ["0E", "10", "00", "02", "00", "00"]
    assert b"AMAX:725" in replies[1]
    distances = parsed[4].distances_mm
    assert len(distances) == 682
    x, y, yaw = emulator.starts[robot]
    assert yaw == 0.0
    # Step 384 looks ahead, 256 steps further to the left; the walls stand outside the 8 m.
    assert distances[384 - 44] == pytest.approx(1000 * (4.0 - x), abs=4)
    assert distances[384 + 256 - 44] == pytest.approx(1000 * (4.0 - y), abs=4)


def test_a_laser_sends_scan_after_scan(emulator: EmulatorProcess) -> None:
    host, port = emulator.lasers[2].removeprefix("tcp://").split(":")
    with socket.create_connection((host, int(port)), timeout=5) as laser:
        laser.sendall(b"MD0044072500002\n")
        data = b""
        while data.count(b"\n\n") < 3:
            data += laser.recv(65536)
    first, second, third = data.split(b"\n\n")[:3]
    assert parse_message(first).status == "00"
    assert (parse_message(second).command, parse_message(third).command) == ("MD0044072500001", "MD0044072500000")
    assert parse_message(third).status == "99"


def test_the_fleet_file_that_it_writes_is_a_good_one(emulator: EmulatorProcess) -> None:
    fleet = read_fleet(emulator.log_path.parent / "fleet.yaml")
    assert [robot.id for robot in fleet.robots] == list(range(1, 27))
    for robot in fleet.robots:
        assert robot.link.text == emulator.urls[robot.id]
        assert robot.start == pytest.approx(tuple(emulator.starts[robot.id]), abs=1e-5)
    assert (fleet.radio.range_m, fleet.radio.loss, fleet.radio.occlusion) == (2.0, 0.1, True)


def test_robots_are_put_elsewhere_by_hand(emulator: EmulatorProcess) -> None:
    emulator.ask("move", robot=24, x=3.5, y=3.0, yaw=1.0)
    assert emulator.poses()[24] == pytest.approx((3.5, 3.0, 1.0), abs=1e-6)


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ({"do": "fault", "fault": "99:late"}, "no robot 99"),
        ({"do": "fault", "fault": "1:lat"}, "did you mean 'late'"),
        ({"do": "step", "seconds": 1}, "real time"),
        ({"do": "stat"}, "did you mean 'state'"),
        ({"do": "move", "robot": 1}, "'x' is missing"),
    ],
)
def test_the_control_port_refuses_what_it_cannot_do(
    emulator: EmulatorProcess, request_: dict[str, object], told: str
) -> None:
    with pytest.raises(LinkError, match=told):
        emulator.ask(**request_)  # type: ignore[arg-type]


# -- terminals and steps -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tracked() -> Iterator[socket.socket]:
    """Where the poses of the stepped robots go."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.settimeout(10)
        yield listener


@pytest.fixture(scope="module")
def stepped(tmp_path_factory: pytest.TempPathFactory, tracked: socket.socket) -> Iterator[EmulatorProcess]:
    folder = tmp_path_factory.mktemp("stepped")
    (folder / "scene.yaml").write_text(SCENE.replace("count: 26", "count: 2"))
    poses = f"127.0.0.1:{tracked.getsockname()[1]}"
    with EmulatorProcess(folder / "scene.yaml", folder, "--stepped", "--poses", poses, terminals=True) as running:
        yield running


def test_poses_are_sent_as_a_tracking_system_does_unless_it_does_not_see_a_robot(
    stepped: EmulatorProcess, tracked: socket.socket
) -> None:
    first = json.loads(tracked.recv(1000))
    x, y, yaw = stepped.starts[2]
    assert first["robots"][1] == pytest.approx({"id": 2, "x": x, "y": y, "yaw": yaw}, abs=1e-9)
    stepped.fault("1:hidden")
    stepped.ask("step", seconds=0.05)
    second = json.loads(tracked.recv(1000))
    assert second["t"] - first["t"] == pytest.approx(0.05)
    assert [robot["id"] for robot in second["robots"]] == [2]
    stepped.ask("clear")


def terminal(emulator: EmulatorProcess, robot: int) -> int:
    path = Path(emulator.urls[robot].removeprefix("serial://"))
    line = os.open(path, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(line)
    time.sleep(0.1)
    return line


def ask_terminal(line: int, request: bytes) -> bytes:
    os.write(line, request)
    data = b""
    while not data.endswith(b"\r\n"):
        data += os.read(line, 100)
    return data


def test_a_terminal_speaks_the_same_and_time_passes_in_steps(stepped: EmulatorProcess) -> None:
    line = terminal(stepped, 1)
    assert ask_terminal(line, b"B\n") == b"b,B,5\r\n"
    ask_terminal(line, b"D,100,100\n")
    time.sleep(0.3)
    assert ask_terminal(line, b"R\n") == b"r,0,0\r\n"
    stepped.ask("step", seconds=1.0)
    assert ask_terminal(line, b"R\n") == b"r,9700,9700\r\n"
    os.close(line)
    time.sleep(0.2)
    again = terminal(stepped, 1)
    assert ask_terminal(again, b"E\n") == b"e,100,100\r\n"
    os.close(again)
    time.sleep(0.2)
    kinds = [entry.kind for entry in stepped.log() if entry.robot == 1]
    assert kinds.count("connected") == kinds.count("disconnected") == 2


def test_a_terminal_that_hangs_up_comes_back_behind_the_same_link(stepped: EmulatorProcess) -> None:
    line = terminal(stepped, 2)
    ask_terminal(line, b"B\n")
    stepped.fault("2:close=0.3")
    time.sleep(0.15)
    with pytest.raises(OSError, match="Input/output error"):
        os.write(line, b"B\n")
    os.close(line)
    time.sleep(0.5)
    line = terminal(stepped, 2)
    assert ask_terminal(line, b"B\n") == b"b,B,5\r\n"
    os.close(line)


# -- the command -------------------------------------------------------------------------------------------------------


def test_the_command_lists_faults(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run_app(["emulate", str(tmp_path), "--fault", "help"]) == 0
    assert "microreset" in capsys.readouterr().out


def test_the_command_tells_where_the_robots_are_and_ends_in_time(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "scene.yaml").write_text(SCENE.replace("count: 26", "count: 2"))
    arguments = ["--port", "0", "--seconds", "0.1", "--log", str(tmp_path / "log.jsonl")]
    assert run_app(["emulate", str(tmp_path / "scene.yaml"), *arguments]) == 0
    assert capsys.readouterr().out.count("tcp://127.0.0.1:") == 2
    assert json.loads((tmp_path / "log.jsonl").read_text().splitlines()[0])["kind"] == "ready"


def test_a_port_that_is_taken_ends_with_3(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "scene.yaml").write_text(SCENE.replace("count: 26", "count: 1"))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run_app(["emulate", str(tmp_path / "scene.yaml"), "--port", str(port)]) == 3
    assert "choose another --port" in capsys.readouterr().err


def test_only_khepera_robots_are_emulated(capsys: pytest.CaptureFixture[str]) -> None:
    scene = Path(__file__).parents[2] / "scripts" / "examples" / "line_follower" / "line_follower.yaml"
    assert run_app(["emulate", str(scene), "--port", "0"]) == 2
    assert "line_follower speak no kh4server" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--fault", "1:lat"], ["--fault", "77:late"], ["--line", "carrier-pigeon"]])
def test_wrong_usage_ends_with_2(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "scene.yaml").write_text(SCENE.replace("count: 26", "count: 1"))
    assert run_app(["emulate", str(tmp_path / "scene.yaml"), "--port", "0", *arguments]) == 2


def test_terminals_in_a_folder_of_here_are_reached_from_anywhere(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "scene.yaml").write_text(SCENE.replace("count: 26", "count: 1"))
    monkeypatch.chdir(tmp_path)
    assert run_app(["emulate", "scene.yaml", "--pty", "tty", "--fleet", "fleet.yaml", "--seconds", "0.1"]) == 0
    (robot,) = read_fleet(tmp_path / "fleet.yaml").robots
    assert robot.link.port == str(tmp_path / "tty" / robot.name)


def test_the_log_is_judged_at_the_end(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """By a client that leaves turning wheels behind, while the command runs in this process."""
    (tmp_path / "scene.yaml").write_text(SCENE.replace("count: 26", "count: 1"))
    fleet, log = tmp_path / "fleet.yaml", tmp_path / "log.jsonl"

    def drive_and_leave() -> None:
        while not fleet.is_file() or not fleet.read_text().endswith("}\n"):
            time.sleep(0.02)
        host, port = read_fleet(fleet).robots[0].link.text.removeprefix("tcp://").split(":")
        with socket.create_connection((host, int(port)), timeout=5) as line:
            line.sendall(b"D,50,50\n")
            line.recv(100)

    client = threading.Thread(target=drive_and_leave)
    client.start()
    arguments = ["--port", "0", "--fleet", str(fleet), "--log", str(log), "--seconds", "1"]
    assert run_app(["emulate", str(tmp_path / "scene.yaml"), *arguments]) == 0
    client.join()
    assert "after D,50,50" in capsys.readouterr().err
