"""The command line: one file per command, thin.

Commands parse options, call the rooms below and print; what goes wrong arrives here as a PybuzzError and leaves as
one message on stderr and a documented exit code.
"""

from __future__ import annotations

import gc
import sys

__all__ = ["main"]

_NEW_OBJECTS = 20_000
"""So many before Python looks for garbage among them, in place of 700: a twentieth of a start went into looking."""


def main() -> None:
    """The `pybuzz` command."""
    gc.set_threshold(_NEW_OBJECTS, *gc.get_threshold()[1:])
    try:
        from pybuzz.cli.app import run_app

        code = run_app(sys.argv[1:])
    except KeyboardInterrupt:  # While it was being loaded.
        code = 130
    sys.exit(code)
