"""Inline operators against the operators' plain meaning, for every operator and pair of kinds of values."""

import math

import pytest

from pybuzz.buzz import BuzzFailure, Table, Userdata, compile_program, host_function
from pybuzz.buzz.operators import DOUBLE, SINGLE

NUMBERS = {
    "0": 0, "1": 1, "-1": -1, "7": 7, "-7": -7, "3": 3, "31": 31, "1073741824": 2**30, "16777217": 2**24 + 1,
    "2147483647": 2**31 - 1, "-2147483648": -(2**31), "0.0": 0.0, "-0.0": -0.0, "1.5": 1.5, "-7.5": -7.5, "2.0": 2.0,
    "0.1": 0.1, "340000000000000000000000000000000000000.0": 3.4e38,
}  # fmt: skip
STRINGS = {'""': "", '"a"': "a", '"5"': "5", '"1.500000"': "1.500000", '"%d"': "%d"}
CONSTANTS = {**NUMBERS, **STRINGS, "nil": None}
OTHERS = [math.nan, math.inf, -math.inf, 1e-40, 1e300, Table(), host_function("f", 0, lambda: None), Userdata(0)]
VALUES = [*CONSTANTS.values(), *OTHERS]
MEANING = {
    "+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "modulo", "^": "power", "&": "bit_and",
    "|": "bit_or", "<<": "shift_left", ">>": "shift_right", "==": "equal", "!=": "different", "<": "less",
    "<=": "less_or_equal", ">": "greater", ">=": "greater_or_equal", "and": "logic_and", "or": "logic_or",
}  # fmt: skip
PRECISIONS = pytest.mark.parametrize("single_precision", [False, True], ids=["double", "single"])


def outcome(call, *arguments):
    """The result with its type, as text that tells nan, -0.0 and 0 apart; or the kind of failure."""
    try:
        result = call(*arguments)
    except BuzzFailure as failure:
        return failure.kind
    except TypeError:
        # What the machine would tell as a type mismatch; telling it at length takes time.
        return "type mismatch"
    return "nan" if result != result else f"{type(result).__name__} {result!r}"


def narrowed(value, operators):
    return operators.narrow(value) if isinstance(value, float) else value


def machine_of(text, single_precision):
    machine = compile_program("script.bzz", text, single_precision=single_precision).new_machine(1, log=print)
    machine.run_global_part()
    return machine


@PRECISIONS
@pytest.mark.parametrize("operator", MEANING)
def test_operator_on_values_of_any_type(operator, single_precision):
    operators = SINGLE if single_precision else DOUBLE
    machine = machine_of(f"f = function(a, b) {{ return a {operator} b }}", single_precision)
    written = machine.get_global("f")
    for a in VALUES:
        for b in VALUES:
            a, b = narrowed(a, operators), narrowed(b, operators)
            expected = outcome(getattr(operators, MEANING[operator]), a, b)
            assert outcome(written, a, b) == expected, (a, operator, b)


@PRECISIONS
@pytest.mark.parametrize("operator", MEANING)
def test_operator_with_a_constant_on_either_side(operator, single_precision):
    operators = SINGLE if single_precision else DOUBLE
    names = list(CONSTANTS)
    right = [f".{number} = function(a) {{ return a {operator} {name} }}" for number, name in enumerate(names)]
    left = [f".{number} = function(a) {{ return {name} {operator} a }}" for number, name in enumerate(names)]
    machine = machine_of(f"right = {{{', '.join(right)}}} left = {{{', '.join(left)}}}", single_precision)
    meaning = getattr(operators, MEANING[operator])
    for number, name in enumerate(names):
        constant = narrowed(CONSTANTS[name], operators)
        for a in VALUES:
            a = narrowed(a, operators)
            on_right, on_left = machine.get_global("right")[number], machine.get_global("left")[number]
            assert outcome(on_right, a) == outcome(meaning, a, constant), (a, operator, name)
            assert outcome(on_left, a) == outcome(meaning, constant, a), (name, operator, a)


@PRECISIONS
@pytest.mark.parametrize("operator", [name for name in MEANING if name not in ("and", "or")])
def test_operator_on_numbers_of_known_type(operator, single_precision):
    operators = SINGLE if single_precision else DOUBLE
    meaning = getattr(operators, MEANING[operator])
    for kind in (int, float):
        for other in (int, float):
            one = next(name for name, value in NUMBERS.items() if type(value) is kind)
            two = next(name for name, value in NUMBERS.items() if type(value) is other)
            machine = machine_of(f"a = {one} b = {two} f = function() {{ return a {operator} b }}", single_precision)
            written = machine.get_global("f")
            for a in (value for value in VALUES if type(value) is kind):
                for b in (value for value in VALUES if type(value) is other):
                    a, b = narrowed(a, operators), narrowed(b, operators)
                    machine.set_global("a", a)
                    machine.set_global("b", b)
                    assert outcome(written) == outcome(meaning, a, b), (a, operator, b)


@PRECISIONS
@pytest.mark.parametrize("operator", [name for name in MEANING if name not in ("and", "or")])
@pytest.mark.parametrize("one", ["1", "1.5"])
@pytest.mark.parametrize("two", ["7", "-7.5"])
def test_operator_on_numbers_that_may_be_nil(operator, one, two, single_precision):
    operators = SINGLE if single_precision else DOUBLE
    later = f"function later() {{ a = {one} b = {two} }}"
    machine = machine_of(f"f = function() {{ return a {operator} b }} {later}", single_precision)
    written = machine.get_global("f")
    for a in (None, NUMBERS[one]):
        for b in (None, NUMBERS[two]):
            machine.set_global("a", a)
            machine.set_global("b", b)
            assert outcome(written) == outcome(getattr(operators, MEANING[operator]), a, b), (a, operator, b)


def test_a_global_counter_is_not_asked_for_its_class():
    source = compile_program("script.bzz", "function init() { n = 0 } function step() { n = n + 1 }").python_source(
        "step"
    )
    assert "__class__" not in source


@PRECISIONS
@pytest.mark.parametrize(("operator", "meaning"), [("-", "negate"), ("!", "complement"), ("not ", "logic_not")])
def test_prefix_operator(operator, meaning, single_precision):
    operators = SINGLE if single_precision else DOUBLE
    machine = machine_of(f"f = function(a) {{ return ({operator}a) }}", single_precision)
    for a in VALUES:
        expected = outcome(getattr(operators, meaning), a)
        assert outcome(machine.get_global("f"), a) == expected, a


@PRECISIONS
def test_conditions_take_nil_and_the_integer_zero_for_false(single_precision):
    machine = machine_of("f = function(a) { if(a) { return 1 } else { return 0 } }", single_precision)
    for a in VALUES:
        expected = 0 if a is None or (type(a) is int and a == 0) else 1
        assert machine.call(machine.get_global("f"), a) == expected, a
