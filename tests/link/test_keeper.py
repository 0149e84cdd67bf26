"""The process that holds the links, by its pipes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from rehearsals import ROOT

from pybuzz.link.messages import read_messages, write_message

NOBODY = 'robots:\n  - {id: 1, link: "tcp://127.0.0.1:1"}\n'


def test_it_ends_well_though_nobody_closes_its_input(tmp_path: Path) -> None:
    """The other process may hang: a thread of the keeper then waits at stdin for ever, which must not matter."""
    with subprocess.Popen(
        [sys.executable, "-m", "pybuzz.link.keeper"],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as keeper:  # fmt: skip
        assert keeper.stdin is not None
        assert keeper.stdout is not None
        assert keeper.stderr is not None
        write_message(keeper.stdin, "fleet", text=NOBODY, file=str(tmp_path / "fleet.yaml"), folder=str(tmp_path))
        said = read_messages(keeper.stdout)
        assert next(said)["kind"] == "probed"
        write_message(keeper.stdin, "stop", reason="the test")
        assert next(said)["reason"] == "the test"
        assert keeper.wait(30) == 0
        assert keeper.stderr.read() == b""
