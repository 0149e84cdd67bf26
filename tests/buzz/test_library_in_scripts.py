"""The libraries as scripts meet them: through compiled code, with a machine's budget."""

from pathlib import Path

import pytest

from pybuzz.buzz import compile_program
from pybuzz.buzz.values import format_value
from pybuzz.errors import ScriptError


def run(text: str, budget: int = 100_000, io_folder: Path | None = None) -> list[str]:
    lines: list[str] = []
    program = compile_program("script.bzz", text)
    machine = program.new_machine(
        1, log=lambda values: lines.append("".join(map(format_value, values))), budget=budget, io_folder=io_folder
    )
    machine.run_global_part()
    return lines


def failure(text: str, budget: int = 100_000, io_folder: Path | None = None) -> str:
    with pytest.raises(ScriptError) as error:
        run(text, budget, io_folder)
    return error.value.diagnostics[0].headline


def test_walks_within_walks_use_up_the_budget() -> None:
    walk = "t = {} i = 0 while(i < 100) { t[i] = i i = i + 1 }\n"
    inner = "foreach(t, function(k, v) { foreach(t, function(k, v) { n = n + 1 }) })"
    assert run(f"n = 0 {walk} {inner} log(n)") == ["10000"]
    endless = f"n = 0 {walk} foreach(t, function(k, v) {{ {inner} }})"
    assert failure(endless).startswith("script.bzz:2:")
    assert "budget exceeded" in failure(endless)


@pytest.mark.parametrize(
    "call", ["string.concat(s, s, s)", "string.sub(s, 1)", "string.toint(s)", "string.tofloat(s)", "log(s)"]
)
def test_long_strings_use_up_the_budget_by_their_bytes(call: str) -> None:
    """2000 strings of over 1 MiB would be 2 GiB; with 100,000 turns of 256 bytes a call makes 25 MB at most."""
    grow = 's = "x" i = 0 while(i < 20) { s = string.concat(s, s) i = i + 1 }'
    found = failure(f"{grow}\ni = 0 while(i < 2000) {{ {call} i = i + 1 }}")
    assert found.startswith("script.bzz:2:")
    assert "budget exceeded" in found


def test_what_is_written_to_files_uses_up_the_budget_by_its_bytes(tmp_path: Path) -> None:
    """Ten thousand lines of 64 KiB would be 640 MB; with 100,000 turns of 256 bytes a call writes 25 MB at most."""
    grow = 's = "x" i = 0 while(i < 16) { s = string.concat(s, s) i = i + 1 }\nf = io.fopen("a.txt", "w")\n'
    found = failure(f"{grow}while(i < 10000) {{ io.fwrite(f, s) i = i + 1 }}", 100_000, tmp_path)
    assert "budget exceeded" in found
    assert (tmp_path / "a.txt").stat().st_size < 100_000 * 256


def test_a_file_that_grows_while_it_is_read_uses_up_the_budget(tmp_path: Path) -> None:
    text = """
    out = io.fopen("a.txt", "w")  io.fwrite(out, "x")  io.fclose(out)
    f = io.fopen("a.txt", "r")
    io.fforeach(f, function(line) {
      more = io.fopen("a.txt", "a")  io.fwrite(more, line)  io.fclose(more)
    })
    """
    assert "budget exceeded" in failure(text, 50, tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("math.abs(1, 2)", "wrong number of local variables: expected 1 parameters, got 2"),
        ("math.sin()", "wrong number of local variables: expected 1 parameters, got 0"),
        ("reduce({}, log)", "wrong number of local variables: expected 3 parameters, got 2"),
        ("math.rng.uniform(1, 2, 3)", "wrong number of local variables: expected 0, 1, or 2 parameters, got 3"),
        ("string.sub(\"a\")", "wrong number of local variables: expected 2 or 3 parameters, got 1"),
        ("string.concat(\"a\")", "wrong number of local variables: expected at least 2 parameters, got 1"),
        ("io.fwrite({})", "wrong number of local variables: expected at least 2 parameters, got 1"),
        ("math.exp(nil)", "type mismatch: expected float or integer, got nil"),
        ("math.sqrt(\"4\")",
         "type mismatch: expected float or integer, got string; argument 1 of math.sqrt() is \"4\""),
        ("math.max(log, 1)", "type mismatch: cannot order a closure and an integer"),
        ("io.fopen(\"x\", \"r\")", "no file access: scripts may not use files"),
    ],
)  # fmt: skip
def test_a_faulty_call_is_reported_in_the_c_runtime_s_words(text: str, message: str) -> None:
    assert failure(text).endswith(f"runtime error: {message}")


def test_a_built_in_works_as_a_callback() -> None:
    assert run("x = map({.1 = 10, .2 = 20}, math.max) log(x[1], x[2])") == ["1020"]
