"""docs/tutorial.md: whoever types what it says, in its order, sees what it says."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "tutorial.md").read_text()
BLOCKS = re.findall(r"(?:Write `([\w.]+)`:\n\n)?```([\w-]+)\n(.*?)```", PAGE, re.DOTALL)


def test_every_block_does_what_the_page_says_in_its_order(pybuzz, write, tmp_path: Path) -> None:
    pictures = set()
    for name, language, text in BLOCKS:
        if language in ("buzz", "yaml"):
            write(name, text)
        elif language == "python":
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(text, {})
            assert f"# {printed.getvalue().strip()}" in text
        else:
            said = ""
            for line in text.splitlines():
                if not line.startswith("$ "):
                    assert line in said, line
                    continue
                words = shlex.split(line)
                result = pybuzz(*words[2:])
                assert result.code == (1 if language == "console-that-fails" else 0), line + result.err
                said = result.out + result.err
                pictures |= {word for word in words if word.endswith(".png")}
    assert len(pictures) == 6
    for picture in pictures:
        assert (tmp_path / picture).stat().st_size > 1000


def test_every_script_of_the_page_is_named() -> None:
    assert all(name for name, language, _ in BLOCKS if language in ("buzz", "yaml"))


def test_the_links_of_the_tutorial_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)", PAGE):
        assert (DOCS / target).exists(), target
