"""Bad input of every kind: one clear message, the documented exit code, no traceback (the fixture looks for one)."""

from __future__ import annotations

import re

import pytest

_FIRST_LINE = re.compile(r"[^\n]*?(:\d+){0,2}: [A-Za-z ]+: .+")
"""FILE:LINE:COL: KIND: text; of what concerns a whole file, without a place."""

_SCRIPT = "function init() { }\nfunction step() { }\n"
_SMALL = """\
arena: {size: [1, 1]}
robots: [{kind: kheperaiv, count: 2, script: good.bzz, place: {uniform: [[-0.5, -0.5], [0.5, 0.5]]}}]
"""


@pytest.mark.parametrize("command", ["run", "exec", "check"])
@pytest.mark.parametrize("name", ["missing.bzz", "folder.bzz", "noise.bzz", "utf16.bzz", "nul.bzz"])
def test_a_script_that_is_none_is_reported(pybuzz, tmp_path, command: str, name: str) -> None:
    (tmp_path / "folder.bzz").mkdir()
    (tmp_path / "noise.bzz").write_bytes(bytes(range(256)) * 20)
    (tmp_path / "utf16.bzz").write_bytes(_SCRIPT.encode("utf-16"))
    (tmp_path / "nul.bzz").write_bytes(b"x = 1\0\0")
    result = pybuzz(command, name)
    assert _FIRST_LINE.fullmatch(result.err.splitlines()[0])
    assert result.code == (1 if (command, name) == ("check", "nul.bzz") else 2)


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


def test_more_robots_than_a_place_holds_are_one_message(pybuzz, write) -> None:
    write("good.bzz", _SCRIPT)
    write("small.yaml", _SMALL)
    result = pybuzz("run", "small.yaml", "--seed", "1", "--ticks", "1", "--robots", "100000")
    assert "no room: kh" in result.err.splitlines()[0]
    assert result.code == 2


def test_a_missing_file_does_not_keep_the_others_from_being_checked(pybuzz, write) -> None:
    write("bad.bzz", "x = = 1")
    result = pybuzz("check", "missing.bzz", "bad.bzz")
    assert result.code == 2
    assert "missing.bzz: missing file: there is no such file" in result.err
    assert "bad.bzz:1:5: compile error" in result.err
    assert "2 files checked: 2 errors" in result.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--seconds nan", "seconds: error: nan is no time"),
        ("--seconds inf", "seconds: error: inf is no time"),
        ("--ticks 1 --record r --record-sensors proximty", "proximty: unknown sensor: no robot carries a sensor"),
        ("--ticks 1 --record-sensors proximity", "--record-globals and the like: error: nothing is recorded"),
        ("--substitute foot-bot=kheperaiv", "--substitute: error: only files of other simulators"),
        ("--hooks good.bzz", "good.bzz:1: error in the file: SyntaxError"),
        ("--hooks none.py", "none.py: error: there is no such Python file"),
        ("--set good", "--set good: not a setting"),
        ("--set buzz.X=1", "buzz.X: unknown global"),
        ("--record good.bzz", "good.bzz: error: this is a file"),
        ("--record .", ".: error: the folder is not empty"),
        ("--record /dev/null/x", "/dev/null/x: error: cannot write here"),
    ],
)  # fmt: skip
def test_a_wrong_option_of_run_is_one_message_and_ends_with_2(pybuzz, write, options: str, message: str) -> None:
    write("good.bzz", _SCRIPT)
    result = pybuzz("run", "good.bzz", "--seed", "1", *options.split())
    assert message in result.err.splitlines()[0]
    assert result.code == 2


@pytest.mark.parametrize("options", [["--ticks", "0"], ["--ticks", "2", "--robots", "0"], ["--seconds", "0.01"]])
def test_nothing_to_do_is_no_error(pybuzz, write, options: list[str]) -> None:
    write("good.bzz", _SCRIPT)
    assert pybuzz("run", "good.bzz", "--seed", "1", *options).code == 0


@pytest.mark.parametrize("hook", ["init", "pre_step", "post_step", "is_finished", "post_experiment", "names"])
def test_a_hook_that_raises_is_named_with_its_line_and_the_recording_is_kept(pybuzz, write, hook: str) -> None:
    write("good.bzz", _SCRIPT)
    write("h.py", f"class H:\n    def {hook}(self, *arguments):\n        raise KeyError('mine')\n")
    result = pybuzz("run", "good.bzz", "--ticks", "3", "--robots", "1", "--hooks", "h.py:H", "--record", "r")
    assert f"h.py:3: error in {hook}: KeyError: 'mine'" in result.err
    assert result.code == 2
    if hook in {"post_step", "post_experiment"}:
        assert pybuzz("query", "r", "SELECT count(*) FROM poses").code == 0


_BOMBS = {
    "a loop without end": "function init() { while(1) { x = 1 } }",
    "recursion": "function init() { init() }",
    "recursion through callbacks": "function f(k, v) { foreach({.a = 1}, f) } function init() { f(1, 1) }",
    "recursion through map": "function f(k, v) { return map({.a = 1}, f) } function init() { f(1, 1) }",
    "a string that doubles": 's = "0123456789" function init() { while(1) { s = string.concat(s, s) } }',
    "a cyclic message": 'function init() { t = {} t.t = t neighbors.broadcast("a", t) }',
    "a global of the wrong kind": "function init() { step = 5 }",
}


@pytest.mark.parametrize("text", _BOMBS.values(), ids=_BOMBS)
def test_a_script_that_goes_wrong_stops_its_robot_only(write, text: str, monkeypatch) -> None:
    import pybuzz

    path = write("bomb.bzz", f"{text}\nfunction step() {{ }}\n")
    with pybuzz.load(path, robots=2, seed=1, ticks=2, budget=20_000) as experiment:
        experiment.step()
        experiment.step()
        assert [failure.robot for failure in experiment.failures] == ["kh1", "kh2"]
        for failure in experiment.failures:
            assert re.match(r"[^\n]*bomb.bzz:\d+:\d+: runtime error: [a-z ]+: .+", str(failure.error))


def test_memory_that_is_used_up_is_an_error_of_the_script(pybuzz, write) -> None:
    from pybuzz.buzz import compile_program, host_function
    from pybuzz.errors import ScriptError

    def eat(value: object) -> None:
        raise MemoryError

    machine = compile_program(write("m.bzz", "eat(1)")).new_machine(1, log=print)
    machine.register("eat", host_function("eat", 1, eat))
    with pytest.raises(ScriptError, match=r"m.bzz:1:1: runtime error: budget exceeded: no memory is left"):
        machine.run_global_part()


def test_a_fault_of_our_own_is_one_line(pybuzz, write, monkeypatch) -> None:
    from pybuzz.buzz import checks

    def fail(*arguments: object, **more: object) -> None:
        raise ZeroDivisionError("unforeseen")

    monkeypatch.setattr(checks, "check_script", fail)
    write("good.bzz", _SCRIPT)
    result = pybuzz("check", "good.bzz")
    assert re.match(r".*test_bad_input.py:\d+: fault of pybuzz: ZeroDivisionError: unforeseen\n  hint: ", result.err)
    assert result.code == 70
