"""What went wrong, in Buzz's words.

Failures that built-ins raise carry their words with them. Python's own TypeError (an operand, a call or an access
without meaning) and UnboundLocalError (an argument that was not given) are told by looking at the node that failed and
at the values of its parts, as far as those can be read again without running anything.
"""

from __future__ import annotations

import re
from types import FrameType
from typing import TYPE_CHECKING, Any

from pybuzz.buzz.absence import hint_of_entry, hint_of_entry_field, hint_of_field, hint_of_global, use_of
from pybuzz.buzz.compilation.types import STRING, type_bit
from pybuzz.buzz.compilation.writer import python_global
from pybuzz.buzz.operators import with_article
from pybuzz.buzz.signatures import BUILT_INS, HostNames, fits
from pybuzz.buzz.tables import Table
from pybuzz.buzz.tree import (
    Assignment,
    Binary,
    Call,
    Expression,
    Field,
    Float,
    Index,
    Integer,
    Name,
    Node,
    Span,
    String,
    Unary,
)
from pybuzz.buzz.values import BuzzFailure, arity_failure, format_value, host_arity, text_of, type_name
from pybuzz.buzz.walking import walk

if TYPE_CHECKING:
    from pybuzz.buzz.program import Program

__all__ = ["Site", "cause_of"]

_MISSING_ARGUMENT = (
    "not enough local symbols in stack (maybe you called a function with an insufficient number of parameters?)"
)
_PYTHON_TYPES = {
    "NoneType": "nil", "int": "integer", "float": "float", "str": "string", "Table": "table", "Record": "table",
    "function": "closure", "Userdata": "userdata",
}  # fmt: skip
_QUOTED_TYPE = re.compile("'(" + "|".join(_PYTHON_TYPES) + ")'")
_JOINED = re.compile(r"can only concatenate str \(not \"(" + "|".join(_PYTHON_TYPES) + r")\"\) to str")
_OF_STRINGS = {"+": 'can only concatenate str (not "str") to str', "*": "non-int of type 'int'"}
"""Where Python has a result for a string, which fails only when it is looked at: what its message should be."""
_TOO_MANY = re.compile(r"takes .* but (\d+) (?:was|were) given")
_TOO_FEW = re.compile(r"missing (\d+) required positional")
_GOT = re.compile(r"got (integer|float|string|table|closure|userdata)$")
_LONGEST_TEXT = 30
"""Characters of a string that a message quotes."""
_UNKNOWN = object()


class Site:
    """The place where a script failed: its node in the tree, and the values that names have there."""

    def __init__(self, program: Program, frame: FrameType, span: Span, host: HostNames) -> None:
        self.program = program
        self.host = host
        self.node: Node | None = program.node_at(span)
        self._locals = frame.f_locals
        self._globals = frame.f_globals

    def value(self, node: Expression) -> Any:
        """The value of an expression, read again; _UNKNOWN if that is not possible without running code."""
        if isinstance(node, Name):
            return self._named(node)
        if isinstance(node, Integer | Float | String):
            return node.value
        if isinstance(node, Field | Index):
            if isinstance(node, Field) and isinstance(node.table, Name):
                data = self._locals.get(f"_{node.table.name}.{node.name}")
                if data is not None:
                    return data
            table = self.value(node.table)
            key = node.name if isinstance(node, Field) else self.value(node.key)
            return table.get(key) if isinstance(table, Table) and key.__class__ in (str, int, float) else _UNKNOWN
        return _UNKNOWN

    def _named(self, node: Name) -> Any:
        if node not in self.program.scopes.variables:
            return self._globals.get(python_global(node.name))
        for name in (f"__own_{node.name}", f"_{node.name}"):
            if name in self._locals:
                return self._locals[name]
        return _UNKNOWN

    def is_global(self, node: Expression) -> bool:
        return isinstance(node, Name) and node not in self.program.scopes.variables

    def path(self, node: Expression) -> str:
        """`a.b.c` of a global and its fields; empty for anything else."""
        if isinstance(node, Field):
            table = self.path(node.table)
            return f"{table}.{node.name}" if table else ""
        return node.name if isinstance(node, Name) and self.is_global(node) else ""

    @property
    def known_globals(self) -> list[str]:
        """Those that are not nil."""
        names = self.program.mentioned_globals | {name for name in self._globals if name[0] != "_"}
        return [name for name in names if self._globals.get(python_global(name)) is not None]

    def text(self, node: Expression) -> str:
        """The script's text of an expression, if it is a name, path or call on one line."""
        span = node.span
        if not isinstance(node, Name | Field | Index | Call) or span.line != span.end_line:
            return ""
        return span.source.line(span.line)[span.column - 1 : span.end_column - 1]


def cause_of(failure: Exception, site: Site | None) -> BuzzFailure:
    """Kind, detail and hint of a failure. `site`: where the script was; None outside of it."""
    if isinstance(failure, BuzzFailure):
        return _with_names(failure, site)
    if isinstance(failure, RecursionError):
        hint = "a function calls itself without end, or deeper than the machine allows"
        return BuzzFailure("recursion too deep", "too many calls within calls", hint)
    if isinstance(failure, MemoryError):
        return BuzzFailure("budget exceeded", "no memory is left", "look for a table that grows without end")
    if isinstance(failure, NameError) and site is not None:
        return _missing_argument(site)
    if isinstance(failure, IndexError) and site is not None and isinstance(site.node, Field) and _is_own(failure):
        # A list in place of a table (compilation/columns.py) has no such entry.
        return _access(site, site.node.table, "table", ["nil"])
    if isinstance(failure, TypeError):
        found = _wrong_arity(str(failure)) or (_type_mismatch(failure, site) if site and _is_own(failure) else None)
        if found:
            return found
    return BuzzFailure("host error", f"{type(failure).__name__}: {failure}", "this is a fault of the host's code")


def _is_own(failure: Exception) -> bool:
    """Whether it arose in the script itself and not in a function of the host."""
    traceback = failure.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    return traceback is not None and "__budget" in traceback.tb_frame.f_globals


def _missing_argument(site: Site) -> BuzzFailure:
    name = site.node.name if isinstance(site.node, Name) else ""
    hint = f"the call gave no argument for '{name}'" if name else ""
    return BuzzFailure("wrong number of local variables", _MISSING_ARGUMENT, hint)


def _wrong_arity(message: str) -> BuzzFailure | None:
    arity = host_arity(message)
    if arity is None:
        return None
    many, few = _TOO_MANY.search(message), _TOO_FEW.search(message)
    least = arity if isinstance(arity, int) else arity[0]
    if many:
        return arity_failure(arity, int(many[1]))
    return arity_failure(arity, least - int(few[1])) if few else None


def _type_mismatch(failure: TypeError, site: Site) -> BuzzFailure | None:
    node = site.node
    quoted = [_PYTHON_TYPES[name] for name in _QUOTED_TYPE.findall(str(failure))]
    if isinstance(node, Field | Index):
        return _access(site, node.table, "table", quoted)
    if isinstance(node, Call):
        return _access(site, node.function, "closure", quoted)
    if isinstance(node, Binary):
        return _operands(site, node, str(failure))
    if isinstance(node, Unary):
        return _operand(site, node, quoted)
    return BuzzFailure("type mismatch", str(failure))


def _access(site: Site, node: Expression, expected: str, quoted: list[str]) -> BuzzFailure:
    value = site.value(node)
    got = type_name(value) if value is not _UNKNOWN else (quoted or ["string"])[0]
    detail = f"expected {expected}, got {got}"
    if got != "nil" and value is not _UNKNOWN and site.text(node):
        detail += f"; `{site.text(node)}` is {_shown(value)} here"
    return _named_nil(BuzzFailure("type mismatch", detail), site, [node] if got == "nil" else [])


def _shown(value: Any) -> str:
    """A value as part of a sentence."""
    if isinstance(value, str):
        text = text_of(value)
        return f'"{text}"' if len(text) <= _LONGEST_TEXT and text.isprintable() else "a string"
    return format_value(value) if isinstance(value, int | float) else with_article(type_name(value))


def _operands(site: Site, node: Binary, message: str) -> BuzzFailure:
    parts = (node.left, node.right)
    if not message or "not supported between" in message:
        message = _OF_STRINGS.get(node.operator, message)
    kinds = _kinds(site, parts, message)
    if node.operator in ("&", "|", "<<", ">>"):
        wrong = next((kind for kind in kinds if kind != "integer"), "")
        failure = BuzzFailure("type mismatch", f"expected integer, got {wrong}" if wrong else "")
    elif "" in kinds:
        # Of a string and what it cannot be multiplied by, Python does not say which stands first.
        other = _first_quoted(message) or "integer"
        return BuzzFailure("type mismatch", f"cannot multiply {with_article('string')} and {with_article(other)}")
    else:
        text = f"{with_article(kinds[0])} {node.operator} {with_article(kinds[1])}"
        failure = BuzzFailure("type mismatch", text, _joining_hint(node.operator, kinds))
    return _named_nil(failure, site, [part for part, kind in zip(parts, kinds, strict=True) if kind == "nil"])


def _kinds(site: Site, parts: tuple[Expression, Expression], message: str) -> list[str]:
    """The types of two operands, as far as their values, the script and Python's message tell; "": unknown."""
    known = [_kind(site, part) for part in parts]
    told = [_PYTHON_TYPES[name] for name in _QUOTED_TYPE.findall(message)]
    joined = _JOINED.search(message)
    if "" not in known:
        return known
    if joined:
        return ["string", _PYTHON_TYPES[joined[1]]]
    if len(told) == 2:
        return told
    if not told:
        return known
    other = told[0]
    if other == "string":
        return ["string", "string"]
    if known[0] or known[1]:
        missing = other if "string" in known else "string"
        return [kind or missing for kind in known]
    may_be_text = [bool(site.program.facts.types_of(part) & STRING) for part in parts]
    if may_be_text.count(True) == 1:
        return ["string" if is_text else other for is_text in may_be_text]
    return known


def _kind(site: Site, node: Expression) -> str:
    """The type of an expression's value, if that can be read again or there is only one; else ""."""
    value = site.value(node)
    if value is not _UNKNOWN:
        return type_name(value)
    types = site.program.facts.types_of(node)
    return next((name for name in _PYTHON_TYPES.values() if types == type_bit(name)), "")


def _first_quoted(message: str) -> str:
    found = _QUOTED_TYPE.search(message)
    return _PYTHON_TYPES[found[1]] if found else ""


def _joining_hint(operator: str, kinds: list[str]) -> str:
    if "string" not in kinds or "nil" in kinds:
        return ""
    if operator == "+":
        return "strings are joined with string.concat(a, b), and log(a, b) logs several values"
    return "string.tofloat(text) and string.toint(text) make numbers of strings"


def _operand(site: Site, node: Unary, quoted: list[str]) -> BuzzFailure:
    kind = _kind(site, node.operand) or quoted[0]
    text = f"expected integer, got {kind}" if node.operator == "!" else f"cannot negate {with_article(kind)}"
    return _named_nil(BuzzFailure("type mismatch", text), site, [node.operand] if kind == "nil" else [])


def _with_names(failure: BuzzFailure, site: Site | None) -> BuzzFailure:
    """A helper's failure with the names of what is nil, which a helper cannot know."""
    if site is None or failure.kind != "type mismatch":
        return failure
    node = site.node
    if not failure.detail and isinstance(node, Binary):
        return _operands(site, node, "")
    if "nil" not in failure.detail:
        return _with_argument(failure, site, node) if isinstance(node, Call) else failure
    parts: list[Expression] = []
    if isinstance(node, Binary):
        parts = [node.left, node.right]
    elif isinstance(node, Unary):
        parts = [node.operand]
    elif isinstance(node, Index):
        parts = [node.table, node.key]
    elif isinstance(node, Field):
        parts = [node.table]
    elif isinstance(node, Call):
        parts = node.arguments
    return _named_nil(failure, site, [part for part in parts if site.value(part) is None])


def _with_argument(failure: BuzzFailure, site: Site, node: Call) -> BuzzFailure:
    """A failure of a built-in, with the first argument that is of the type it complains of and of no kind it takes."""
    path, got = site.path(node.function), _GOT.search(failure.detail)
    signature = site.host.functions.get(path) or BUILT_INS.functions.get(path)
    if got is None or signature is None:
        return failure
    for number, argument in enumerate(node.arguments):
        value = site.value(argument)
        kind = signature.kinds[min(number, len(signature.kinds) - 1)]
        if value is not _UNKNOWN and type_name(value) == got[1] and not fits(got[1], kind):
            where = f"argument {number + 1} of {path}() is {_shown(value)}"
            return BuzzFailure(failure.kind, f"{failure.detail}; {where}", failure.hint)
    return failure


def _named_nil(failure: BuzzFailure, site: Site, nils: list[Expression]) -> BuzzFailure:
    texts = [text for text in map(site.text, nils) if text]
    if not texts:
        return failure
    detail = f"{failure.detail}; {' and '.join(f'`{text}`' for text in texts)} {'is' if len(texts) == 1 else 'are'} nil"
    return BuzzFailure(failure.kind, f"{detail} here", failure.hint or _hint(site, nils[0]))


def _hint(site: Site, node: Expression) -> str:
    """What to do about something that is nil."""
    if isinstance(node, Name) and site.is_global(node):
        own = _set_by(site.program)
        if node.name in own:
            return ""
        return hint_of_global(node.name, {*site.known_globals, *own}, site.host, use_of(node, site.node))
    if isinstance(node, Field):
        entry = site.path(node.table.table) if isinstance(node.table, Index) else ""
        if entry in site.host.entries:
            return hint_of_entry_field(node.name, entry, site.host)
        table = site.value(node.table)
        fields = [key for key in table if isinstance(key, str)] if isinstance(table, Table) else []
        return hint_of_field(site.path(node) or node.name, fields, site.host)
    return hint_of_entry(site.path(node.table), site.host) if isinstance(node, Index) else ""


def _set_by(program: Program) -> set[str]:
    """The globals that a script sets, functions left out."""
    targets = [node.target for node in walk(program.script) if isinstance(node, Assignment)]
    return {target.name for target in targets if isinstance(target, Name) and target not in program.scopes.variables}
