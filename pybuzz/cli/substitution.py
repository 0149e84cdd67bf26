"""The option `--substitute KIND=KIND` of several commands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

from pybuzz.errors import InputError

__all__ = ["Substitute", "pairs"]

Substitute = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KIND=KIND", help="Robots to put in place of others: foot-bot=kheperaiv; none leaves them out."
    ),
]


def pairs(texts: Iterable[str]) -> dict[str, str]:
    """Kinds of robots and what stands in for them, as typed."""
    found = {}
    for text in texts:
        kind, equals, other = text.partition("=")
        if not (kind and equals and other):
            raise InputError.at("--substitute", f"'{text}' is not KIND=KIND", hint="for example foot-bot=kheperaiv")
        found[kind] = other
    return found
