"""A type mismatch names both types of its operands, wherever these come from."""

from __future__ import annotations

from itertools import product

import pytest

from pybuzz.buzz import compile_program
from pybuzz.buzz.operators import with_article
from pybuzz.errors import ScriptError

VALUES = {"nil": "nil", "integer": "7", "float": "2.5", "string": '"s"', "table": "{}", "closure": "function() { }"}
FORMS = {
    "a constant in parentheses": ("({value})", "({value})"),
    "a global and a call": ("global_{kind}", "call_{kind}()"),
    "calls that may give two types": ("either_{kind}(1)", "either_{kind}(1)"),
    "entries": ('table[key("{kind}")]', 'table[key("{kind}")]'),
}
SETTING = "function key(text) { return text }\ntable = {}\n" + "".join(
    f"global_{kind} = {value}\n"
    f'table["{kind}"] = {value}\n'
    f"function call_{kind}() {{ return {value} }}\n"
    f"function either_{kind}(x) {{ if(x > 0) return {value}\n return 1 }}\n"
    for kind, value in VALUES.items()
)
PAIRS = [pair for pair in product(VALUES, VALUES) if set(pair) - {"integer", "float"}]


def _expected(operator: str, left: str, right: str) -> str:
    if operator != "|":
        return f"{with_article(left)} {operator} {with_article(right)}"
    return f"expected integer, got {left if left != 'integer' else right}"


@pytest.mark.parametrize("single_precision", [False, True])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("operator", ["+", "*", "%", "|"])
def test_a_type_mismatch_names_both_types(operator: str, form: str, single_precision: bool) -> None:
    first, second = FORMS[form]
    script = SETTING + "".join(
        f"function f{number}() {{ return {first.format(kind=left, value=VALUES[left])} {operator} "
        f"{second.format(kind=right, value=VALUES[right])} }}\n"
        for number, (left, right) in enumerate(PAIRS)
    )
    machine = compile_program("script.bzz", script, single_precision=single_precision).new_machine(1, log=print)
    machine.run_global_part()
    for number, (left, right) in enumerate(PAIRS):
        with pytest.raises(ScriptError) as caught:
            machine.call_named(f"f{number}")
        told = caught.value.diagnostics[0]
        assert (told.kind, told.text.partition(";")[0]) == ("type mismatch", _expected(operator, left, right))
