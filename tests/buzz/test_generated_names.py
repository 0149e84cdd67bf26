"""Generated code reads no name of its own before the same statement has set it, and computes what helpers compute.

Over every operator and library function in line, for operands of every form and type, in both precisions.
"""

from itertools import product
from random import Random

import pytest
from definite_assignment import names_read_too_early
from oracle import as_oracle, shown

from pybuzz.buzz import BuzzFailure, compile_program

VALUES = {
    "i": [0, -7, 3, 2**31 - 1],
    "f": [0.5, -0.0, 16777218.0],
    "s": ["a", ""],
    "n": [None],
    "fi": [3, 0.5],
    "is": [3, "a"],
    "in": [-7, None],
    "fs": [0.5, "a"],
    "fisn": [3, 0.5, "a", None],
}
"""Values by the types that the compiler takes a name to have."""

LITERALS = {"i": "1", "f": "0.5", "s": '"a"', "n": "nil"}
CONSTANTS = ("0", "1", "3", "-3", "16777217", "0.0", "2.5", '"a"', "nil")
FORMS = ("v_{0}", "c_{0}()", "l_{0}", "p_{0}", "-c_{0}()", "+c_{0}()", "t.{0}", 't["{0}"]', "m_{0}()", "o.{0}()")
RIGHT_FORMS = ("v_{0}", "c_{0}()", "t.{0}")
OPERATORS = ("+", "-", "*", "/", "%", "^", "<<", ">>", "&", "|", "==", "!=", "<", "<=", ">", ">=", "and", "or")
BOTH = pytest.mark.parametrize("single_precision", [False, True], ids=["double", "single"])
UNARY = (
    "-{}", "!{}", "(not {})", "({} and 1)", "t[{}]", "{{.a = {}, .b = 1}}", "string.length({})", "int({})", "float({})",
    *(f"math.{name}({{}})" for name in ("sin", "cos", "tan", "sqrt", "exp", "log", "log2", "log10", "asin", "acos",
                                       "floor", "ceil", "abs", "round")),
)  # fmt: skip


def declarations():
    """Names of each type: a global, a function that gives it, fields, a closure nobody knows, and a method."""
    lines = ["t = {}", "o = {}"]
    for types in VALUES:
        lines += [f"v_{types} = {LITERALS[letter]}" for letter in types]
        lines += [
            f"function c_{types}() {{ return v_{types} }}",
            f"m_{types} = function() {{ return v_{types} }}",
            f"o.{types} = function() {{ return v_{types} }}",
        ]
    return lines


def program_of(expressions, single_precision):
    """A function for each expression, named by its number, in which l_i is a local and p_i a parameter."""
    lines = declarations()
    for number, (types, expression) in enumerate(expressions):
        lines.append(f"function e{number}(p_{types}) {{ var l_{types} = v_{types}")
        lines.append(f"x = {expression} return x }}")
        lines.append(f"function d{number}() {{ return e{number}(v_{types}) }}")
    return compile_program("script.bzz", "\n".join(lines), single_precision=single_precision)


def outcomes(program, count):
    """What each function gives or fails with, once for each value of the types."""
    machine = program.new_machine(1, log=lambda values: None)
    machine.run_global_part()
    functions = [machine.get_global(f"d{number}") for number in range(count)]
    found = []
    for turn in range(max(map(len, VALUES.values()))):
        for types, values in VALUES.items():
            value = values[turn % len(values)]
            machine.set_global(f"v_{types}", value)
            machine.get_global("t")[types] = value
        # In one call from the host: an error that the machine puts into words takes a hundred times as long.
        machine.call(lambda: found.extend(map(outcome, functions)))
    return found


def outcome(function):
    try:
        return shown(function())
    except BuzzFailure as failure:
        return failure.kind
    except TypeError:
        return "type mismatch"


def check(expressions, single_precision):
    program = program_of(expressions, single_precision)
    early = names_read_too_early(program, program.facts)
    assert not early
    expected = outcomes(as_oracle(program), len(expressions))
    found = outcomes(program, len(expressions))
    wrong = [
        (expressions[number % len(expressions)], one, other)
        for number, (one, other) in enumerate(zip(found, expected, strict=True))
        if one != other
    ]
    assert not wrong, wrong[:5]


def binary_operations(operator):
    """Every pair of operands, each with the types of the left one."""
    brackets = operator in ("and", "or", "==", "!=", "<", "<=", ">", ">=")
    rights = [*CONSTANTS, *(form.format(types) for form, types in product(RIGHT_FORMS, VALUES))]
    for types, form, right in product(VALUES, FORMS, rights):
        written = f"{form.format(types)} {operator} {right}"
        yield types, f"({written})" if brackets else written


def prefixed_operations():
    """Everything with one operand, and constants on the left."""
    for types, form in product(VALUES, FORMS):
        operand = form.format(types)
        for written in UNARY:
            yield types, written.format(operand)
        for constant, operator in product(CONSTANTS, OPERATORS):
            yield types, f"({constant} {operator} ({operand}))"
        for other in ("v_fi", "c_f()", "0.5"):
            yield types, f"math.atan({operand}, {other})"


def some(expressions, number, seed):
    """Calls with a constant on the right, and some of the rest."""
    found = list(expressions)
    first = [(types, text) for types, text in found if text.startswith("c_") and text.endswith((" 3", " 2.5"))]
    return [*first, *Random(seed).sample(found, number)]


@BOTH
@pytest.mark.parametrize("operator", OPERATORS)
def test_an_operator_reads_its_operands_from_where_it_has_put_them(operator, single_precision):
    check(some(binary_operations(operator), 30, operator), single_precision)


@BOTH
def test_what_has_one_operand_reads_it_from_where_it_has_put_it(single_precision):
    check(some(prefixed_operations(), 200, "prefixed"), single_precision)


def test_a_quotient_by_a_constant_of_what_a_function_gives_is_computed_from_that():
    text = """
        function level(n) { if(n > 0) { return 40 } return "none" }
        function quotient(x) { var a = math.sqrt(x) * 2.0 return level(1) / 10 }
        x = quotient(9.0)
    """
    machine = compile_program("script.bzz", text, single_precision=True).new_machine(1, log=print)
    machine.run_global_part()
    assert machine.get_global("x") == 4


@pytest.mark.long
@BOTH
@pytest.mark.parametrize("operator", OPERATORS)
def test_an_operator_reads_each_of_all_its_operands_from_where_it_has_put_them(operator, single_precision):
    check(list(binary_operations(operator)), single_precision)


@pytest.mark.long
@BOTH
def test_all_that_has_one_operand_reads_it_from_where_it_has_put_it(single_precision):
    check(list(prefixed_operations()), single_precision)
