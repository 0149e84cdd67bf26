"""`include "file.bzz"`: finding the files, and splicing their tokens in place.

Looked for in the folder of the including file, the working directory, the folders of BUZZ_INCLUDE_PATH, the folders
given (-I), and the standard library that is shipped; last in the folders above, up to the repository's root, and by its
name anywhere in the repository, with a warning. Each file is taken once.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from pybuzz.buzz.diagnostics import compile_error, diagnostic
from pybuzz.buzz.tokens import Fault, Token, scan
from pybuzz.buzz.tree import Source
from pybuzz.errors import Diagnostic, InputError
from pybuzz.finding import search
from pybuzz.invocation import command_with
from pybuzz.shipped import scripts_folder
from pybuzz.spelling import nearest

__all__ = ["Splicer", "read_script"]

_DEEPEST = 50


class Splicer:
    """Reads a script and all that it includes into one row of tokens.

    `sources`: the files read, the main one first. `faults`: what is wrong with their characters. `errors`: includes
    that failed. `warnings`: includes that were found in a way that may surprise. `repeated`: those of files that were
    taken before, but for files that include each other, which the C compiler takes once as well.
    """

    def __init__(self, include_dirs: Sequence[str | os.PathLike[str]] = ()) -> None:
        self.sources: list[Source] = []
        self.faults: list[Fault] = []
        self.errors: list[Diagnostic] = []
        self.warnings: list[Diagnostic] = []
        self.repeated: list[Token] = []
        self._given = [Path(folder) for folder in include_dirs]
        self._taken: set[str] = set()
        # It looks at a whole repository, and a script may include a file that is missing many times.
        self._search = cache(search)

    def tokens(self, path: str, text: str) -> list[Token]:
        """All tokens, ending with the main file's "$END"."""
        self._taken.add(os.path.realpath(path))
        return list(self._spliced(Source(path, text)))

    def _spliced(self, source: Source) -> Iterator[Token]:
        self.sources.append(source)
        separator, starts_line = "", False
        for token in scan(source, self.faults):
            if separator or starts_line:
                token.separator = separator or token.separator
                token.starts_line = token.starts_line or starts_line
                separator, starts_line = "", False
            if token.type != "INCLUDE":
                yield token
                continue
            separator, starts_line = token.separator, token.starts_line
            included = self._included(token)
            if included is None:
                continue
            for inner in self._spliced(included):
                if separator or starts_line:
                    inner.separator = separator or inner.separator
                    inner.starts_line = inner.starts_line or starts_line
                separator, starts_line = "", False
                if inner.type == "$END":
                    separator, starts_line = inner.separator, inner.starts_line
                else:
                    yield inner

    def _included(self, token: Token) -> Source | None:
        """The source that an include token stands for; None if it was taken before or cannot be read."""
        file = self._find(token)
        if file is None:
            return None
        real = os.path.realpath(file)
        if real in self._taken:
            outer = (token.source, *(source for source, _ in token.source.chain))
            if all(os.path.realpath(source.name) != real for source in outer):
                self.repeated.append(token)
            return None
        self._taken.add(real)
        try:
            text = read_script(file)
        except InputError as error:
            self._fail(token, f"{error.diagnostics[0].text}: {error.diagnostics[0].hint}".removesuffix(": "))
            return None
        chain = ((token.source, token.line), *token.source.chain)
        return Source(os.path.normpath(file), text, chain)

    @property
    def _searched(self) -> list[Path]:
        """The folders in which all includes are looked for."""
        return [*_environment_folders(), *self._given, scripts_folder() / "include", scripts_folder()]

    @property
    def _main(self) -> str:
        return self.sources[0].name

    def _find(self, token: Token) -> Path | None:
        name = os.fsdecode(str(token.value).encode("latin-1"))
        if not name or "\0" in name:
            self._fail(token, "an include names a file")
            return None
        if len(token.source.chain) >= _DEEPEST:
            self._fail(token, f"files include each other more than {_DEEPEST} levels deep")
            return None
        if os.path.isabs(name):
            return self._find_absolute(token, Path(name))
        beside = Path(token.source.name).parent / name
        here = Path(name)
        # os.path.isfile, as Path.is_file raises OSError for names that are too long.
        found = [file for file in (beside, here) if os.path.isfile(file)]
        if len(found) > 1 and os.path.realpath(beside) != os.path.realpath(here):
            self._warn(token, f"'{name}' is both beside this file and in the working directory", f"{beside} is taken")
        found += [folder / name for folder in self._searched if os.path.isfile(folder / name)]
        if found:
            # A script called vec2.bzz that includes "vec2.bzz" means the library.
            itself = os.path.realpath(token.source.name)
            return next((file for file in found if os.path.realpath(file) != itself), found[0])
        return self._find_elsewhere(token, name)

    def _find_elsewhere(self, token: Token, name: str) -> Path | None:
        """The file in the including file's repository, if it is clear which one is meant."""
        folder = Path(token.source.name).parent
        there = self._search(name, folder)
        if there.path is not None:
            self._warn(token, f"there is no '{token.value}' where includes are looked for", f"{there.path} is taken")
            return there.path
        if there.candidates:
            files = ", ".join(map(str, there.candidates))
            command = command_with("-I", _folder_for(name, there.candidates[0]), file=self._main)
            self._fail(token, f"there are several of that name: {files}; for example: {command}")
            return None
        looked_in = dict.fromkeys([str(folder), ".", *map(str, [*_environment_folders(), *self._given]), "the library"])
        self._fail(token, _missing_hint(name, looked_in, there.root))
        return None

    def _find_absolute(self, token: Token, file: Path) -> Path | None:
        if os.path.isfile(file):
            return file
        shipped = scripts_folder() / "include" / file.name
        if os.path.isfile(shipped):
            self._warn(
                token, f"'{file}' does not exist", f'the shipped {file.name} is taken; write include "{file.name}"'
            )
            return shipped
        return self._find_elsewhere(token, str(file))

    def _fail(self, token: Token, hint: str) -> None:
        text = f"Can't read '{token.value}'"
        self.errors.append(compile_error(token.span, "include error", text, code="include", hint=hint))

    def _warn(self, token: Token, text: str, hint: str) -> None:
        self.warnings.append(diagnostic(token.span, "warning", text, severity="warning", code="include", hint=hint))


def read_script(file: str | os.PathLike[str]) -> str:
    """The text of a script, one character per byte. Raises InputError."""
    name = os.fspath(file)
    try:
        raw = Path(file).read_bytes()
    except OSError as error:
        raise InputError.at(name, f"cannot read the script: {error.strerror}") from None
    if b"\0" in raw[:4]:
        # UTF-16 and UTF-32 have a zero byte in every letter of Buzz.
        raise InputError.at(name, "this is not UTF-8 text", kind="not readable", hint="save it as UTF-8")
    return raw.decode("latin-1")


def _environment_folders() -> list[Path]:
    return [Path(folder) for folder in os.environ.get("BUZZ_INCLUDE_PATH", "").split(":") if folder]


def _folder_for(name: str, file: Path) -> str:
    """The folder in which `file` is what an include of `name` finds."""
    parts = Path(name).parts
    fits = not os.path.isabs(name) and file.parts[-len(parts) :] == parts
    return str(file.parents[len(parts) - 1] if fits else file.parent)


def _library() -> list[str]:
    return [file.stem for file in sorted((scripts_folder() / "include").glob("*.bzz"))]


def _missing_hint(name: str, looked_in: Iterable[str], root: Path) -> str:
    # A file of the library is another one than the file of that name in a folder of the author's own.
    near = None if os.path.dirname(name) else nearest(Path(name).stem, _library())
    if near:
        return f"did you mean '{near}.bzz'?"
    return f"looked in {', '.join(looked_in)} and all below {root}; another folder: -I DIR, or BUZZ_INCLUDE_PATH"
