"""The built-in libraries: the globals that every machine gets, whatever robot it is.

A machine's string ids, generator, precision and folder flow in, Buzz values flow out. What belongs to the swarm
(neighbors, swarm, stigmergy) is not here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pybuzz.buzz.libraries.files import io_table
from pybuzz.buzz.libraries.globals_ import type_functions, walking_functions
from pybuzz.buzz.libraries.mathematics import math_table
from pybuzz.buzz.libraries.random import BuzzRandom
from pybuzz.buzz.libraries.strings import string_table
from pybuzz.buzz.strings import StringIds
from pybuzz.buzz.values import Value, host_function

__all__ = ["BuzzRandom", "library_globals"]


def library_globals(
    *,
    ids: StringIds,
    random: BuzzRandom,
    log: Callable[[tuple[Value, ...]], object],
    spend: Callable[[int], None],
    spend_bytes: Callable[[int], None],
    differs: Callable[[str], None] = lambda text: None,
    single_precision: bool = False,
    exact: bool = False,
    io_folder: Path | None = None,
) -> dict[str, Value]:
    """New built-in globals for one machine.

    ids          the machine's string ids, which decide the order of walking
    random       the machine's generator, which math.rng draws from
    log          takes the values of each `log` call
    spend        takes turns of walks from the budget of the running call, and fails when it is used up
    spend_bytes  takes the bytes of each string that is made or written from the same budget
    differs      told, in a sentence, of each call whose result the C runtime gives otherwise or that takes another file
    exact        whether such calls give what the C runtime gives
    io_folder    the one folder in which the script may read and write files; None: no files
    """

    def log_values(*values: Value) -> None:
        spend_bytes(sum(len(value) for value in values if value.__class__ is str))
        log(values)

    return {
        **type_functions(single_precision),
        **walking_functions(ids, spend, exact),
        "math": math_table(random, single_precision, exact, differs),
        "string": string_table(ids, single_precision, spend_bytes, exact, differs),
        "io": io_table(ids, io_folder, spend, spend_bytes, differs),
        "log": host_function("log", (0, None), log_values),
    }
