"""XML with places: every element and attribute knows its line and column.

Stricter than XML: no document type, no entities. More lenient: a comment may contain `--` or `<!--`, as the
parser of ARGoS allows.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from xml.parsers import expat

from pybuzz.errors import Diagnostic, InputError, Place
from pybuzz.faults import Faults
from pybuzz.settings import Setting

__all__ = ["Attribute", "Element", "decode", "parse"]

_DECLARATION = re.compile(rb"""\A\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_MARKUP = re.compile(r"<!--|<!\[CDATA\[.*?\]\]>|<\?.*?\?>", re.DOTALL)
_ATTRIBUTE = re.compile(r"""\s+([^\s=<>/"']+)\s*=\s*("[^"]*"|'[^']*')""")
_CLOSING = re.compile(r"</\s*([^\s>]*)")
_DEEPEST = 200

_TEXTS = {
    expat.errors.XML_ERROR_NO_ELEMENTS: "the file ends before its first element is closed",
    expat.errors.XML_ERROR_UNCLOSED_TOKEN: "this is never closed",
    expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT: "text after the end of the experiment",
    expat.errors.XML_ERROR_DUPLICATE_ATTRIBUTE: "the attribute is given twice",
    expat.errors.XML_ERROR_INVALID_TOKEN: "this is not well-formed XML",
    expat.errors.XML_ERROR_SYNTAX: "this is not XML",
    expat.errors.XML_ERROR_UNDEFINED_ENTITY: "entities are not allowed here (except &lt; &gt; &amp; &quot; &apos;)",
    expat.errors.XML_ERROR_MISPLACED_XML_PI: "the XML declaration must be the very first thing in the file",
}
_HINTS = {
    expat.errors.XML_ERROR_INVALID_TOKEN: "is a quote, a '>' or a '/' missing nearby? A '&' is written &amp;",
    expat.errors.XML_ERROR_SYNTAX: "an ARGoS experiment starts with <argos-configuration>",
}


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute; the place is that of its value, `name_line` and `name_column` that of its name.

    `setting`: the `--set` that gave it, if its value is not the file's.
    """

    name: str
    value: str
    line: int
    column: int
    end_column: int
    name_line: int
    name_column: int
    setting: Setting | None = None


@dataclass(slots=True)
class Element:
    """One element; the place is that of its name in the start tag."""

    tag: str
    line: int
    column: int
    attributes: dict[str, Attribute] = field(default_factory=dict)
    children: list[Element] = field(default_factory=list)

    @property
    def end_column(self) -> int:
        return self.column + len(self.tag)


def decode(data: bytes, file: str) -> str:
    """The text of an XML file, line ends as newlines. Raises InputError if its encoding is unknown or violated."""
    encoding = _encoding(data)
    try:
        text = data.decode(encoding)
    except LookupError:
        raise InputError.at(file, f"unknown encoding '{encoding}'", kind="not readable", line=1) from None
    except ValueError:
        text_kind = "UTF-8" if encoding.lower() in ("utf-8", "utf-8-sig") else encoding
        raise InputError.at(
            file, f"this is not {text_kind} text", kind="not readable", hint="save the file as UTF-8"
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse(text: str, faults: Faults) -> Element:
    """The root element of `text`. Raises InputError with the first fault of syntax; warns about odd comments."""
    return _Builder(_without_odd_comments(text, faults), faults).build()


def _encoding(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    declared = _DECLARATION.match(data[:400])
    name = declared[1].decode("ascii") if declared else "utf-8"
    try:
        # Codecs that are no text encodings (hex, zlib, ...) must not be reachable from a file.
        return name if isinstance(b"".decode(name), str) and not name.lower().startswith("idna") else "utf-8"
    except LookupError:
        return name


def _without_odd_comments(text: str, faults: Faults) -> str:
    """Comments that XML forbids (`--` inside) are blanked, character by character, so that places stay."""
    pieces: list[str] = []
    at = 0
    while found := _MARKUP.search(text, at):
        end = found.end()
        if found[0] == "<!--":
            close = text.find("-->", found.end())
            if close < 0:
                raise _syntax_error(faults, text, found.start(), "this comment is never closed", end=found.end())
            body = text[found.end() : close]
            if "--" in body or body.endswith("-"):
                _warn_odd_comment(text, found.start(), body, faults)
                body = re.sub(r"[^\n]", " ", body)
            pieces += [text[at : found.end()], body]
            at = close
            end = close + 3
        pieces.append(text[at:end])
        at = end
    return "".join([*pieces, text[at:]])


def _warn_odd_comment(text: str, start: int, body: str, faults: Faults) -> None:
    line, column = _place(text, start)
    odd = "'<!--'" if "<!--" in body else "'--'"
    faults.warn(
        line, column, "comment", f"this comment contains {odd}, which XML forbids; it ends at the first '-->'",
        end_column=column + 4,
    )  # fmt: skip


def _place(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _syntax_error(faults: Faults, text: str, offset: int, message: str, *, end: int = 0, hint: str = "") -> InputError:
    line, column = _place(text, offset)
    lines = text.split("\n")
    place = Place(faults.file, line, column, column + end - offset if end else 0)
    return InputError(Diagnostic(place, "XML syntax error", message, source_line=lines[line - 1], hint=hint))


class _Builder:
    def __init__(self, text: str, faults: Faults) -> None:
        self._text = text
        self._faults = faults
        self._open: list[Element] = []
        self._root: Element | None = None
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self._parser = expat.ParserCreate("utf-8")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype

    def build(self) -> Element:
        try:
            # A lone surrogate cannot be written as UTF-8; expat refuses the replacement as it should.
            self._parser.Parse(self._text.encode("utf-8", "surrogatepass"), True)
        except expat.ExpatError as error:
            raise self._translated(error) from None
        assert self._root is not None
        return self._root

    def _offset(self, line: int, column: int) -> int:
        return min(self._starts[min(line, len(self._starts)) - 1] + column, len(self._text))

    def _start(self, tag: str, values: dict[str, str]) -> None:
        start = self._offset(self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber)
        if len(self._open) >= _DEEPEST:
            raise _syntax_error(self._faults, self._text, start, "elements are nested too deeply")
        element = Element(tag, *self._place(start + 1))
        at = start + 1 + len(tag)
        while found := _ATTRIBUTE.match(self._text, at):
            element.attributes[found[1]] = self._attribute(found, values)
            at = found.end()
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)

    def _attribute(self, found: re.Match[str], values: dict[str, str]) -> Attribute:
        line, column = self._place(found.start(2) + 1)
        width = len(found[2].split("\n")[0]) - (1 if "\n" in found[2] else 2)
        value = values.get(found[1], found[2][1:-1])
        return Attribute(found[1], value, line, column, column + width, *self._place(found.start(1)))

    def _place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def _end(self, _tag: str) -> None:
        self._open.pop()

    def _refuse_doctype(self, *_details: object) -> None:
        start = self._offset(self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber)
        raise _syntax_error(
            self._faults, self._text, start, "a document type (DTD) is not allowed in an experiment",
            hint="remove the <!DOCTYPE ...>",
        )  # fmt: skip

    def _translated(self, error: expat.ExpatError) -> InputError:
        reason = expat.errors.messages[error.code]
        offset = self._offset(error.lineno, error.offset)
        hint = _HINTS.get(reason, "")
        message = _TEXTS.get(reason, reason)
        if self._text.startswith("<!--", offset):
            message, hint = "a comment cannot stand inside a tag", "put it before the element"
        elif reason == expat.errors.XML_ERROR_TAG_MISMATCH and self._open:
            closing = _CLOSING.match(self._text, offset) or _CLOSING.search(self._text, max(0, offset - 2))
            message = f"</{closing[1] if closing else ''}> does not close <{self._open[-1].tag}>"
            hint = f"<{self._open[-1].tag}> was opened in line {self._open[-1].line}"
        elif reason == expat.errors.XML_ERROR_NO_ELEMENTS and self._open:
            message = f"the file ends before <{self._open[-1].tag}> of line {self._open[-1].line} is closed"
        elif not self._text.strip():
            message = "the file is empty"
        return _syntax_error(self._faults, self._text, offset, message, hint=hint)
