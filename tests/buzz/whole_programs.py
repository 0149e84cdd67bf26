"""Random programs that use everything the language has: each statement, operator, form of a name, built-in.

    whole_program(seed) -> text

One statement a line, so that a program that shows a fault gets smaller by leaving lines out. Most of them run to the
end; some give a function too little, or something of a wrong type.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from program_parts import FILES, MESSAGES, PRELUDE, STANDARD_FILES, WORDS

_FIELDS = ("x", "y", "zeta", "alpha", "count", "delta")
_INTEGERS = ("0", "1", "2", "3", "7", "-1", "-3", "10", "1000003", "2147483647", "007", "4294967295")
_FLOATS = ("0.5", "-1.5", "2.0", "1000000.25", "0.1", "1.", "0.0", "-0.0", "3.14159")
_EXACT_FLOATS = ("0.5", "-1.5", "2.0", "1000000.25", "1.", "0.0", "-0.0", "16.75")
_STRINGS = ('"a"', "'b'", '"it\'s"', "'say \"x\"'", '"12abc"', '"3.9"', '""', '"a\\tb\\\\"', '"%d # ;"', '"5"')
_KEYS = ("0", "1", "3", "-2", "2.0", "0.5", '"x"', '"k1"', "'alpha'")
_ARITHMETIC = ("+", "-", "*", "+", "-", "*", "/", "%", "^")
_BITS = ("&", "|", "<<", ">>")
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_MATHEMATICS = (
    "abs",
    "floor",
    "ceil",
    "round",
    "sqrt",
    "sin",
    "cos",
    "tan",
    "exp",
    "log",
    "log2",
    "log10",
    "asin",
    "acos",
)
_TESTS = ("isnil", "isint", "isfloat", "isstring", "istable", "isclosure", "isuserdata")
_ODD_NAMES = ("None", "True", "class", "lambda", "print", "If")


EXACT = 1
"""The remainder modulo 6 of the numbers of programs whose floats single precision has, too."""


def whole_program(seed: int) -> str:
    """The text of the program with this number."""
    return "\n".join(_Program(Random(seed), _EXACT_FLOATS if seed % 6 == EXACT else _FLOATS).lines()) + "\n"


class _Program:
    def __init__(self, random: Random, constants: Sequence[str]) -> None:
        self._random = random
        self._constants = constants
        """Floats to write."""
        self._integers = ["ia", "ib"]
        self._floats = ["fa", "fb"]
        self._strings = ["sa", "sb"]
        self._values = ["ga", "gb", *random.sample(_ODD_NAMES, 2)]
        self._assignable = [*self._integers, *self._floats, *self._strings, *self._values]
        self._functions: list[tuple[str, int]] = []
        self._wild = random.choice((0.0, 0.0, 0.005, 0.03))
        self._later = random.sample(("ia", "ib", "fa", "fb"), random.randint(1, 2))
        """Names that a function that is never called gives something else."""
        self._inside = 0
        self._in_function = False
        self._count = 0

    # The whole

    def lines(self) -> list[str]:
        pick = self._random
        first = [f'include "{name}"' for name in STANDARD_FILES if pick.random() < 0.15]
        first += PRELUDE
        later = [f"{name} = {pick.choice(('nil', '1.5', '2', 'sa', '{}'))}" for name in self._later]
        first += ["given = function(v) { return v }", "function later() {", *later, "}"]
        for names, constants in (
            (self._integers, _INTEGERS),
            (self._floats, self._constants),
            (self._strings, _STRINGS),
        ):
            first += [f"{name} = {pick.choice(constants)}" for name in names]
        first += [f"{name} = {self._literal()}" for name in self._values if pick.random() < 0.8]
        definitions = [line for _ in range(pick.randint(0, 3)) for line in self._definition()]
        body = self._statements(4)
        init = ["function init() {", *self._body([], 3), "}"]
        step = ["function step() {", *self._body([], 6), *self._chosen(MESSAGES, 0.4), "}"]
        last = ["function reset() { }", *self._definition()] if pick.random() < 0.2 else []
        ending = ['foreach(t, function(k, v) { log(k, " ", v) })', 'log(o.v, " ", size(t), " ", size(a))']
        before, after = (definitions, []) if pick.random() < 0.5 else ([], definitions)
        return [*first, *before, *body, *self._chosen(FILES, 0.2), *init, *step, *after, *ending, *last]

    def _chosen(self, groups: tuple[str, ...], chance: float) -> list[str]:
        """Some of these groups of lines."""
        pick = self._random
        found = pick.sample(groups, pick.randint(1, 3)) if pick.random() < chance else []
        return [line.strip() for group in found for line in group.strip().splitlines()]

    def _definition(self) -> list[str]:
        name, count = self._new("f"), self._random.randint(0, 3)
        parameters = [f"{name}p{number}" for number in range(count)]
        docstring = self._random.choice(("", "", ' "what it does" '))
        lines = [f"function {name}({', '.join(parameters)}){docstring} {{", *self._body(parameters, 4)]
        lines += [f"return {self._condition()}" if self._random.random() < 0.3 else f"return {self._value()}", "}"]
        self._functions.append((name, count))
        return lines

    def _body(self, parameters: list[str], most: int) -> list[str]:
        """What a function does, with some locals of its own."""
        before = self._values, self._assignable, self._integers, self._floats, self._in_function
        self._in_function = True
        self._values, self._assignable = [*self._values, *parameters], [*self._assignable, *parameters]
        lines = []
        for _ in range(self._random.randint(0, 2)):
            name, kind = self._new("l"), self._random.randint(0, 3)
            if kind == 0:
                lines.append(f"var {name} = {self._integer()}")
                self._integers = [*self._integers, name]
            elif kind == 1:
                lines.append(f"var {name} = {self._float()}")
                self._floats = [*self._floats, name]
            else:
                lines.append(f"var {name}" if kind == 2 else f"var {name} = {self._value()}")
                self._values = [*self._values, name]
            self._assignable = [*self._assignable, name]
        lines += self._statements(most)
        self._values, self._assignable, self._integers, self._floats, self._in_function = before
        return lines

    def _new(self, letter: str) -> str:
        self._count += 1
        return f"{letter}{self._count}"

    # Statements

    def _statements(self, most: int) -> list[str]:
        return [line for _ in range(self._random.randint(1, most)) for line in self._statement()]

    def _statement(self) -> list[str]:
        choices: list[Callable[[], list[str]]] = [
            *(self._assignment, self._assignment, self._store, self._store, self._call),
            *(self._log, self._words, self._walk),
        ]  # fmt: skip
        if self._inside < 2:
            choices += [self._if, self._while, self._for, self._closure, self._method, self._walk, self._return]
        return self._random.choice(choices)()

    def _block(self, names: list[str] | None = None) -> list[str]:
        """Statements in braces, as lines."""
        before = self._values
        self._values = [*self._values, *(names or [])]
        self._inside += 1
        lines = self._statements(3)
        self._inside -= 1
        self._values = before
        return lines

    def _simple(self) -> str:
        found = self._random.choice((self._assignment, self._store, self._log))()
        return found[0] if len(found) == 1 else "log(ia)"

    def _assignment(self) -> list[str]:
        name = self._random.choice(self._assignable)
        if self._random.random() < 0.02 + self._wild:
            return [f"{name} = {self._value()}"]
        if name in self._integers:
            return [f"{name} = {self._integer()}"]
        if name in self._floats:
            return [f"{name} = {self._float()}"]
        return [f"{name} = {self._string() if name in self._strings else self._value()}"]

    def _store(self) -> list[str]:
        value = self._random.choice((self._value, self._number, lambda: "nil", self._table))()
        return [f"{self._place()} = {value}"]

    def _place(self) -> str:
        """A field or an entry that can be stored to."""
        roll = self._random.random()
        if roll < 0.4:
            return f"{self._random.choice(('t', 't', 'n.p', 'o'))}.{self._random.choice(_FIELDS)}"
        if roll < 0.6:
            return f"{self._random.choice(('t', 'a'))}[{self._random.choice(_KEYS)}]"
        if roll < 0.8:
            return f"a[{self._integer()} % 7]"
        return f'n["p"][string.concat("k", string.tostring({self._integer()} & 3))]'

    def _call(self) -> list[str]:
        return [self._calling()]

    def _calling(self) -> str:
        pick = self._random
        choices = [
            f"o.add({self._number()})",
            f"down({pick.randint(0, 5)}, {self._number()})",
            f"pick({self._value()}, 3)",
        ]
        if self._functions:
            name, count = pick.choice(self._functions)
            if pick.random() < self._wild:
                count -= 1
            count += pick.random() < 0.1
            choices += [f"{name}({', '.join(self._argument() for _ in range(count))})"] * 3
        return pick.choice(choices)

    def _argument(self) -> str:
        return self._condition() if self._random.random() < 0.15 else self._value()

    def _log(self) -> list[str]:
        return [f'log({self._value()}, " ", {self._condition()})']

    def _words(self) -> list[str]:
        """Lines about one part of the library."""
        return [line.strip() for line in self._random.choice(WORDS).strip().splitlines()]

    def _if(self) -> list[str]:
        pick = self._random
        if pick.random() < 0.2:
            return [
                f"if({self._condition()}) {self._simple()}",
                *([f"else {self._simple()}"] if pick.random() < 0.5 else []),
            ]
        lines = [f"if({self._condition()}) {{", *self._block()]
        for _ in range(pick.choice((0, 0, 1, 2))):
            lines += [f"}} else if({self._condition()}) {{", *self._block()]
        if pick.random() < 0.5:
            lines += ["} else {", *self._block()]
        return [*lines, "}"]

    def _while(self) -> list[str]:
        name = self._new("w")
        first = f"var {name} = 0" if self._in_function and not self._inside else f"{name} = 0"
        step = f"{name} = {name} + {self._random.choice(('1', '1', '2', '0.5'))}"
        body = [step, *self._block([name])] if self._random.random() < 0.5 else [*self._block([name]), step]
        test = self._random.choice((f"{name} < 3", f"not ({name} >= 2)", f"{name} < 3 and ({self._condition()})"))
        return [first, f"while({test}) {{", *body, "}"]

    def _for(self) -> list[str]:
        name, most = self._new("i"), self._random.randint(1, 4)
        head = f"for({name} = 0, {name} < {most}, {name} = {name} + 1)"
        first = [f"var {name}"] if self._in_function and not self._inside and self._random.random() < 0.5 else []
        if self._random.random() < 0.2:
            return [*first, f"{head} {self._simple()}"]
        return [*first, f"{head} {{", *self._block([name]), "}"]

    def _walk(self) -> list[str]:
        key, value = self._new("k"), self._new("v")
        table = self._random.choice(("t", "a", "n", "n.p", "clone(t)", self._mapped()))
        if self._inside >= 2:
            return [f'foreach({table}, function({key}, {value}) {{ log({key}, " ", {value}) }})']
        self._inside += 1
        lines = [f"foreach({table}, function({key}, {value}) {{", *self._body([key, value], 3), "})"]
        self._inside -= 1
        return lines

    def _mapped(self) -> str:
        pick = self._random
        given = pick.choice(("pick(v, k)", "number(v) > 1", "v", "k"))
        return f"{pick.choice(('map', 'filter'))}({pick.choice(('t', 'a'))}, function(k, v) {{ return {given} }})"

    def _closure(self) -> list[str]:
        name, given = self._new("c"), self._new("p")
        self._inside += 1
        lines = [f"{name} = function({given}) {{", *self._body([given], 3)]
        self._inside -= 1
        if self._random.random() < 0.3:
            inner = self._new("q")
            lines += [f"return function({inner}) {{ return pick({inner}, {given}) }}", "}"]
            return [*lines, f"{self._random.choice(self._assignable[6:])} = {name}({self._value()})({self._value()})"]
        lines += [f"return {self._value()}", "}"]
        return [*lines, f"{self._random.choice(self._assignable[6:])} = {name}({self._value()})"]

    def _method(self) -> list[str]:
        name, given = self._new("m"), self._new("p")
        self._inside += 1
        lines = [f"o.{name} = function({given}) {{", *self._body([given], 2)]
        self._inside -= 1
        lines += [f"self.v = number(self.v) + number({given})", "return self", "}", f"log(o.{name}({self._value()}).v)"]
        if self._random.random() < 0.4:
            lines += [f"t.{name} = o.{name}", f"t.{name}(2)", "log(t.v)", f"t.{name} = nil"]
        return lines

    def _return(self) -> list[str]:
        if not self._in_function:
            return self._log()
        return [
            f"if({self._condition()}) {{",
            f"return {self._value()}" if self._random.random() < 0.6 else "return",
            "}",
        ]

    # Expressions

    def _literal(self) -> str:
        return self._random.choice((*_INTEGERS, *self._constants, *_STRINGS, "nil", "{}"))

    def _table(self) -> str:
        names = [*self._random.sample(_FIELDS, self._random.randint(0, 3)), *self._random.sample(("1", "4", "2.5"), 1)]
        entries = [f".{name} = {self._value(1)}" for name in names]
        if self._random.random() < 0.2:
            entries.append(f".call = function(w) {{ return {self._random.choice(('self', 'w', 'pick(w, 1)'))} }}")
        return "{" + ", ".join(entries) + "}"

    def _value(self, depth: int = 2) -> str:
        """Of any type."""
        roll, pick = self._random.random(), self._random
        if roll < 0.45:
            return self._number(depth)
        if roll < 0.6:
            return self._string(depth)
        if roll < 0.8:
            return pick.choice((*self._values, f"t.{pick.choice(_FIELDS)}", f"a[{pick.choice(_KEYS)}]", "n.p.x", "nil"))
        if roll < 0.87 and depth:
            return self._calling()
        if roll < 0.9:
            return f"({self._condition(depth - 1)})" if depth > 0 else "1"
        if roll < 0.93 and depth:
            return pick.choice(
                (
                    "clone(t)",
                    "neighbors.count()",
                    "o",
                    "step",
                    "math.pi",
                    "+sa",
                    "reduce(t, function(k, v, s) { return number(v) + s }, 0)",
                )
            )
        return self._table() if depth else self._literal()

    def _number(self, depth: int = 2) -> str:
        choices = (self._integer, self._float, self._mixed)
        return self._random.choice(choices)(depth)

    def _mixed(self, depth: int = 2) -> str:
        """A number of either type, found out at run time."""
        pick = self._random
        if depth <= 0 or pick.random() < 0.4:
            if pick.random() < self._wild:
                return pick.choice(self._values)
            if pick.random() < 0.4:
                return pick.choice(
                    ("o.v", "either(ia)", "either(fa)", "either(id)", "given(ib)", "given(fb)", *self._later)
                )
            return f"number({pick.choice((*self._values, f't.{pick.choice(_FIELDS)}', f'a[{pick.randint(0, 6)}]'))})"
        if pick.random() < 0.15:
            return f"math.{pick.choice(('min', 'max'))}({self._number(depth - 1)}, {self._number(depth - 1)})"
        if pick.random() < 0.15:
            return "-" + pick.choice(("level(1)", "number(ga)", "ia", "fa", "o.v ^ 2", "(1 - ia)"))
        if pick.random() < 0.1:
            return f"number({self._calling()})"
        return self._operated(self._number, self._number, depth)

    def _operated(self, left: Callable[[int], str], right: Callable[[int], str], depth: int) -> str:
        pick = self._random
        operator = pick.choice(_ARITHMETIC)
        divisor = pick.choice(("3", "2.5", "7", "-2", "ia", "fa", "10"))
        second = (
            divisor
            if operator in "/%"
            else pick.choice(("2", "0.5", "3", "-1"))
            if operator == "^"
            else right(depth - 1)
        )
        text = f"{left(depth - 1)} {operator} {second}"
        return f"({text})" if pick.random() < 0.7 else text if operator in "+-" and pick.random() < 0.5 else f"({text})"

    def _integer(self, depth: int = 2) -> str:
        pick = self._random
        if depth <= 0 or pick.random() < 0.35:
            return pick.choice(
                (*self._integers, *self._integers, *_INTEGERS, "id", "size(t)", "size(a)", "level(2)", "level(id)")
            )
        roll = pick.random()
        if roll < 0.25:
            return f"({self._integer(depth - 1)} {pick.choice(_BITS)} {self._integer(depth - 1)})"
        if roll < 0.35:
            return f"!{pick.choice(self._integers)}"
        if roll < 0.6:
            operator = pick.choice(("+", "-", "*", "/", "%"))
            right = pick.choice(("2", "3", "7")) if operator in "/%" else self._integer(depth - 1)
            return f"({self._integer(depth - 1)} {operator} {right})"
        if roll < 0.8:
            function = pick.choice(("int", "math.floor", "math.ceil", "math.round"))
            return f"{function}({self._float(depth - 1)})"
        return f"string.length({self._string(depth - 1)})"

    def _float(self, depth: int = 2) -> str:
        pick = self._random
        if depth <= 0 or pick.random() < 0.35:
            read = f"ring[{pick.choice(self._integers)} & 1].{pick.choice(('value', 'angle'))}"
            return pick.choice(
                (
                    *self._floats,
                    *self._floats,
                    *self._constants,
                    "math.pi",
                    "place.at.x",
                    "place.yaw",
                    "half(1)",
                    "half(id)",
                    read,
                )
            )
        roll = pick.random()
        if roll < 0.3:
            return f"math.{pick.choice(_MATHEMATICS)}({self._float(depth - 1)})"
        if roll < 0.4:
            return f"math.atan({self._number(depth - 1)}, {self._number(depth - 1)})"
        if roll < 0.5:
            return f"float({self._integer(depth - 1)})"
        if roll < 0.6:
            return f"math.abs({self._float(depth - 1)})"
        return self._operated(self._float, pick.choice((self._float, self._number)), depth)

    def _string(self, depth: int = 2) -> str:
        pick = self._random
        if depth <= 0 or pick.random() < 0.5:
            return pick.choice((*self._strings, *_STRINGS))
        return pick.choice((
            f"string.concat({self._string(depth - 1)}, {self._string(0)})",
            f"string.concat({self._string(0)}, 'x', {self._string(0)})",
            f"string.tostring({self._number(depth - 1)})",
            f"type({pick.choice(self._values)})",
        ))  # fmt: skip

    def _condition(self, depth: int = 1) -> str:
        pick, roll = self._random, self._random.random()
        if roll < 0.5:
            side = pick.choice((self._number, self._number, self._string, self._value))
            return f"{side(depth)} {pick.choice(_COMPARISONS)} {side(depth)}"
        if roll < 0.6:
            return f"not {self._value(depth)}"
        if roll < 0.7:
            return pick.choice(self._values)
        if roll < 0.8:
            return f"{pick.choice(_TESTS)}({self._value(0)})"
        right = pick.choice((f"({self._condition(0)})" if depth else "ga", f"ia < {self._integer(0)}"))
        return f"{self._number(0)} < {self._number(0)} {pick.choice(('and', 'or'))} {right}"
