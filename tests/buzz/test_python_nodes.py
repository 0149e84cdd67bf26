"""Nodes of Python's `ast` get places, also where newer Pythons add fields that are left out here."""

from __future__ import annotations

import ast

from pybuzz.buzz.compilation.python_nodes import define, load, spread


def test_a_node_that_lacks_a_field_gets_its_place_all_the_same() -> None:
    # Python 3.12 adds `type_params` to functions, which 3.11 does not know: so here a field is missing that all know.
    function = define("f", ["a"], [], [ast.Return(load("a"))])
    del function.decorator_list  # type: ignore[attr-defined]
    function.lineno, function.col_offset, function.end_lineno, function.end_col_offset = 3, 2, 4, 9
    spread(function)
    placed = [node for node in ast.walk(function) if isinstance(node, ast.stmt | ast.expr | ast.arg)]
    assert len(placed) == 4
    assert all((node.lineno, node.col_offset, node.end_lineno, node.end_col_offset) == (3, 2, 4, 9) for node in placed)
