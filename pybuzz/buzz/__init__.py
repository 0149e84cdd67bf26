"""The language. Text in, runnable program out.

Script text and the files it includes flow in; a Program flows out, and Machines that run it. Knows nothing of
robots: the host hands it functions and tables.
"""

from pybuzz.buzz.machine import DEFAULT_BUDGET, Machine
from pybuzz.buzz.parsing import parse
from pybuzz.buzz.program import Program, compile_program
from pybuzz.buzz.strings import StringIds
from pybuzz.buzz.tables import Table, clone, from_python, to_python
from pybuzz.buzz.values import (
    BuzzFailure,
    Userdata,
    Value,
    expect_closure,
    expect_integer,
    expect_number,
    expect_string,
    expect_table,
    format_value,
    format_value_stream,
    host_function,
    host_method,
    string_from,
    text_of,
    truth,
    type_name,
    wrap32,
)

__all__ = [
    "DEFAULT_BUDGET", "BuzzFailure", "Machine", "Program", "StringIds", "Table", "Userdata", "Value", "clone",
    "compile_program", "expect_closure", "expect_integer",
    "expect_number", "expect_string", "expect_table", "format_value", "format_value_stream", "from_python",
    "host_function", "host_method", "parse", "string_from", "text_of", "to_python", "truth", "type_name", "wrap32",
]  # fmt: skip
