"""Bad input of every kind: one clear message, the documented exit code, no traceback (the fixture looks for one)."""

from __future__ import annotations

import re

import pytest

_FIRST_LINE = re.compile(r"[^\n]*?(:\d+){0,2}: [A-Za-z ]+: .+")
"""FILE:LINE:COL: KIND: text; of what concerns a whole file, without a place."""

_SCRIPT = "function init() { }\nfunction step() { }\n"


@pytest.mark.parametrize("command", ["run", "exec", "check"])
@pytest.mark.parametrize("name", ["missing.bzz", "folder.bzz", "noise.bzz", "utf16.bzz", "nul.bzz"])
def test_a_script_that_is_none_is_reported(pybuzz, tmp_path, command: str, name: str) -> None:
    (tmp_path / "folder.bzz").mkdir()
    (tmp_path / "noise.bzz").write_bytes(bytes(range(256)) * 20)
    (tmp_path / "utf16.bzz").write_bytes(_SCRIPT.encode("utf-16"))
    (tmp_path / "nul.bzz").write_bytes(b"x = 1\0\0")
    result = pybuzz(command, name)
    assert _FIRST_LINE.fullmatch(result.err.splitlines()[0])
    assert result.code == (1 if command == "check" and not name.startswith(("missing", "folder")) else 2)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\0", b"<a><b></a>", b"{", b"robots: 5\n", b"- 1\n", b"\0\0"])
@pytest.mark.parametrize("suffix", ["yaml", "argos"])
@pytest.mark.parametrize("command", ["run", "check", "convert"])
def test_an_experiment_that_is_none_is_reported(pybuzz, tmp_path, command: str, suffix: str, content: bytes) -> None:
    (tmp_path / f"bad.{suffix}").write_bytes(content)
    other = {"yaml": "argos", "argos": "yaml"}[suffix]
    result = pybuzz(command, f"bad.{suffix}", *(["-o", f"new.{other}"] if command == "convert" else []))
    assert _FIRST_LINE.fullmatch(result.err.splitlines()[0])
    assert result.code == (1 if command == "check" else 2)
    assert not (tmp_path / f"new.{other}").exists()


@pytest.mark.parametrize("command", ["plot", "query", "export", "diff"])
@pytest.mark.parametrize("name", ["missing", "empty", "file", "damaged"])
def test_a_recording_that_is_none_is_reported(pybuzz, write, tmp_path, command: str, name: str) -> None:
    (tmp_path / "empty").mkdir()
    write("file", "no recording")
    write("damaged/run.json", "{")
    write("damaged/poses.parquet", "no parquet")
    more = {"plot": [], "query": ["SELECT 1"], "export": ["-o", "x.csv"], "diff": [name]}[command]
    result = pybuzz(command, name, *more)
    assert _FIRST_LINE.fullmatch(result.err.splitlines()[0])
    assert result.code == 2


@pytest.mark.parametrize("text", ["\ufeff" + _SCRIPT, _SCRIPT.replace("\n", "\r\n"), "# ünïcode\n" + _SCRIPT])
def test_marks_line_ends_and_letters_of_other_systems_are_fine(pybuzz, tmp_path, text: str) -> None:
    folder = tmp_path / "with space, ünï"
    folder.mkdir()
    (folder / "my script.bzz").write_bytes(text.encode())
    assert pybuzz("exec", "--steps", "1", str(folder / "my script.bzz")).code == 0
    assert pybuzz("check", str(folder / "my script.bzz")).code == 0


def test_control_characters_of_a_script_do_not_reach_the_terminal(pybuzz, tmp_path) -> None:
    (tmp_path / "escape.bzz").write_bytes(b'x = "\x1b[31mred\x9b0m" \x07 y\n')
    err = pybuzz("exec", "escape.bzz").err
    assert "red" in err
    assert not set("\x1b\x07\x9b") & set(err)


def test_a_missing_file_does_not_keep_the_others_from_being_checked(pybuzz, write) -> None:
    write("bad.bzz", "x = = 1")
    result = pybuzz("check", "missing.bzz", "bad.bzz")
    assert result.code == 2
    assert "missing.bzz: error: no such file" in result.err
    assert "bad.bzz:1:5: compile error" in result.err
    assert "2 files checked: 2 errors" in result.err
