"""The same program written differently: other blanks, comments, semicolons, line ends, and parts in included files."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from random import Random

_TOKEN = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\d[\d.]*|\w+|\s+|<<|>>|[<>=!]=|.""")
_GAPS = (" ", "\n", "\t", "\r\n", "  \n\n", ' # a comment; } "\n', ";", " ; \n")


def restyled(text: str, random: Random) -> str:
    """Each gap between two tokens as another gap, but where the end of a line means something: after `return`, `)`."""
    tokens = _TOKEN.findall(text)
    gaps = (_gap(random) if before not in {"return", ")"} else token for before, token in pairwise(["", *tokens]))
    return "".join(gap if token.isspace() else token for gap, token in zip(gaps, tokens, strict=True))


def _gap(random: Random) -> str:
    return random.choice(_GAPS) if random.random() < 0.3 else " "


def spread_over_files(text: str, folder: Path, random: Random) -> str:
    """The program with some runs of its lines moved to files that it includes."""
    lines = text.splitlines()
    for number in range(random.randint(1, 3)):
        start = random.randrange(len(lines))
        end = min(start + random.randint(1, 12), len(lines))
        (folder / f"part{number}.bzz").write_text("\n".join(lines[start:end]) + "\n", encoding="latin-1")
        quote = random.choice("\"'")
        lines[start:end] = [f"include {quote}part{number}.bzz{quote}"]
    return "\n".join(lines) + "\n"
