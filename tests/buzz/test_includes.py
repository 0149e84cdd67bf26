"""Where included files are looked for, and how their tokens take the place of the directive."""

from __future__ import annotations

from pathlib import Path

import pytest

from pybuzz.buzz.parsing import parse
from pybuzz.buzz.tree import Assignment, CallStatement, Integer, Script
from pybuzz.errors import ScriptError
from pybuzz.shipped import scripts_folder


def _write(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def _numbers(script: Script) -> list[int]:
    values = [statement.value for statement in script.statements if isinstance(statement, Assignment)]
    return [value.value for value in values if isinstance(value, Integer)]


def test_an_included_file_takes_the_place_of_the_directive(tmp_path: Path) -> None:
    _write(tmp_path, "other.bzz", "a = 1")
    script = parse(_write(tmp_path, "main.bzz", 'x = 0 include "other.bzz" y = 2'))
    assert _numbers(script) == [0, 1, 2]
    assert [Path(source.name).name for source in script.sources] == ["main.bzz", "other.bzz"]


def test_the_folder_of_the_including_file_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(tmp_path, "lib/tools.bzz", 'include "helper.bzz"')
    _write(tmp_path, "lib/helper.bzz", "a = 1")
    _write(tmp_path, "elsewhere/helper.bzz", "a = 2")
    monkeypatch.setenv("BUZZ_INCLUDE_PATH", str(tmp_path / "elsewhere"))
    script = parse(_write(tmp_path, "main.bzz", 'include "lib/tools.bzz"'))
    assert _numbers(script) == [1]


def test_a_file_that_stands_in_two_places_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(tmp_path, "scripts/helper.bzz", "a = 1")
    _write(tmp_path, "work/helper.bzz", "a = 2")
    monkeypatch.chdir(tmp_path / "work")
    script = parse(_write(tmp_path, "scripts/main.bzz", 'include "helper.bzz"'))
    assert _numbers(script) == [1]
    assert [warning.text for warning in script.warnings] == [
        "'helper.bzz' is both beside this file and in the working directory"
    ]


def test_the_environment_comes_before_the_given_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(tmp_path, "first/helper.bzz", "a = 1")
    _write(tmp_path, "second/helper.bzz", "a = 2")
    monkeypatch.setenv("BUZZ_INCLUDE_PATH", f":{tmp_path / 'first'}:")
    main = _write(tmp_path, "main.bzz", 'include "helper.bzz"')
    assert _numbers(parse(main, include_dirs=[tmp_path / "second"])) == [1]
    monkeypatch.delenv("BUZZ_INCLUDE_PATH")
    assert _numbers(parse(main, include_dirs=[tmp_path / "second"])) == [2]


@pytest.mark.parametrize("name", ["vec2.bzz", "include/vec2.bzz"])
def test_the_shipped_library_is_found_under_both_names(tmp_path: Path, name: str) -> None:
    script = parse(_write(tmp_path, "main.bzz", f'include "{name}"'))
    assert Path(script.sources[1].name) == scripts_folder() / "include" / "vec2.bzz"


def test_an_absolute_path_of_another_machine_falls_back_to_the_library(tmp_path: Path) -> None:
    script = parse(_write(tmp_path, "main.bzz", 'include "/opt/elsewhere/buzz/include/vec2.bzz"'))
    assert len(script.sources) == 2
    assert script.warnings[0].hint == 'the shipped vec2.bzz is taken; write include "vec2.bzz"'


def test_a_file_is_taken_once(tmp_path: Path) -> None:
    _write(tmp_path, "other.bzz", 'a = 1 include "main.bzz"')
    script = parse(_write(tmp_path, "main.bzz", 'include "other.bzz" include "./other.bzz"'))
    assert _numbers(script) == [1]


def test_a_missing_file_is_reported_with_the_nearest_name(tmp_path: Path) -> None:
    with pytest.raises(ScriptError) as caught:
        parse("main.bzz", 'include "vec3.bzz"')
    assert str(caught.value) == (
        "main.bzz:1:1: compile error: include error: Can't read 'vec3.bzz'\n"
        '    include "vec3.bzz"\n'
        "    ^^^^^^^^^^^^^^^^^^\n"
        "  hint: did you mean 'vec2.bzz'?"
    )


def test_a_name_without_its_suffix_is_reported_with_it() -> None:
    with pytest.raises(ScriptError) as caught:
        parse("main.bzz", 'include "vec2"')
    assert caught.value.diagnostics[0].hint == "did you mean 'vec2.bzz'?"


def test_an_error_in_an_included_file_says_who_included_it(tmp_path: Path) -> None:
    other = _write(tmp_path, "other.bzz", "x = = 1")
    main = _write(tmp_path, "main.bzz", '\ninclude "other.bzz"')
    with pytest.raises(ScriptError) as caught:
        parse(main)
    (error,) = caught.value.diagnostics
    assert error.place.file == str(other)
    assert error.hint == f"one = assigns, == compares, with no blank between; included from {main}:2"


def test_a_value_may_be_included(tmp_path: Path) -> None:
    _write(tmp_path, "speed.bzz", "5 # cm/s\n")
    script = parse(_write(tmp_path, "main.bzz", 'speed = include "speed.bzz" log(speed)'))
    assert _numbers(script) == [5]
    assert isinstance(script.statements[1], CallStatement)


@pytest.mark.parametrize("path", ["", "a\x00b", "."])
def test_an_include_without_a_file_name_fails_cleanly(path: str) -> None:
    with pytest.raises(ScriptError, match="include error"):
        parse("main.bzz", f'include "{path}"')


@pytest.mark.parametrize("name", ["a" * 5000, "/" + "a" * 5000, "/".join(["b"] * 5000)])
def test_a_name_longer_than_the_system_allows_is_a_missing_file(name: str) -> None:
    with pytest.raises(ScriptError, match="include error: Can't read"):
        parse("main.bzz", f'include "{name}"')


def test_a_file_of_a_folder_is_not_mistaken_for_one_of_the_library(tmp_path: Path) -> None:
    with pytest.raises(ScriptError) as caught:
        parse(_write(tmp_path, "main.bzz", 'include "lib/vec2.bzz"\n'), include_dirs=[tmp_path / "more"])
    assert caught.value.diagnostics[0].hint == (
        f"looked in {tmp_path}, ., {tmp_path}/more, the library and all below {tmp_path}; "
        "another folder: -I DIR, or BUZZ_INCLUDE_PATH"
    )


def test_a_file_elsewhere_in_the_repository_is_taken_with_a_warning(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    _write(tmp_path, "lib/deep/own.bzz", "own = 1\n")
    main = _write(tmp_path, "main.bzz", 'include "own.bzz"\n')
    script = parse(main)
    assert script.warnings[0].text == "there is no 'own.bzz' where includes are looked for"
    assert script.warnings[0].hint == f"{tmp_path}/lib/deep/own.bzz is taken"
