"""Expressions that people write into files: Python's for numbers and arrays, of known names and nothing else."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np

from pybuzz.spelling import did_you_mean

__all__ = ["CONSTANTS", "FUNCTIONS", "fault_in", "names_in", "texts_given_to", "value_of"]

FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "abs": np.abs, "all": np.all, "any": np.any, "exp": np.exp, "len": len, "list": list, "log": np.log, "max": np.max,
    "mean": np.mean, "median": np.median, "min": np.min, "round": np.round, "sqrt": np.sqrt, "std": np.std,
    "sum": np.sum, "where": np.where,
}  # fmt: skip
CONSTANTS = {"nan": math.nan, "pi": math.pi}

_ALLOWED = (
    ast.Expression, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call, ast.Name, ast.Constant,
    ast.Subscript, ast.Slice, ast.Tuple, ast.List, ast.keyword, ast.Load, ast.operator, ast.unaryop, ast.boolop,
    ast.cmpop,
)  # fmt: skip


def fault_in(text: str, names: Collection[str], *, noun: str, example: str, otherwise: str) -> tuple[str, str] | None:
    """What is wrong with an expression of these names, functions and constants, and what to do; None: nothing.

    noun: what its names are called. otherwise: what to do if the language is not enough.
    """
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"'{text}' is no expression: {getattr(error, 'msg', error)}", f"for example {example}"
    known = (*names, *FUNCTIONS, *CONSTANTS)
    for node in ast.walk(tree):
        if not isinstance(node, _ALLOWED):
            return f"'{text}' may not use {type(node).__name__}", otherwise
        if isinstance(node, ast.Name) and node.id not in known:
            return f"there is no {noun} '{node.id}'", did_you_mean(node.id, known) or f"known: {', '.join(known)}"
    return None


def names_in(text: str) -> list[str]:
    """Every name that an expression without faults uses."""
    return [node.id for node in ast.walk(ast.parse(text.strip(), mode="eval")) if isinstance(node, ast.Name)]


def texts_given_to(functions: Collection[str], text: str) -> list[str]:
    """The texts in quotes that an expression passes to these functions: final("state")."""
    calls = [node for node in ast.walk(ast.parse(text.strip(), mode="eval")) if isinstance(node, ast.Call)]
    own = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id in functions]
    found = [argument.value for call in own for argument in call.args if isinstance(argument, ast.Constant)]
    return [one for one in found if isinstance(one, str)]


def value_of(text: str, names: Mapping[str, Any]) -> Any:
    """The value of an expression without faults. May raise anything that numbers and arrays raise."""
    space = {**FUNCTIONS, **CONSTANTS, **names}
    return eval(compile(text.strip(), "<expression>", "eval"), {"__builtins__": {}}, space)
