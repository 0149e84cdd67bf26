"""From the syntax tree to Python code.

    scopes -> facts (passes that find out types, calls, ranges) -> writers (one per function) -> Python's ast -> code

Generators are split by kind of node; how operations are written is decided by a set of templates: inline expressions
in double or single precision, or plain helper calls, which are the oracle for the others.
"""

from pybuzz.buzz.compilation.assembly import CompiledScript, compile_script
from pybuzz.buzz.compilation.facts import Facts

__all__ = ["CompiledScript", "Facts", "compile_script"]
