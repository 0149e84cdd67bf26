"""`pybuzz doctor`: what this installation has, what is missing, and whether it works."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import typer

import pybuzz
from pybuzz.extras import installing, requirements
from pybuzz.shipped import robots_folder, scripts_folder

__all__ = ["register"]

_WIDTH = 18


def register(app: typer.Typer) -> None:
    app.command("doctor")(doctor)


def doctor() -> None:
    """Say what is installed, what is missing and how to add it, where files lie, and whether kernels compile.

    Ends with 1 if something is missing or broken that every user needs, else with 0.
    """
    _tell("pybuzz", f"{pybuzz.__version__} in {Path(pybuzz.__file__).parent}")
    _tell("Python", f"{platform.python_version()}, {sys.executable}")
    _tell("machine", f"{platform.platform()}, {os.cpu_count()} cores")
    faults = [*_packages(), *_folders(), *_kernels()]
    for fault in faults:
        print(f"fault: {fault}")
    if faults:
        raise typer.Exit(1)
    print("all is well")


def _packages() -> Iterator[str]:
    """Prints needed packages and extras. Yields what is missing that every user needs."""
    by_extra: dict[str, list[str]] = {}
    missing: dict[str, list[str]] = {}
    for requirement in requirements():
        found = requirement.version
        by_extra.setdefault(requirement.extra, []).append(f"{requirement.package} {found or 'missing'}")
        if found is None:
            missing.setdefault(requirement.extra, []).append(requirement.package)
    for extra, packages in by_extra.items():
        way = f"; add with: {installing(extra)}" if extra and extra in missing else ""
        _tell(f"extra {extra}" if extra else "packages", f"{', '.join(packages)}{way}")
    for package in missing.get("", []):
        yield f"{package} is missing: pip install --force-reinstall pybuzz"


def _folders() -> Iterator[str]:
    for name, folder in (("robots", robots_folder()), ("scripts, examples", scripts_folder())):
        _tell(name, str(folder))
        if not folder.is_dir():
            yield f"{folder} is missing: install pybuzz again"


def _kernels() -> Iterator[str]:
    """Compiles one kernel and reads it back from where it is kept."""
    try:
        from pybuzz.kernel_probe import probe

        start = perf_counter()
        kept_in = probe()
        _tell("kernels", f"one was compiled in {perf_counter() - start:.1f} s and {_keeping(kept_in)}")
    except Exception as fault:  # Whatever is wrong with numba or its parts: that is what is asked here.
        yield f"no kernel can be compiled: {type(fault).__name__}: {fault}"


def _keeping(folder: Path | None) -> str:
    if folder is None:
        return "not kept, as no folder can be written: NUMBA_CACHE_DIR=FOLDER in the environment names one"
    return f"kept in {folder}"


def _tell(name: str, text: str) -> None:
    print(f"{name:{_WIDTH}} {text}")
