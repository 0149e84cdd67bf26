"""What `pybuzz check` finds in scripts, and what it leaves alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from programs import program_texts

from pybuzz.buzz.checks import check_script
from pybuzz.buzz.hints import RULES
from pybuzz.buzz.signatures import Entries, HostNames, Range, Signature
from pybuzz.errors import InputError
from pybuzz.khepera import signatures
from pybuzz.shipped import scripts_folder

_HOST = HostNames(
    {
        "set_leds": Signature(3, 3, ("number",), portable=("integer",)),
        "set_wheels": Signature(2, 2, ("number",), portable=("float",)),
        "gotoc": Signature(2, 2, ("number",)),
        "gotop": Signature(2, 2, ("number",)),
    },
    frozenset({"proximity"}),
    entries={"proximity": Entries(8, frozenset({"value", "angle"}))},
    ranges={
        "set_wheels": Range(-20, 20, "the real robot drives at most 20 cm/s"),
        "gotoc": Range(0, 10, "it drives at most 10 cm/s", of_length=True),
    },
    absent={"lidar": "add a lidar"},
)

# code, a script that earns it, a script that does not
_CASES = [
    ("undefined-global", "x = setleds", "x = proximity y = x"),
    ("undefined-global", "if(true) log(1)", "if(x == nil) log(1)"),
    ("undefined-global", "function step() { n = n + 1 }", "function step() { n = n + 1 } function init() { n = 0 }"),
    ("undefined-global", "o = {.n = 0, .add = function() { n = 2 * (1 + n) }}", "n = (n or 1)"),
    ("missing-function", "function step() { }", "function helper() { }"),
    ("missing-function", "function init() { } function Step() { }", "init = function() { } function step() { }"),
    ("large-integer", "x = 5000000000", "x = 5000000000.0 y = -2147483648"),
    ("operand-kind", 'log("count: " + 5)', "log(id + 5)"),
    ("operand-kind", "x = {} y = x * 2", 'x = "a" x = 2 y = x * 2'),
    ("operand-kind", "x = 1 - nil", "x = 1 x = nil y = x - 1"),
    ("mixed-comparison", 'if(id == "1") log(1)', 'if(id == 1) log(1)'),
    ("undefined-field", "x = math.PI", "x = math.pi y = math.rng.uniform()"),
    ("undefined-field", "string.split('a', 'b')", 'include "string.bzz" string.split("a", "b")'),
    ("unused-variable", "function f() { var x = 1 x = 2 }",
     "function f() { var x = 1 return function() { return x } }"),
    ("lost-function", "function size(t) { return 1 }", "size = function(t) { return 1 }"),
    ("argument-count", "math.abs(1, 2)", "math.abs = function(a, b) { return b } math.abs(1, 2)"),
    ("argument-count", "set_leds(1, 2)", "set_leds(1, 2, 3)"),
    ("argument-kind", 'math.sqrt("4")', "x = nil math.sqrt(x)"),
    ("argument-kind", "x = 1 foreach(x, function(k, v) { })", "x = 1 x = {} foreach(x, function(k, v) { })"),
    ("extra-argument", "function f(a) { } f(1, 2)", "function f(a) { } f(1)"),
    ("missing-argument", "function f(a, b) { return b } f(1)", "function f(a, b) { return a } f(1)"),
    ("command-only-in-init", "function init() { gotop(1.0, 0.0) } function step() { }",
     "function init() { set_wheels(5.0, 5.0) } function step() { }"),
    ("command-only-in-init", "function init() { gotoc(1.0, 0.0) } function step() { }",
     "function init() { gotoc(1.0, 0.0) } function step() { gotoc(1.0, 0.0) }"),
    ("missing-device", "x = lidar[0]", "if(lidar != nil) x = lidar[0]"),
    ("missing-device", "function f() { return lidar }", "function lidar() { return 1 } x = lidar()"),
    ("missing-device", "foreach(lidar, function(k, v) { })", "lidar = {} x = lidar[0]"),
    ("entry-range", "x = proximity[8].value", "x = proximity[7].value x = proximity[id].value"),
    ("entry-range", "LAST = 8 x = proximity[LAST].value", "i = 8 i = 7 x = proximity[i].value"),
    ("entry-range", "x = proximity[-1].value", "proximity = {} x = proximity[8]"),
    ("undefined-field", "x = proximity[0].distance", "x = proximity[0].angle"),
    ("undefined-field", "x = proximity.value", "foreach(proximity, function(k, v) { log(v.value) })"),
    ("argument-range", "set_wheels(20.5, 0.0)", "set_wheels(20.0, -20.0) set_wheels(id, id)"),
    ("argument-range", "SPEED = 10.0 function f() { set_wheels(-3 * SPEED, SPEED) }",
     "SPEED = 10.0 function f(SPEED) { set_wheels(3 * SPEED, SPEED) }"),
    ("argument-range", "function f() { var s = 30.0 set_wheels(s, s) }",
     "function f() { var s = 30.0 s = 5.0 set_wheels(s, s) }"),
    ("argument-range", "gotoc(8.0, 8.0)", "gotoc(6.0, 8.0)"),
    ("argument-range", "gotoc(50.0, id)", "gotoc(id, 1.0)"),
    ("argument-range", "x = math.asin(2.0)", "x = math.asin(1.0)"),
    ("forgotten-call", "if(neighbors.count > 0) log(1)", "if(neighbors.count() > 0) log(1)"),
    ("forgotten-call", "function speed() { return 1 } x = speed * 2", "function speed() { return 1 } x = speed() * 2"),
    ("forgotten-call", "if(neighbors.count) log(1)", "if(set_wheels) log(1)"),
    ("forgotten-call", "if(id == 1 and neighbors.count) log(1)", "f = log g = (f == log)"),
    ("forgotten-assignment", "function f(t) { var n = 0 foreach(t, function(k, v) { n = n + 1 }) return n }",
     "function f(t) { var n = 0 foreach(t, function(k, v) { n = k log(n) }) return n }"),
    ("shared-table", "function f() { var t = {} var r = {} var i = 0\n"
     "while(i < 3) { r.x = i t[i] = r i = i + 1 } return t }",
     "function f() { var t = {} var i = 0 while(i < 3) { var r = {.x = i} t[i] = r i = i + 1 } return t }"),
    ("shared-table", "function f() { t = {} m = {} i = 0 while(i < 3) { m.x = i t[i] = m i = i + 1 } }",
     "function f() { t = {} i = 0 while(i < 3) { m = {} m.x = i t[i] = m i = i + 1 } }"),
    ("shared-table", "b = {} s = {} neighbors.listen('k', function(k, v, r) { b.v = v s[r] = b })",
     "s = {} neighbors.listen('k', function(k, v, r) { var b = {} b.v = v s[r] = b })"),
    ("shared-table", "b = {} s = {} function heard(k, v, r) { b.v = v s[r] = b } neighbors.listen('k', heard)",
     "b = {} s = {} function new() { b = {} } neighbors.foreach(function(r, d) { new() b.v = d s[r] = b })"),
    ("rebound-method", "a = {} a.go = function() { return self.x } b = {} b.act = a.go",
     "a = {} a.go = function() { return self.x } b = {} b.go = a.go"),
    ("mixed-comparison", 'state = 0 if(state == "go") log(1)', 'state = 0 state = "go" if(state == "go") log(1)'),
    ("division-by-zero", "x = 1 / 0", "x = 1.0 / 0"),
    ("continued-line", "x = 10\n- 3", "x = 10\n  - 3"),
    ("continued-line", "x = 1\n    + 2\n+ 3", "x = 1\n    + 2\n    + 3\n    - 4"),
    ("continued-line", "x = 1 *\n    2\n- 3", "x = 1 +\n    2\n    - 3"),
    ("continued-line", "g = size\nf = g\n(2)", "log(1,\n(2))"),
    ("empty-body", "if(id);", "if(id)\nlog(1)"),
    ("several-points", "x = 0.25.", "x = 0.25"),
    ("several-points", "x = -0..02", "x = -0.02"),
    ("several-points", "t = {.1.5.7 = 2}", "t = {.1.5 = 2}"),
    ("portable-argument", "set_wheels(10, 10)", "set_wheels(10.0, 10.0)"),
    ("portable-argument", "string.tostring({})", "string.tostring(1)"),
    ("portable-callback", "foreach({}, log)", "foreach({}, function(k, v) { log(k) })"),
    ("portable-closure-comparison", "f = function() { } if(f == f) log(1)", "f = function() { } if(f == nil) log(1)"),
    ("portable-empty-script", "# nothing", "log(1)"),
    ("portable-escape", 'log("a\\tb")', 'log("ab")'),
    ("portable-extra-argument", "function f() { return function() { } } f(1)",
     "function f(a) { return function() { } } f(1)"),
    ("portable-file-level-lambda", "if(id) { f = function(a) { return a } }", "if(id) { f = function() { } }"),
    ("portable-file-level-variable", "if(id) { var a = 1 log(a) }", "var a = 1"),
    ("portable-gaussian", "math.rng.gaussian(1.0, 2.0)", "math.rng.gaussian(1.0)"),
    ("portable-include", 'include "vec2.bzz" include "vec2.bzz"', 'include "vec2.bzz"'),
    ("portable-library", 'include "matrix.bzz" math.matrix.transpose({})',
     'include "matrix.bzz" math.matrix.new(1, 1)'),
    ("portable-name", "included = 1", "x = 1"),
    ("text-encoding", "log('caf\xe9')", "log('caf\xc3\xa9') # caf\xe9"),
    ("portable-removal", "t = {} foreach(t, function(k, v) { t[k] = nil })",
     "t = {} u = {} foreach(t, function(k, v) { u[k] = nil })"),
    ("portable-update", "t = {} foreach(t, function(k, v) { t[k] = v })",
     "t = {} u = {} foreach(t, function(k, v) { u[k] = v })"),
    ("portable-remainder", "x = -7 % 2.5", "x = 7 % 2.5 y = -7 % 2"),
    ("portable-return", "return", "function f() { return }"),
    ("portable-return-value", "function f() { if(id) return\n log(1) }", "function f() { if(id) { return }\n log(1) }"),
    ("portable-shadowing", "function f(k) { return function(k) { return k } }",
     "function f(k) { return function(j) { return j } }"),
    ("portable-substring", 'string.sub("abc", -1)', 'string.sub("abc", 1)'),
    ("portable-swarm-id", "swarm.id(1)", "swarm.id()"),
    ("portable-unbraced-variable", "function f() { if(id) var x = 1 }", "function f() { if(id) { var x = 1 log(x) } }"),
]  # fmt: skip
_ELSEWHERE = {"include", "portable-mark"}


def _codes(text: str) -> list[str]:
    return [found.code for found in check_script("test.bzz", text, signatures=_HOST)]


@pytest.mark.parametrize(("code", "text"), [(code, text) for code, text, _ in _CASES])
def test_a_doubtful_script_earns_its_warning(code: str, text: str) -> None:
    assert code in _codes(text)


@pytest.mark.parametrize(("code", "text"), [(code, text) for code, _, text in _CASES])
def test_a_sound_script_does_not_earn_it(code: str, text: str) -> None:
    assert code not in _codes(text)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("x = setleds", "did you mean 'set_leds'?"),
        ("x = true", "Buzz has no booleans: write 1"),
        ("x = NIL", "the absent value is nil"),
        ("print(1)", "write log(...)"),
        ("x = math.PI", "did you mean 'pi'?"),
        ("table.sort({}, nil)", 'write include "table.bzz" at the beginning'),
        ("math.vec2.new(1, 2)", 'write include "vec2.bzz" at the beginning'),
        ("cuont = 1 x = count", "did you mean 'cuont'?"),
    ],
)
def test_an_undefined_name_comes_with_what_was_meant(text: str, hint: str) -> None:
    assert check_script("test.bzz", text, signatures=_HOST)[0].hint == hint


def test_a_finding_is_shown_with_its_code() -> None:
    (found,) = check_script("test.bzz", "function move() {\n  set_wheels(10, 5.0)\n}", signatures=_HOST)
    assert found.render() == (
        "test.bzz:2:14: warning: argument 1 of set_wheels() must be a float in the C tools [portable-argument]\n"
        "      set_wheels(10, 5.0)\n"
        "                 ^^\n"
        "  hint: write 10.0"
    )


def test_what_surely_fails_is_an_error() -> None:
    (found,) = check_script("test.bzz", "x = size()")
    assert (found.severity, found.headline) == (
        "error",
        "test.bzz:1:5: error: size() takes 1 argument, not 0 [argument-count]",
    )


def test_compile_errors_are_all_reported() -> None:
    text = "function f(a) { var a = 1 }\nfunction g(a) { var a = 1 }"
    assert [found.kind for found in check_script("test.bzz", text)] == ["duplicated symbol", "duplicated symbol"]
    assert [found.kind for found in check_script("test.bzz", "x = = 1\ny = = 2")] == ["syntax error", "syntax error"]


@pytest.mark.parametrize(
    "text",
    [
        "x = math.PI # check: ignore[undefined-field]",
        "# check: ignore[undefined-field]\nx = math.PI",
        "x = math.PI # in degrees; check: ignore[unused-variable, undefined-field]",
    ],
)
def test_a_comment_silences_a_warning(text: str) -> None:
    assert _codes(text) == []


def test_a_comment_silences_its_own_line_only() -> None:
    assert _codes("x = math.PI # check: ignore[undefined-field]\ny = math.PI") == ["undefined-field"]
    assert _codes("x = math.PI # check: ignore[unused-variable]") == ["undefined-field"]


def test_a_byte_order_mark_is_not_portable() -> None:
    assert _codes("\xef\xbb\xbflog(1)") == ["portable-mark"]


def test_warnings_of_included_files_are_reported_where_they_are(tmp_path: Path) -> None:
    (tmp_path / "other.bzz").write_text("x = math.PI")
    main = tmp_path / "main.bzz"
    main.write_text('include "other.bzz"')
    (found,) = check_script(main)
    assert (found.place.file, found.hint) == (
        str(tmp_path / "other.bzz"),
        f"did you mean 'pi'?; included from {main}:1",
    )


def test_what_an_include_adds_is_told_once(tmp_path: Path) -> None:
    assert _codes("math.vec2.new(1, 2)\nmath.vec2.new(3, 4)\nx = math.PI\ny = math.PI") == ["undefined-field"] * 3


def test_files_that_include_each_other_are_portable(tmp_path: Path) -> None:
    (tmp_path / "a.bzz").write_text('include "b.bzz"\nx = 1\nlog(x)')
    (tmp_path / "b.bzz").write_text('include "a.bzz"')
    assert check_script(tmp_path / "a.bzz") == []


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_a_script_of_wide_characters_is_to_be_saved_as_utf_8(tmp_path: Path, encoding: str) -> None:
    main, other = tmp_path / "main.bzz", tmp_path / "other.bzz"
    main.write_text('include "other.bzz"')
    other.write_text('log("x")\n' * 3, encoding=encoding)
    with pytest.raises(InputError, match="this is not UTF-8 text\n  hint: save it as UTF-8"):
        check_script(other)
    (found,) = check_script(main)
    assert found.render().endswith("hint: this is not UTF-8 text: save it as UTF-8")


def test_the_robots_queue_of_messages_is_known() -> None:
    text = "if(debug.msgqueue != nil) log(debug.msgqueue.total)"
    assert check_script("test.bzz", text, signatures=signatures()) == []
    assert [found.code for found in check_script("test.bzz", "log(debug.msgqueue.sum)", signatures=signatures())] == [
        "undefined-field"
    ]


def _shipped() -> list[Path]:
    return sorted(scripts_folder().rglob("*.bzz"))


@pytest.mark.parametrize("file", _shipped(), ids=lambda file: file.stem)
def test_shipped_scripts_are_without_fault(file: Path) -> None:
    from pybuzz.experiment.hook_names import host_names

    names = signatures()
    for python in file.parent.glob("*.py"):
        if "@sensor" in python.read_text():
            names = names.joined(host_names(str(python)))
    assert [found.render() for found in check_script(file, file.read_text(), signatures=names)] == []


def test_conformance_scripts_earn_warnings_only_where_they_are_about_them() -> None:
    folder = Path(__file__).parent.parent / "data" / "conformance"
    # these show what is warned about; everywhere else a warning is a false alarm
    about = {
        "builtin_name_clash", "newline_is_not_a_separator", "no_booleans", "error_in_global_part",
        "extra_arguments_ignored", "unused_parameter_may_be_missing", "nil_behaviour", "string_number_comparison",
            "int_literals", "missing_init", "missing_step",
            "dead_robot_keeps_sending_last_packet", "error_kills_one_robot_only", "var_initialiser_sees_nil",
    }  # fmt: skip
    for file in sorted(folder.rglob("*.bzz")):
        if file.parent.name in {"quirks", "errors_compile", "errors_runtime"} or file.stem in about:
            continue
        assert [found.render() for found in check_script(file)] == [], file


@given(program_texts())
@settings(max_examples=60, deadline=None)
def test_any_program_can_be_checked(text: str) -> None:
    check_script("random.bzz", text, signatures=_HOST)


def test_every_code_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "checks.md").read_text()
    documented = set(re.findall(r"^### ([a-z-]+)$", page, re.MULTILINE))
    assert documented == {code for code, _, _ in _CASES} | _ELSEWHERE


def test_every_syntax_mistake_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "checks.md").read_text()
    documented = set(re.findall(r"^\| ((?!code)[a-z][a-z-]+) \|", page, re.MULTILINE))
    assert documented == {code for code, _ in RULES} | {"character", "nested-function", "syntax", "too-deep"}
