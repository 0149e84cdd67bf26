"""Random programs that mostly run: names are defined before they are used, and loops end.

    running_program(seed) -> text

What they compute is without sense; they bring together assignments, captures, stores, walks, methods and recursion.
"""

from __future__ import annotations

from random import Random

_FIELDS = ("x", "y", "zeta", "alpha", "count", "delta")
_NUMBERS = ("0", "1", "2", "3", "-1", "7", "10", "1000003", "2147483647", "0.5", "-1.5", "2.0", "1000000.25", "0.1")
_OPERATORS = ("+", "-", "*", "+", "-", "*", "/", "%", "^", "&", "|", "<<", ">>")
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_UNARY_FUNCTIONS = ("math.sin", "math.floor", "math.abs", "math.sqrt", "math.exp", "int", "float", "number")


def running_program(seed: int) -> str:
    """The text of the program with this number."""
    return _Program(Random(seed)).text()


class _Program:
    def __init__(self, random: Random) -> None:
        self._random = random
        self._names = ["ga", "gb", "gc"]
        self._depth = 0
        self._loops = 0

    def text(self) -> str:
        lines = [
            "function number(v) { if(isint(v) or isfloat(v)) { return v } return 1 }",
            "function pick(v, w) { if(number(v) < number(w)) { return v } return w }",
            "function down(n, v) { if(n <= 0) { return v } return down(n - 1, number(v) + n) }",
            *(f"{name} = {self._number()}" for name in self._names),
            f"t = {{.x = {self._number()}, .y = {self._number()}, .zeta = 1}}",
            "a = {}",
            "o = {.v = 1, .add = function(d) { self.v = number(self.v) + number(d)  return self.v }}",
            *self._statements(8),
            "function step() {",
            *(f"  var l{number} = {self._number()}" for number in range(2)),
            *self._in_function(["l0", "l1"], 8),
            "}",
            'foreach(t, function(k, v) { log(k, " ", v) })',
            'foreach(a, function(k, v) { log(k, " ", v) })',
            'log(o.v, " ", size(t), " ", size(a))',
        ]
        return "\n".join(lines)

    def _in_function(self, names: list[str], count: int) -> list[str]:
        outer = self._names
        self._names = outer + names
        lines = self._statements(count)
        self._names = outer
        return lines

    def _statements(self, most: int) -> list[str]:
        return [self._statement() for _ in range(self._random.randint(1, most))]

    def _statement(self) -> str:
        choices = [self._assignment, self._assignment, self._field, self._element, self._method, self._log]
        if self._depth < 2:
            choices += [self._if, self._loop, self._walk, self._capture, self._literal]
        return self._random.choice(choices)()

    def _nested(self, names: list[str] | None = None) -> str:
        self._depth += 1
        lines = self._in_function(names or [], 3)
        self._depth -= 1
        return "{ " + "  ".join(lines) + " }"

    def _assignment(self) -> str:
        return f"{self._random.choice(self._names)} = {self._expression()}"

    def _field(self) -> str:
        value = self._random.choice([self._expression(), self._expression(), "nil"])
        return f"t.{self._random.choice(_FIELDS)} = {value}"

    def _element(self) -> str:
        key = self._random.choice(["int(number({}))", "number({}) % 10", "int(number({})) % 5", "string.tostring({})"])
        if "tostring" in key:
            return f't["k{self._random.randint(0, 3)}"] = {self._expression()}'
        return f"a[{key.format(self._random.choice(self._names))}] = {self._expression()}"

    def _method(self) -> str:
        return f"o.add({self._expression()})"

    def _log(self) -> str:
        return f'log({self._expression()}, " ", {self._condition()})'

    def _if(self) -> str:
        text = f"if({self._condition()}) {self._nested()}"
        return text + f" else {self._nested()}" if self._random.random() < 0.5 else text

    def _loop(self) -> str:
        self._loops += 1
        name = f"i{self._loops}"
        return f"for({name} = 0, {name} < {self._random.randint(1, 4)}, {name} = {name} + 1) {self._nested()}"

    def _walk(self) -> str:
        table = self._random.choice(["t", "a"])
        self._loops += 1
        key, value = f"k{self._loops}", f"v{self._loops}"
        return f"foreach({table}, function({key}, {value}) {self._nested([key, value])})"

    def _capture(self) -> str:
        self._loops += 1
        name, given = f"f{self._loops}", f"p{self._loops}"
        body = self._nested([given])[:-1] + f" return {self._random.choice(self._names)} }}"
        return f"{name} = function({given}) {body}  {self._random.choice(self._names)} = {name}({self._expression()})"

    def _literal(self) -> str:
        entries = ", ".join(f".{name} = {self._expression()}" for name in self._random.sample(_FIELDS, 3))
        return f"t = {{{entries}}}"

    def _number(self) -> str:
        return self._random.choice(_NUMBERS)

    def _operand(self) -> str:
        roll = self._random.random()
        if roll < 0.35:
            return self._number()
        if roll < 0.75:
            return f"number({self._random.choice(self._names)})"
        if roll < 0.9:
            return f"number(t.{self._random.choice(_FIELDS)})"
        return f"number(a[{self._random.randint(0, 4)}])"

    def _expression(self, depth: int = 2) -> str:
        roll = self._random.random()
        if depth == 0 or roll < 0.3:
            return self._operand()
        if roll < 0.4:
            function = self._random.choice(_UNARY_FUNCTIONS)
            return f"{function}({self._expression(depth - 1)})"
        if roll < 0.5:
            return f"number(pick({self._operand()}, {self._expression(depth - 1)}))"
        if roll < 0.55:
            return f"down({self._random.randint(0, 5)}, {self._operand()})"
        if roll < 0.6:
            return f"({self._condition()})"
        operator = self._random.choice(_OPERATORS)
        left, right = self._expression(depth - 1), self._expression(depth - 1)
        if operator in ("&", "|", "<<", ">>"):
            left, right = f"int({left})", f"int({right})"
        if operator in ("/", "%"):
            right = self._random.choice(["3", "2.5", "7", f"({right})"])
        return f"({left} {operator} {right})"

    def _condition(self) -> str:
        roll = self._random.random()
        if roll < 0.6:
            return f"{self._expression(1)} {self._random.choice(_COMPARISONS)} {self._expression(1)}"
        if roll < 0.7:
            return f"not {self._expression(1)}"
        if roll < 0.8:
            return self._random.choice(self._names)
        left, right = self._expression(1), self._expression(1)
        return f"{left} < {right} {self._random.choice(['and', 'or'])} {self._random.choice(self._names)} == {left}"
