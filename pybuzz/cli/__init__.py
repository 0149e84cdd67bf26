"""The command line: one file per command, thin.

Commands parse options, call the rooms below and print; what goes wrong arrives here as a PybuzzError and leaves as
one message on stderr and a documented exit code.
"""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """The `pybuzz` command."""
    try:
        from pybuzz.cli.app import run_app

        code = run_app(sys.argv[1:])
    except KeyboardInterrupt:  # While it was being loaded.
        code = 130
    sys.exit(code)
