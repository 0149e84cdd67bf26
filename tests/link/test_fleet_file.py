"""Fleet files: the sample of the design, and a file full of mistakes."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from pybuzz.errors import InputError
from pybuzz.link.fleet_file import read_fleet, read_fleet_text

SAMPLE = """\
robots:
  - {id: 1, link: "tcp://khepera1:7000", start: [0.0, 0.0, 0.0], calibration: kh1.yaml}
  - {id: 2, link: "serial:///dev/rfcomm0?baud=115200", start: [0.5, 0.0, 90], script: other.bzz}
limits: {wheel_speed: 20}                                       # cm/s
pose: {source: udp, port: 7777, stale: 0.3}
radio: {range: 1.0, data_size: 100}
"""

FAULTY = """\
robots:
  - {id: 1, link: "tcp://khepera1", strat: [0, 0, 0]}
  - {id: 1, link: "tcp://khepera2:7000", start: [0, 0]}
  - {id: 70000, link: "ftp://khepera3", script: missing.bzz}
  - {link: "serial:///dev/rfcomm0?bits=8", start: [0, 0, north]}
limits: {wheel_speed: 50}
pose: {source: optitrack}
radio: {range: far, los: 0.1}
safty: {}
"""


def faults_of(text: str) -> list[tuple[int, str, str]]:
    with pytest.raises(InputError) as raised:
        read_fleet_text(text, "fleet.yaml", Path())
    assert raised.value.exit_code == 2
    return [(found.place.line, found.text, found.hint) for found in raised.value.diagnostics]


def test_the_sample_is_read_in_si(tmp_path: Path) -> None:
    for name in ("kh1.yaml", "other.bzz"):
        (tmp_path / name).touch()
    (tmp_path / "fleet.yaml").write_text(SAMPLE)
    fleet = read_fleet(tmp_path / "fleet.yaml")
    first, second = fleet.robots
    assert (first.id, first.name, first.link.port) == (1, "kh1", "socket://khepera1:7000")
    assert (second.link.kind, second.link.baud, second.period_s) == ("bluetooth", 115200, 0.3)
    assert second.start == (0.5, 0.0, math.pi / 2)
    assert second.script == tmp_path / "other.bzz"
    assert (fleet.wheel_speed, fleet.pose.port, fleet.pose.stale_s, fleet.radio.data_size) == (0.2, 7777, 0.3, 100)
    assert fleet.period_s == 0.1


@pytest.mark.parametrize(
    ("line", "text", "hint"),
    [
        (2, "needs a host and a port", ""),
        (2, "has no key 'strat'", "did you mean 'start'?"),
        (3, "another robot has 1 already, in line 2", ""),
        (3, "a list of 2, but 3 numbers are needed: [x, y, degrees]", ""),
        (4, "70000 is not between 0 and 65535", ""),
        (4, "'ftp://khepera3' is no link", ""),
        (4, "there is no file missing.bzz", ""),
        (5, "needs the key 'id'", ""),
        (5, "a serial link knows only baud", ""),
        (5, "'north' is not a number", ""),
        (6, "50 cm/s is more than the 30 cm/s that are safe", ""),
        (7, "'optitrack' is not known here; it is odometry or udp", ""),
        (8, "'far' is not a number", ""),
        (8, "has no key 'los'", "did you mean 'loss'?"),
        (9, "has no key 'safty'", "did you mean 'safety'?"),
    ],
)
def test_a_file_with_mistakes_reports_all_of_them_with_their_lines(line: int, text: str, hint: str) -> None:
    assert any(line == at and text in said and hint in hints for at, said, hints in faults_of(FAULTY))


def test_two_robots_on_one_line_are_refused() -> None:
    text = 'robots:\n  - {id: 1, link: "tcp://a:7000"}\n  - {id: 2, link: "tcp://a:7000"}\n'
    assert faults_of(text) == [(3, "link: another robot has tcp://a:7000 already, in line 2", "")]


def test_two_robots_with_one_id_are_refused_though_they_stand_in_one_line() -> None:
    text = 'robots: [{id: 1, link: "tcp://a:7000", name: x}, {id: 1, link: "tcp://b:7000"}]\n'
    assert faults_of(text) == [(1, "id: another robot has 1 already, in line 1", "")]


@pytest.mark.parametrize(("first", "second"), [("name: kh2", ""), ("", "name: kh1"), ("name: a", "name: a")])
def test_two_robots_with_one_name_are_refused_because_recordings_know_robots_by_it(first: str, second: str) -> None:
    text = f'robots:\n  - {{id: 1, link: "tcp://a:1", {first}}}\n  - {{id: 2, link: "tcp://b:1", {second}}}\n'
    ((line, told, _),) = faults_of(text)
    assert (line, told.startswith("name: another robot has ")) == (3, True)


def test_faulty_values_are_told_once_and_not_as_repeated_too() -> None:
    text = "robots:\n  - {id: a, link: b}\n  - {id: c, link: d}\n"
    assert [line for line, _, _ in faults_of(text)] == [2, 2, 3, 3]


def test_a_relay_without_a_scheme_is_told_how_to_write_it() -> None:
    ((_, told, _),) = faults_of('robots: [{id: 1, link: "tcp://a:7000", relay: "a:7001"}]')
    assert told == "relay: 'a:7001' needs a host and a port, for example tcp://khepera1:7001"


@pytest.mark.parametrize(
    ("relays", "line", "told"),
    [
        (("tcp://a:7001", "tcp://a:7001"), 3, "relay: another robot has a:7001 already, in line 2"),
        (("tcp://a:7001", "tcp://A:7001"), 3, "relay: another robot has a:7001 already, in line 2"),
        (("tcp://a:7000", "tcp://b:7001"), 2, "relay: a:7000 is the link in line 2, not the relay's second port"),
        (("tcp://B:7000", "tcp://b:7001"), 2, "relay: b:7000 is the link in line 3, not the relay's second port"),
    ],
)
def test_a_relay_belongs_to_one_robot_and_is_no_link(relays: tuple[str, str], line: int, told: str) -> None:
    lines = [
        f'  - {{id: {number}, link: "tcp://{host}:7000", relay: "{relay}"}}'
        for number, (host, relay) in enumerate(zip("ab", relays, strict=True), start=1)
    ]
    assert [found[:2] for found in faults_of("robots:\n" + "\n".join(lines))] == [(line, told)]


@pytest.mark.parametrize("text", ["", "robots:", "robots: []", "- 1", "robots: {id: 1}"])
def test_a_fleet_without_robots_is_refused(text: str) -> None:
    assert faults_of(text)
