"""The `pybuzz` command: its list of commands, and how errors and interruptions end it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

from pybuzz import __version__
from pybuzz.cli import reporting
from pybuzz.errors import PybuzzError

__all__ = ["COMMANDS", "make_app", "run_app"]

INTERRUPTED = 130

COMMANDS = {
    "run": "run",
    "exec": "execute",
    "check": "check",
    "plot": "plot",
    "render": "render",
    "query": "tables",
    "export": "tables",
    "diff": "tables",
    "convert": "convert",
    "sweep": "sweep",
    "emulate": "emulate",
    "deploy": "deploy",
    "stop": "stop",
}
"""Command -> the module of this room that has it."""


def make_app(arguments: Sequence[str]) -> typer.Typer:
    """The command line; with only the one command if the arguments name it, so that no other is imported."""
    app = typer.Typer(
        name="pybuzz",
        help=(
            "Buzz, the language for robot swarms: run scripts on Khepera IV robots, simulated or real, replay "
            "ARGoS experiments, record and plot.\n\n"
            "Start here:\n\n"
            "  pybuzz run script.bzz            ten robots in a walled arena, 60 s\n\n"
            "  pybuzz check script.bzz          what is wrong with it, without running\n\n"
            "  pybuzz run demo.yaml --record runs/demo  &&  pybuzz plot runs/demo"
        ),
        epilog=(
            "Exit codes: 0 good; 1 a script failed; 2 wrong usage or a faulty input file; 3 a robot or link failed; "
            "130 interrupted."
        ),
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback()(_root)
    named = COMMANDS.get(arguments[0]) if arguments else None
    for module in (named,) if named else dict.fromkeys(COMMANDS.values()):
        import_module(f"pybuzz.cli.{module}").register(app)
    return app


def _print_version(value: bool) -> None:
    if value:
        print(f"pybuzz {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


def run_app(arguments: Sequence[str]) -> int:
    """Run one command line; the exit code."""
    try:
        make_app(arguments)(list(arguments), prog_name="pybuzz")
    except SystemExit as end:
        return int(end.code or 0)
    except PybuzzError as error:
        reporting.print_error(error)
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader went away (`| head`): no error. stdout is gone, so Python must not flush it at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return 0
