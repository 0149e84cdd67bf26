"""Hints that say the running command again, with an option more."""

from __future__ import annotations

import pytest
from typer.main import get_group

from pybuzz.cli.app import COMMANDS, make_app
from pybuzz.invocation import command_with, running


@pytest.mark.parametrize("option", ["--allow-io", "--script", "--substitute", "--set", "--robots", "-I"])
def test_a_command_is_repeated_with_an_option_exactly_if_it_takes_it(option: str) -> None:
    commands = get_group(make_app([])).commands
    for name in COMMANDS:
        takes = any(option in parameter.opts for parameter in commands[name].params)
        with running([name, "file"]):
            hint = command_with(option, "value")
        assert hint == (f"pybuzz {name} file {option} value" if takes else f"{option} value"), name
