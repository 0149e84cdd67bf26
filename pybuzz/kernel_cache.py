"""Where compiled kernels are kept between starts. Nothing that is wrong with a file or a folder here is an error.

numba's own cache ends the program when an entry is damaged, no folder can be written or the disk is full, and its index
files can lead to another entry's code when two processes write at once. Here an entry is one file. Its name says for
what signature, processor and versions it was made; its seal covers the sources and the code; it is replaced as a whole.
An entry that does not fit is compiled anew and written over.
"""

from __future__ import annotations

import os
import pickle
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from inspect import getfile
from pathlib import Path
from typing import Any
from uuid import uuid4

import numba
import numpy as np
from numba.core import caching, compiler, serialize

__all__ = ["CacheFolder", "KernelCache", "cache_folders", "note_about_keeping"]

_SEAL_BYTES = 32
_numba: Any = numba
_compiler: Any = compiler
_serialize: Any = serialize


@dataclass(frozen=True, slots=True)
class CacheFolder:
    """A folder that may hold kernels. temporary: the folder that it is in stands where everybody may write."""

    path: Path
    temporary: bool = False

    def read(self, name: str) -> bytes | None:
        """The file's content; None if there is none that can be read and trusted."""
        try:
            return (self.path / name).read_bytes() if self._is_trusted() else None
        except OSError:
            return None

    def write(self, name: str, content: bytes) -> bool:
        """Put a file there, whole or not at all. Whether that was possible."""
        part = self.path / f"{name}.{uuid4().hex[:16]}.tmp"
        try:
            if self.temporary:
                self.path.parent.mkdir(mode=0o700, exist_ok=True)
            if not self._is_trusted():
                return False
            self.path.mkdir(parents=True, exist_ok=True)
            try:
                part.write_bytes(content)
                part.replace(self.path / name)
            finally:
                part.unlink(missing_ok=True)
        except OSError:
            return False
        return True

    def _is_trusted(self) -> bool:
        """Whether nobody else can have put files there: their code would be run."""
        if not self.temporary or not hasattr(os, "geteuid"):
            return True
        state = self.path.parent.lstat()
        return stat.S_ISDIR(state.st_mode) and state.st_uid == os.geteuid() and not state.st_mode & 0o077


def cache_folders(source_folder: Path) -> Iterator[CacheFolder]:
    """Where kernels whose source is in `source_folder` are looked for and, in the first that can be written, kept."""
    own_name = f"{source_folder.name}_{sha256(bytes(source_folder)).hexdigest()[:16]}"
    if _numba.config.CACHE_DIR:
        yield CacheFolder(Path(_numba.config.CACHE_DIR, own_name))
    yield CacheFolder(source_folder / "__pycache__")
    if user := _user_cache_folder():
        yield CacheFolder(user / "pybuzz" / "kernels" / own_name)
    try:
        temporary = Path(tempfile.gettempdir())
    except FileNotFoundError:
        return
    yield CacheFolder(temporary / f"pybuzz-kernels-{_user_number()}" / own_name, temporary=True)


class KernelCache(caching._Cache):
    """The kept forms of one kernel, one for each signature. source_stamp: what else the kernel is made from."""

    def __init__(self, function: Callable[..., Any], source_stamp: object) -> None:
        if function.__closure__:
            raise ValueError(f"{function.__qualname__}: a kernel that is kept has no variables of a function around it")
        source = Path(getfile(function)).absolute()
        state = source.stat()
        self._folders = source.parent
        self._stamp = repr((state.st_mtime_ns, state.st_size, source_stamp)).encode()
        self._base = f"{source.stem}.{function.__qualname__}".replace("<", "").replace(">", "")
        self._enabled = True

    @property
    def cache_path(self) -> str:
        return str(next(cache_folders(self._folders)).path)

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        for folder in cache_folders(self._folders):
            for path in folder.path.glob(f"{self._base}-*.nbc"):
                path.unlink(missing_ok=True)

    def load_overload(self, sig: object, target_context: Any) -> Any:
        """What was compiled for this signature; None if it has to be compiled."""
        target_context.refresh()
        if not self._enabled:
            return None
        name = self._name(sig, target_context.codegen())
        for folder in cache_folders(self._folders):
            content = folder.read(name)
            if content is None or content[:_SEAL_BYTES] != self._seal(content[_SEAL_BYTES:]):
                continue
            try:
                return _compiler.CompileResult._rebuild(target_context, *pickle.loads(content[_SEAL_BYTES:]))
            except Exception:  # Whatever it is: compiling always helps.
                continue
        return None

    def save_overload(self, sig: object, data: Any) -> Path | None:
        """Keep what was compiled, in the first folder that takes it; returns that folder."""
        if not self._enabled or data.library.has_dynamic_globals or any(not part.can_cache for part in data.lifted):
            return None
        payload = _serialize.dumps(data._reduce())
        content, name = self._seal(payload) + payload, self._name(sig, data.codegen)
        for folder in cache_folders(self._folders):
            if folder.write(name, content):
                if folder.temporary:
                    _kept_badly.append(str(folder.path.parent))
                return folder.path
        _kept_badly.append("")
        return None

    def _name(self, signature: object, codegen: Any) -> str:
        made_for = (signature, codegen.magic_tuple(), sys.implementation.cache_tag, numba.__version__, np.__version__)
        return f"{self._base}-{sha256(repr(made_for).encode()).hexdigest()[:16]}.nbc"

    def _seal(self, payload: bytes) -> bytes:
        return sha256(self._stamp + payload).digest()


_kept_badly: list[str] = []
"""Where kernels of this process had to be kept that later starts may not find: a temporary folder, or nowhere ("")."""


def note_about_keeping() -> str | None:
    """What a person can do if kernels of this process could not be kept well."""
    if not _kept_badly:
        return None
    folder = _kept_badly[-1]
    kept = f"is kept in {folder}: no other folder" if folder else "is lost now: no folder"
    return f"note: what was compiled {kept} can be written; NUMBA_CACHE_DIR=FOLDER in the environment names one"


@cache
def _user_cache_folder() -> Path | None:
    if base := os.environ.get("XDG_CACHE_HOME"):
        return Path(base) if Path(base).is_absolute() else None
    try:
        return Path.home() / ".cache"
    except RuntimeError:  # No HOME, and a user that the system does not know.
        return None


def _user_number() -> int:
    return os.geteuid() if hasattr(os, "geteuid") else 0
