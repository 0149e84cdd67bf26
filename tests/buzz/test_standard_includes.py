"""The shipped libraries: their strings stand in the order of the C library, and they do what they promise."""

from __future__ import annotations

import pytest

from pybuzz.buzz.parsing import parse
from pybuzz.buzz.program import compile_program
from pybuzz.buzz.scopes import resolve
from pybuzz.buzz.values import format_value

# In order of id, as compiled files of the C library have them
_STRING = ["string", "charat", "sub", "indexoffirst", "length", "indexoflast", "split"]
_TABLE = [
    "table", "append", "size", "maxkey", "max", "reduce", "math", "min", "minkey", "print", "foreach", "log", " -> ",
    "swap", "cmp_number", "sort", "partition", "pivot", "qsort", "shuffle", "rng", "uniform", "copy", "type",
]  # fmt: skip
_ORDERS = {
    "string": _STRING,
    "table": _TABLE,
    "vec2": [
        "math", "vec2", "new", "x", "y", "newp", "cos", "sin", "length", "sqrt", "angle", "atan", "norm", "add", "sub",
        "scale", "dot", "rotate",
    ],
    "matrix": [
        "math", "matrix", "new", "i", "j", "newv", "x", "y", "identity", "transpose", "size", "print", "scale", "add",
        "sub", "multiply", "k", "equal", "[", "string", "concat", "tostring", ", ", "]", "log",
    ],
    "queue": [
        *_STRING, *_TABLE, "queue", "new", "capacity", "front", "rear", "data", "full", "empty", "push",
        "Item could not be inserted, queue is full.", "pop", "Queue is empty.", "item", "[]", "queue_string", "[", "i",
        "concat", "tostring", ", ", "]",
    ],
    "arrows": ["arrows", "wrap", "f", "next", "n", "begin", "run"],
    "neighbors": ["neighbors", "msgs", "collect", "listen", "reset"],
}  # fmt: skip


def _logged(text: str) -> list[str]:
    lines: list[str] = []
    program = compile_program("test.bzz", text)
    machine = program.new_machine(1, log=lambda values: lines.append("".join(map(format_value, values))))
    machine.run_global_part()
    return lines


@pytest.mark.parametrize("library", _ORDERS)
def test_strings_first_appear_in_the_order_of_the_c_library(library: str) -> None:
    script = parse("test.bzz", f'include "{library}.bzz"')
    assert resolve(script).strings == _ORDERS[library]


def test_arrows_run_every_function_of_the_chain() -> None:
    text = """
    include "arrows.bzz"
    function f() { log("f") }
    function g() { log("g") }
    chain = arrows.begin(f)
    chain.next(g).next(f)
    arrows.run(chain)
    """
    assert _logged(text) == ["f", "g", "f"]


def test_transposing_logs_nothing() -> None:
    text = """
    include "matrix.bzz"
    a = math.matrix.new(1, 2)
    a[0][1] = 5
    math.matrix.print(math.matrix.transpose(a))
    """
    assert _logged(text) == ["[[0], [5]]"]


def test_a_queue_prints_whatever_it_holds() -> None:
    text = """
    include "queue.bzz"
    q = queue.new(4)
    queue.push(q, 1.5)
    queue.push(q, "two")
    queue.push(q, {})
    queue.print(q)
    log(queue.pop(q), queue.pop(q), size(queue.pop(q)))
    """
    assert _logged(text) == ["[1.500000, two, table]", "1.500000two0"]


def test_a_queue_goes_round_its_ring() -> None:
    text = """
    include "queue.bzz"
    q = queue.new(2)
    i = 0
    n = 0
    while(n < 7) {
      queue.push(q, n)
      if(queue.full(q)) log(queue.pop(q), " of ", queue.size(q) + 1)
      n = n + 1
    }
    """
    assert _logged(text) == [f"{n} of 2" for n in range(6)]


def test_shuffling_keeps_every_value() -> None:
    text = """
    include "table.bzz"
    t = {.0 = 1, .1 = 2, .2 = 4, .3 = 8}
    table.shuffle(t)
    log(size(t), " ", t[0] + t[1] + t[2] + t[3])
    """
    assert _logged(text) == ["4 15"]


def test_collected_messages_start_empty_and_are_forgotten_by_reset() -> None:
    text = """
    neighbors = {.listen = function(topic, f) { heard = f }}
    include "neighbors.bzz"
    neighbors.collect("place")
    heard("place", 7, 3)
    log(neighbors.msgs["place"][3])
    neighbors.reset("place")
    log(size(neighbors.msgs["place"]))
    """
    assert _logged(text) == ["7", "0"]
