"""The `pybuzz` command: its list of commands, and how errors and interruptions end it."""

from __future__ import annotations

import os
import shlex
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from pybuzz import __version__
from pybuzz.cli import reporting
from pybuzz.cli.streams import send_nowhere
from pybuzz.errors import InputError, PybuzzError, interruption_behind
from pybuzz.invocation import running
from pybuzz.missing_files import EXPERIMENT_SUFFIXES
from pybuzz.spelling import did_you_mean

__all__ = ["COMMANDS", "make_app", "run_app"]

INTERRUPTED = 130
OWN_FAULT = 70

COMMANDS = {
    "run": "run",
    "exec": "execute",
    "check": "check",
    "plot": "plot",
    "view": "view",
    "render": "render",
    "query": "tables",
    "export": "tables",
    "diff": "tables",
    "convert": "convert",
    "sweep": "sweep",
    "emulate": "emulate",
    "deploy": "deploy",
    "robots": "robots",
    "stop": "stop",
    "examples": "examples",
    "new": "examples",
    "doctor": "doctor",
}
"""Command -> the module of this room that has it."""


def make_app(arguments: Sequence[str]) -> typer.Typer:
    """The command line; with only the one command if the arguments name it, so that no other is imported."""
    app = typer.Typer(
        name="pybuzz",
        cls=_Commands,
        help=(
            "Buzz, the language for robot swarms: run scripts on Khepera IV robots, simulated or real, replay "
            "ARGoS experiments, record and plot.\n\n"
            "Start here:\n\n"
            "  pybuzz run script.bzz            ten robots in a walled arena, 60 s\n\n"
            "  pybuzz view script.bzz           the same in the browser, live\n\n"
            "  pybuzz check script.bzz          what is wrong with it, without running\n\n"
            "  pybuzz examples                  experiments to copy; `pybuzz new FOLDER` starts your own\n\n"
            "  pybuzz run demo.yaml --record runs/demo  &&  pybuzz plot runs/demo\n\n"
            "pybuzz help COMMAND explains a command."
        ),
        epilog=(
            "Exit codes: 0 good; 1 a script failed; 2 wrong usage or a faulty input file; 3 a robot or link failed; "
            "70 a fault of pybuzz; 130 interrupted."
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


class _EndOfFileError(Exception):
    """An EOFError that nobody foresaw. typer would take it for Ctrl-D at a question, and say nothing but "Aborted!"."""

    def __init__(self, fault: EOFError) -> None:
        super().__init__(fault)
        self.fault = fault


class _Commands(TyperGroup):
    def invoke(self, ctx: Any) -> object:
        try:
            return super().invoke(ctx)
        except EOFError as fault:
            raise _EndOfFileError(fault) from fault


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
    _prepare_streams()
    code = _exit_code(arguments)
    if (cache := sys.modules.get("pybuzz.kernel_cache")) and (note := cache.note_about_keeping()):
        reporting.print_note(note)
    return code


def _exit_code(arguments: Sequence[str]) -> int:
    try:
        arguments = _checked(arguments)
        with running(arguments):
            make_app(arguments)(list(arguments), prog_name="pybuzz")
        sys.stdout.flush()
    except SystemExit as end:
        if end.code == INTERRUPTED:
            reporting.print_note("interrupted")
        # typer ends with 1 when the reader of stdout went away, which would mean that a script failed
        return _leave_stdout() if isinstance(end.__context__, BrokenPipeError) else int(end.code or 0)
    except _EndOfFileError as end:
        return _own_fault(end.fault)
    except PybuzzError as error:
        reporting.print_error(error)
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return _leave_stdout()
    except OSError as fault:
        _leave_stdout()
        reporting.print_note(f"{fault.filename or 'output'}: error: {fault.strerror or fault}")
        return PybuzzError.exit_code
    except Exception as fault:
        return INTERRUPTED if interruption_behind(fault) else _own_fault(fault)
    return 0


def _checked(arguments: Sequence[str]) -> list[str]:
    """The command line with `help` as an option of the command. Raises InputError if there is no such command."""
    words = [*arguments[1:2], "--help"] if list(arguments[:1]) == ["help"] else list(arguments)
    if not words or words[0].startswith("-") or words[0] in COMMANDS:
        return words
    word = words[0]
    if Path(word).suffix in EXPERIMENT_SUFFIXES or Path(word).exists():
        hint = f"to run it: pybuzz run {shlex.join(arguments)}"
    else:
        hint = did_you_mean(word, COMMANDS) or "pybuzz --help lists the commands"
    raise InputError.at("pybuzz", f"there is no command '{word}'", kind="usage", hint=hint)


def _prepare_streams() -> None:
    """stdout and stderr may be closed, or know few letters; neither is a reason to fail."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - open until the process ends
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _leave_stdout() -> int:
    """The reader went away (`| head`): no error. Nothing more goes to stdout, nor must Python flush it at its exit."""
    with suppress(OSError, ValueError):
        send_nowhere(sys.stdout.fileno())
    return 0


def _own_fault(fault: Exception) -> int:
    """An error that nobody foresaw is a fault of pybuzz: one line about it, the whole of it if somebody asks."""
    if os.environ.get("PYBUZZ_DEBUG"):
        raise fault
    frame = traceback.extract_tb(fault.__traceback__)[-1]
    reporting.print_note(
        f"{frame.filename}:{frame.lineno}: fault of pybuzz: {type(fault).__name__}: {fault}\n"
        "  hint: please report it, with what PYBUZZ_DEBUG=1 in the environment shows"
    )
    return OWN_FAULT
