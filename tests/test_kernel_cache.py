"""Kept kernels: what is wrong with a file or a folder costs time, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numba
import pytest

from pybuzz import kernel_cache
from pybuzz.kernel_cache import note_about_keeping

KERNEL = """\
from pybuzz.compiled import float_function, kernel

@kernel
def half(x):
    return x / FACTOR

FACTOR = 2
"""
FLOATS = "from pybuzz.compiled import float_function\n\n@float_function\ndef half(x):\n    return x / 2\n"
NOWHERE = "/dev/null/nowhere"
ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(kernel_cache.__file__).parents[1]), "NUMBA_CACHE_DIR": ""}


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module with a kernel, and no other place for it than beside it."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setattr(kernel_cache, "_user_cache_folder", lambda: None)
    monkeypatch.setattr(kernel_cache, "_kept_badly", [])
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    path = tmp_path / "package" / "tiny.py"
    path.parent.mkdir()
    path.write_text(KERNEL)
    return path


def start(source: Path) -> tuple[float, bool]:
    """What a new process would do: half of 3, and whether the kernel was found."""
    spec = spec_from_file_location("tiny", source)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    half = module.half(3.0)
    return half, bool(module.half.stats.cache_hits)


def start_process(source: Path, argument: str = "3.0", **environment: str) -> subprocess.CompletedProcess[str]:
    code = f"import tiny; print(tiny.half({argument})); print(len(tiny.half.stats.cache_hits))"
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=source.parent,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ
        | {"PYTHONPATH": str(Path(kernel_cache.__file__).parents[1]), "NUMBA_CACHE_DIR": ""}
        | environment,
    )


def entries(source: Path) -> list[Path]:
    return sorted(path for path in source.parent.parent.rglob("*") if "half" in path.name and path.is_file())


def block(source: Path) -> None:
    """No file can be put beside the source, not even by root."""
    (source.parent / "__pycache__").write_text("")


def test_a_kernel_is_compiled_once(source: Path) -> None:
    assert start(source) == (1.5, False)
    assert start(source) == (1.5, True)
    assert len(entries(source)) == 1
    assert note_about_keeping() is None


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "cut in its head": lambda content: content[:20],
    "cut in its middle": lambda content: content[: len(content) // 2],
    "random bytes": lambda content: bytes(range(256)) * 40,
    "one bit": lambda content: content[:-9] + bytes([content[-9] ^ 4]) + content[-8:],
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_entry_is_compiled_anew_and_written_over(source: Path, damage: Callable[[bytes], bytes]) -> None:
    start(source)
    (entry,) = entries(source)
    entry.write_bytes(damage(entry.read_bytes()))
    assert start(source) == (1.5, False)
    assert start(source) == (1.5, True)


def test_an_entry_that_cannot_be_read_is_compiled_anew(source: Path) -> None:
    start(source)
    (entry,) = entries(source)
    entry.unlink()
    entry.mkdir()
    assert start(source) == (1.5, False)


def test_a_changed_source_is_compiled_anew_and_leaves_no_old_entry(source: Path) -> None:
    start(source)
    source.write_text(KERNEL.replace("FACTOR = 2", "FACTOR = 20"))
    assert start(source) == (0.15, False)
    assert len(entries(source)) == 1


def test_a_function_of_floats_survives_damage_too(source: Path) -> None:
    source.write_text(FLOATS)
    for content in (None, b"", b"\x80\x05"):
        for entry in entries(source):
            entry.write_bytes(content or b"")
        spec = spec_from_file_location("tiny", source)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        assert module.half(3.0) == 1.5
        assert len(entries(source)) == 1


def test_where_nothing_can_be_written_beside_the_source_the_temporary_folder_is_used(source: Path) -> None:
    block(source)
    assert start(source) == (1.5, False)
    assert start(source) == (1.5, True)
    (entry,) = entries(source)
    assert entry.is_relative_to(tempfile.gettempdir())
    assert f"is kept in {entry.parent.parent}: " in str(note_about_keeping())


def test_a_temporary_folder_that_others_may_write_is_not_trusted(source: Path) -> None:
    block(source)
    start(source)
    (entry,) = entries(source)
    entry.parent.parent.chmod(0o777)
    assert start(source) == (1.5, False)
    assert "is lost now: no folder can be written; NUMBA_CACHE_DIR=FOLDER" in str(note_about_keeping())


def test_where_nothing_can_be_written_at_all_kernels_run(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    block(source)
    monkeypatch.setattr(tempfile, "tempdir", NOWHERE)
    assert start(source) == start(source) == (1.5, False)
    assert "is lost now: no folder can be written; NUMBA_CACHE_DIR=FOLDER" in str(note_about_keeping())


def test_the_folder_of_the_environment_comes_first(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start(source)
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(source.parent.parent / "mine"))
    assert start(source) == (1.5, True)  # Read where it lies, as in an image that was made with its kernels.
    for entry in entries(source):
        entry.unlink()
    start(source)
    (entry,) = entries(source)
    assert entry.is_relative_to(source.parent.parent / "mine")


def test_without_a_home_of_the_user_nothing_is_written_into_the_current_folder(source: Path) -> None:
    block(source)
    done = start_process(source, HOME=NOWHERE, XDG_CACHE_HOME=NOWHERE, TMPDIR=str(source.parent.parent))
    assert done.stdout.split() == ["1.5", "0"], done.stderr
    assert not [path for path in source.parent.iterdir() if path.name not in ("tiny.py", "__pycache__")]
    assert len(entries(source)) == 1


def test_a_full_disk_is_no_error_and_leaves_no_part_of_an_entry(source: Path) -> None:
    code = (
        "import resource, tiny; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); print(tiny.half(3.0))\n"
        "from pybuzz.kernel_cache import note_about_keeping; print(note_about_keeping())"
    )
    environment = ENVIRONMENT | {"XDG_CACHE_HOME": str(source.parent), "TMPDIR": str(source.parent)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=source.parent, capture_output=True, text=True, env=environment, check=False
    )
    assert done.stdout.startswith("1.5\nnote: what was compiled is lost now"), done.stderr
    assert entries(source) == []


def test_processors_and_signatures_have_entries_of_their_own(source: Path) -> None:
    """Computers of a cluster that share a folder, and start together."""
    code = "import tiny, sys; print(tiny.half(3.0 if sys.argv[1] == 'float' else 3))"
    starts = [
        subprocess.Popen([sys.executable, "-c", code, kind], cwd=source.parent, env=ENVIRONMENT | cpu)
        for kind in ("float", "integer")
        for cpu in ({}, {"NUMBA_CPU_NAME": "generic"})
    ]
    assert [process.wait() for process in starts] == [0, 0, 0, 0]
    assert len(entries(source)) == 4
    for argument in ("3.0", "3"):
        for cpu in ({}, {"NUMBA_CPU_NAME": "generic"}):
            assert start_process(source, argument, **cpu).stdout.split() == ["1.5", "1"]
