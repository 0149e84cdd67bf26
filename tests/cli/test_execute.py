"""`pybuzz exec`."""

from __future__ import annotations

import json

import pytest


def test_log_lines_go_to_stdout_and_nothing_else_does(pybuzz, write) -> None:
    write("hello.bzz", 'log("hello ", 1.5)\n')
    result = pybuzz("exec", "hello.bzz")
    assert (result.code, result.out, result.err) == (0, "hello 1.500000\n", "")


def test_strings_come_out_as_the_bytes_they_are(pybuzz, write) -> None:
    write("umlaut.bzz", 'log("grün")\n')
    assert pybuzz("exec", "umlaut.bzz").out == "grün\n"


def test_steps_calls_init_then_step_then_destroy(pybuzz, write) -> None:
    write(
        "life.bzz",
        'function init() { log("init ", id) }\nfunction step() { log("step") }\nfunction destroy() { log("end") }\n',
    )
    assert pybuzz("exec", "life.bzz", "--steps", "2", "--id", "7").out == "init 7\nstep\nstep\nend\n"


def test_without_steps_only_the_code_outside_functions_runs(pybuzz, write) -> None:
    write("life.bzz", 'log("global")\nfunction init() { log("init") }\n')
    assert pybuzz("exec", "life.bzz").out == "global\n"


def test_a_missing_script_is_wrong_usage(pybuzz) -> None:
    result = pybuzz("exec", "missing.bzz")
    assert result.code == 2
    assert "missing.bzz" in result.err
    assert "no such file" in result.err.lower()


def test_a_syntax_error_names_place_kind_and_text(pybuzz, write) -> None:
    write("broken.bzz", "x = 1\ny = (2 + \n")
    result = pybuzz("exec", "broken.bzz")
    assert result.code == 2
    assert result.err.splitlines()[0].startswith("broken.bzz:")
    assert "compile error: syntax error:" in result.err.splitlines()[0]
    assert result.out == ""


def test_a_run_time_error_shows_line_caret_stack_and_ends_with_1(pybuzz, write) -> None:
    write("fails.bzz", 'function f(x) {\n  return x + nil\n}\nlog("before")\nf(3)\n')
    result = pybuzz("exec", "fails.bzz")
    lines = result.err.splitlines()
    assert result.code == 1
    assert result.out == "before\n"
    assert lines[0].startswith("fails.bzz:2:10: runtime error: type mismatch")
    assert lines[1] == "      return x + nil"
    assert lines[2] == "             ^^^^^^^"
    assert lines[3].startswith("  called from f (fails.bzz:2") or "f" in lines[3]


def test_json_gives_the_same_fields(pybuzz, write) -> None:
    write("fails.bzz", "x = 1 / 0\n")
    result = pybuzz("exec", "--json", "fails.bzz")
    (error,) = json.loads(result.err)
    assert result.code == 1
    assert (error["file"], error["line"], error["stage"]) == ("fails.bzz", 1, "runtime error")
    assert error["kind"] == "division by zero"


def test_single_precision_rounds_as_c_does(pybuzz, write) -> None:
    write("third.bzz", "log(123456789.0)\n")
    assert pybuzz("exec", "third.bzz").out == "123456789.000000\n"
    assert pybuzz("exec", "--single-precision", "third.bzz").out == "123456792.000000\n"


def test_files_are_refused_without_allow_io(pybuzz, write, tmp_path) -> None:
    write("files.bzz", 'f = io.fopen("x.txt", "w")\nio.fwrite(f, "text")\nio.fclose(f)\n')
    refused = pybuzz("exec", "files.bzz")
    assert refused.code == 1
    assert "--allow-io" in refused.err
    assert pybuzz("exec", "--allow-io", ".", "files.bzz").code == 0
    assert (tmp_path / "x.txt").read_text() == "text\n"


def test_an_endless_loop_ends_with_a_message(pybuzz, write) -> None:
    write("endless.bzz", "function init() { }\nfunction step() {\n  while(1) { x = 1 }\n}\n")
    result = pybuzz("exec", "--steps", "1", "endless.bzz")
    assert result.code == 1
    assert "budget exceeded" in result.err
    assert "endless.bzz:3" in result.err


def test_endless_recursion_ends_with_a_message(pybuzz, write) -> None:
    write("deep.bzz", "function f() { return f() }\nf()\n")
    result = pybuzz("exec", "deep.bzz")
    assert result.code == 1
    assert "recursion too deep" in result.err


def test_show_python_prints_the_python_of_the_script(pybuzz, write) -> None:
    write("f.bzz", "function square(x) { return x * x }\n")
    result = pybuzz("exec", "--show-python", "f.bzz")
    assert result.code == 0
    assert "def square" in result.out


def test_includes_are_found_in_the_folder_given(pybuzz, write) -> None:
    write("libs/mine.bzz", "function mine() { return 5 }\n")
    write("others/mine.bzz", "function mine() { return 6 }\n")
    write("main.bzz", 'include "mine.bzz"\nlog(mine())\n')
    assert pybuzz("exec", "main.bzz").code == 2
    assert pybuzz("exec", "-I", "libs", "main.bzz").out == "5\n"


def test_sim_runs_the_driver_of_several_robots(pybuzz, write) -> None:
    write("two.bzz", "# sim: robots=2 steps=1\nfunction init() { }\nfunction step() { log(neighbors.count()) }\n")
    expected = "== load\n== init\n== step 1\nR0: 1\nR1: 1\n== destroy\n"
    assert pybuzz("exec", "--sim", "two.bzz").out == expected


@pytest.mark.parametrize("option", ["--stepps", "--steps=-1", "--id=70000"])
def test_wrong_options_are_wrong_usage(pybuzz, write, option: str) -> None:
    write("empty.bzz", "")
    assert pybuzz("exec", option, "empty.bzz").code == 2


def test_exact_does_as_c_buzz_does_in_single_precision(pybuzz, write) -> None:
    write("exact.bzz", 'log(string.tostring(nil), " ", 16777216.0 + 1)\n')
    result = pybuzz("exec", "--exact", "exact.bzz")
    assert (result.out, result.err) == ("0.000000 16777216.000000\n", "")
    result = pybuzz("exec", "exact.bzz")
    assert result.out == "[nil] 16777217.000000\n"
    assert result.err.startswith("warning: exact.bzz:1:5: string.tostring of what is no number is nil here")
