"""Ten broken scripts as a newcomer writes them: the whole of what `check` says, and what happens when they are run.

Each can be mended from these messages alone.
"""

from __future__ import annotations

from textwrap import dedent

import pytest

_NOT_STARTED = "(not run: it does not compile)"


def _case(name: str, script: str, checked: str, run: str = _NOT_STARTED) -> object:
    return pytest.param(dedent(script).lstrip("\n"), dedent(checked).lstrip("\n"), dedent(run).lstrip("\n"), id=name)


@pytest.mark.parametrize(("script", "checked", "run"), [
    _case("misspelt_names", """
        function init() {
          setled(255, 0, 0)
        }
        function step() {
          neighbours.foreach(function(rid, data) { log(rid, data.distance) })
        }
        """, """
        mine.bzz:2:3: warning: nothing sets the global 'setled': it is nil [undefined-global]
              setled(255, 0, 0)
              ^^^^^^
          hint: did you mean 'set_leds'?
        mine.bzz:5:3: warning: nothing sets the global 'neighbours': it is nil [undefined-global]
              neighbours.foreach(function(rid, data) { log(rid, data.distance) })
              ^^^^^^^^^^
          hint: did you mean 'neighbors'?
        1 file checked: 0 errors, 2 warnings
        """, """
        mine.bzz:2:3: runtime error: type mismatch: expected closure, got nil; `setled` is nil here
              setled(255, 0, 0)
              ^^^^^^^^^^^^^^^^^
        """),
    _case("one_equals_sign", """
        state = 0
        function init() { }
        function step() {
          if (state = 1) {
            log("one")
          } else if (state = 2) {
            log("two")
          }
        }
        """, """
        mine.bzz:4:13: compile error: syntax error: expected ), found =
              if (state = 1) {
                        ^
          hint: assignment inside a condition: write == to compare
        mine.bzz:6:20: compile error: syntax error: expected ), found =
              } else if (state = 2) {
                               ^
          hint: assignment inside a condition: write == to compare
        1 file checked: 2 errors, 0 warnings
        """),
    _case("missing_brace", """
        function init() {
          count = 0

        function step() {
          count = count + 1
        }
        """, """
        mine.bzz:7:1: compile error: syntax error: expected }, found end of file
          hint: the { of line 1, column 17, is not closed
        1 file checked: 1 error, 0 warnings
        """),
    _case("booleans_and_keywords_of_other_languages", """
        function init() {
          done = false
        }
        function step() {
          While (done == false) { done = true }
          while (1) { break }
        }
        """, """
        mine.bzz:5:25: compile error: syntax error: expected identifier, found {
              While (done == false) { done = true }
                                    ^
          hint: keywords are written in small letters: while, not While
        mine.bzz:6:21: compile error: syntax error: expected function call or assignment
              while (1) { break }
                                ^
          hint: Buzz has no break: let the loop's condition end it, or leave the function with return
        1 file checked: 2 errors, 0 warnings
        """),
    _case("else_if_in_one_word", """
        function init() { }
        function step() {
          var near = proximity[0].value
          if (near > 0.8) {
            log("near")
          } elif (near > 0.4) {
            log("mid")
          }
        }
        """, """
        mine.bzz:6:23: compile error: syntax error: expected identifier, found {
              } elif (near > 0.4) {
                                  ^
          hint: write else if(condition)
        1 file checked: 1 error, 0 warnings
        """),
    _case("string_plus_number", """
        function init() { }
        function step() {
          log("count: " + 5)
        }
        """, """
        mine.bzz:3:7: error: the left side of + is a string, not a number [operand-kind]
              log("count: " + 5)
                  ^^^^^^^^^^^^^
          hint: strings are joined with string.concat(a, b), and log(a, b) logs several values
        1 file checked: 1 error, 0 warnings
        """, """
        mine.bzz:3:7: runtime error: type mismatch: a string + an integer
              log("count: " + 5)
                  ^^^^^^^^^^^^^
          hint: strings are joined with string.concat(a, b), and log(a, b) logs several values
        """),
    _case("nobody_there", """
        function step() {
          log(neighbors.get(3).distance)
        }
        function Init() { }
        """, """
        mine.bzz:4:10: warning: there is no function init(), which a robot calls at the start [missing-function]
            function Init() { }
                     ^^^^
          hint: rename 'Init' to 'init'
        1 file checked: 0 errors, 1 warning
        """, """
        mine.bzz:1:1: runtime error: type mismatch: cannot find function 'init()'
          hint: rename 'Init' to 'init'
        """),
    _case("wrong_arity_and_never_set", """
        function drive(left, right) {
          set_wheels(left, right)
        }
        function init() { }
        function step() {
          ticks = ticks + 1
          drive(5.0)
          gotop(3.0)
        }
        """, """
        mine.bzz:6:11: warning: nothing sets the global 'ticks' before it is computed with: it is nil [undefined-global]
              ticks = ticks + 1
                      ^^^^^
          hint: set it first: ticks = 0, outside functions or in init()
        mine.bzz:7:3: warning: drive() reads its parameter 'right', which is not given here [missing-argument]
              drive(5.0)
              ^^^^^^^^^^
        mine.bzz:8:3: error: gotop() takes 2 arguments, not 1 [argument-count]
              gotop(3.0)
              ^^^^^^^^^^
        1 file checked: 1 error, 2 warnings
        """, """
        mine.bzz:6:11: runtime error: type mismatch: nil + an integer; `ticks` is nil here
              ticks = ticks + 1
                      ^^^^^^^^^
        """),
    _case("numbers_of_other_languages", """
        RANGE = 1e5
        GAIN = .5
        MASK = 0xFF
        function init() { list = [1, 2] }
        function step() { }
        """, """
        mine.bzz:2:1: compile error: syntax error: expected function call or assignment
            GAIN = .5
            ^^^^
          hint: Buzz has no exponents: write 1e5 on line 1 out, as in 100000.0 or 0.001
        mine.bzz:2:8: compile error: syntax error: expected identifier, found .
            GAIN = .5
                   ^
          hint: a number begins with a digit: write 0.5
        mine.bzz:4:1: compile error: syntax error: expected function call or assignment
            function init() { list = [1, 2] }
            ^^^^^^^^
          hint: Buzz has no hexadecimal numbers: write 0xFF on line 3 in decimal
        mine.bzz:4:26: compile error: syntax error: expected identifier, found [
            function init() { list = [1, 2] }
                                     ^
          hint: a list is a table with numbers as keys: {.0 = a, .1 = b}, and { } for an empty one
        1 file checked: 4 errors, 0 warnings
        """),
    _case("as_in_c", """
        function init() { }
        function step() {
          for (i = 0; i < 8; i++) {
            if (proximity[i].value > 0.5 && !blocked) {
              blocked = 1;
            }
          }
        }
        """, """
        mine.bzz:3:15: compile error: syntax error: expected ,, found identifier
              for (i = 0; i < 8; i++) {
                          ^
          hint: the parts of for are separated by commas: for(i = 0, i < 10, i = i + 1)
        mine.bzz:4:35: compile error: syntax error: expected identifier, found bitwise and/or
                if (proximity[i].value > 0.5 && !blocked) {
                                              ^
          hint: write and
        1 file checked: 2 errors, 0 warnings
        """),
])  # fmt: skip
def test_a_newcomer_can_mend_the_script_from_the_messages(pybuzz, write, script, checked, run) -> None:
    write("mine.bzz", script)
    result = pybuzz("check", "mine.bzz")
    assert result.err == checked
    assert result.code == (0 if " 0 errors" in checked else 1)
    result = pybuzz("exec", "--steps", "2", "mine.bzz")
    if run == _NOT_STARTED:
        assert (result.code, result.err) == (2, checked[: checked.rindex("1 file checked")])
    else:
        assert (result.code, result.err) == (1, run)
