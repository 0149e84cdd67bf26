"""Writes docs/python-api.md from the docstrings of what Python callers use: `python docs/make_python_api.py`."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = Path(__file__).with_name("python-api.md")

HEAD = """# The Python API

Made by `python docs/make_python_api.py` from the docstrings; a test compares them.

```python
import pybuzz

with pybuzz.load("scripts/examples/hexagon", seed=7) as experiment:
    recording = experiment.run(ticks=100)
print(recording.poses.shape)  # (101, 10, 3)
```

Lengths are in m, angles in rad, times in ticks unless a line says otherwise. Arrays are NumPy's, written as
type[shape]. How it all fits together: [recordings.md](recordings.md), [sensors.md](sensors.md),
[worlds.md](worlds.md) and [coming-from-argos.md](coming-from-argos.md).
"""

ERRORS = """| exception | command ends with | when |
| --- | --- | --- |
| none | 0 | all went well |
| `ScriptError` | 1, or 2 if it does not compile | a script is at fault |
| `InputError` | 2 | a file, an option or an argument is at fault |
| `LinkError` | 3 | a robot, or the link to it, failed |
| any other | 70 | a fault of pybuzz, or of Python code that was given to it |

All that pybuzz raises on purpose are `PybuzzError`s; `exit_code` is the number above.
A script that fails while it runs stops its robot and raises nothing, unless `on_error` is "raise";
`Experiment.failures` has all of them, and `Experiment.run` warns.
"""

CONTENTS: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = (
    ("Load", "", (("pybuzz.experiment.loading", "load"), ("pybuzz.experiment.experiment", "RunOptions"))),
    (
        "Run",
        "",
        (
            ("pybuzz.experiment.experiment", "Experiment"),
            ("pybuzz.experiment.robots", "RobotView"),
            ("pybuzz.experiment.robots", "ScriptGlobals"),
            ("pybuzz.experiment.entities", "EntityView"),
            ("pybuzz.experiment.simulation", "Failure"),
            ("pybuzz.experiment.logs", "LogLine"),
        ),
    ),
    (
        "What `experiment.add` takes",
        "",
        tuple(("pybuzz.experiment.plan", name) for name in ("Box", "Cylinder", "Light", "Robot")),
    ),
    ("Hooks", "", (("pybuzz.experiment.hooks", "Hooks"), ("pybuzz.sim.own_sensors", "sensor"))),
    (
        "Recordings",
        "",
        (
            *(("pybuzz.recording.recording", name) for name in ("Recording", "ObjectWays", "LightStay", "Event")),
            ("pybuzz.recording.recording", "LogLine"),
            ("pybuzz.recording.messages", "Messages"),
            ("pybuzz.recording.description", "RunDescription"),
        ),
    ),
    (
        "Errors and exit codes",
        ERRORS,
        tuple(
            ("pybuzz.errors", name)
            for name in ("PybuzzError", "InputError", "ScriptError", "LinkError", "Diagnostic", "Place", "StackEntry")
        ),
    ),
)

Function = ast.FunctionDef
_SHORT = 100


def exported() -> set[str]:
    """The names that `import pybuzz` gives."""
    (names,) = (
        node.value
        for node in _parsed("pybuzz").body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    )
    return set(ast.literal_eval(names))


def page() -> str:
    """The page's text."""
    parts = [HEAD]
    known = exported()
    for title, before, members in CONTENTS:
        parts.append(f"## {title}\n")
        if before:
            parts.append(before)
        for module, name in members:
            parts += _entry(module, name, known)
    return "\n".join(parts)


def _parsed(module: str) -> ast.Module:
    path = ROOT.joinpath(*module.split("."))
    return ast.parse((path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text())


def _entry(module: str, name: str, known: set[str]) -> Iterator[str]:
    (node,) = (
        each for each in _parsed(module).body if isinstance(each, ast.ClassDef | ast.FunctionDef) and each.name == name
    )
    home = "pybuzz" if name in known else module
    yield f"### {name}\n"
    yield f"`from {home} import {name}`\n"
    if isinstance(node, ast.FunctionDef):
        yield _code(name, _arguments(node))
        yield _text(node, name)
        return
    fields = _fields(node)
    if fields and not _method(node, "__init__"):
        yield _code(name, [f"{each}: {kind}{default}" for each, kind, default, _ in fields])
    yield _text(node, name)
    rows = [*_members(node, name), *((each, kind, text) for each, kind, _, text in fields if text)]
    if rows:
        yield "| member | what it is |\n| --- | --- |"
        yield "\n".join(f"| `{_cell(left)}`{_kind(kind)} | {_cell(text)} |" for left, kind, text in rows) + "\n"


def _kind(kind: str) -> str:
    return f" `{_cell(kind)}`" if kind else ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _members(node: ast.ClassDef, owner: str) -> Iterator[tuple[str, str, str]]:
    """What stands in a class for its users: values that its constructor explains, properties, methods."""
    constructor = _method(node, "__init__")
    if constructor:
        yield from _explained(constructor.body)
    for each in node.body:
        if not isinstance(each, ast.FunctionDef) or each.name.startswith("_"):
            continue
        decorators = {ast.unparse(one) for one in each.decorator_list}
        text = _raw_text(each, f"{owner}.{each.name}")
        if decorators & {"property", "cached_property"}:
            yield each.name, ast.unparse(each.returns) if each.returns else "", text
        else:
            result = f" -> {ast.unparse(each.returns)}" if each.returns else ""
            yield f"{each.name}({', '.join(_arguments(each)[:-1])}){result}", "", text


def _explained(body: list[ast.stmt]) -> Iterator[tuple[str, str, str]]:
    for statement, following in pairwise(body):
        if isinstance(statement, ast.Assign) and (text := _string(following)):
            yield ast.unparse(statement.targets[0]).removeprefix("self."), "", text


def _fields(node: ast.ClassDef) -> list[tuple[str, str, str, str]]:
    """Name, type, " = default" and explanation of each field of a dataclass or NamedTuple."""
    found = []
    for place, each in enumerate(node.body):
        if isinstance(each, ast.AnnAssign):
            default = f" = {ast.unparse(each.value)}" if each.value else ""
            default = default.replace("field(default_factory=dict)", "{}")
            text = _string(node.body[place + 1]) if place + 1 < len(node.body) else ""
            found.append((ast.unparse(each.target), ast.unparse(each.annotation), default, text))
    return found


def _string(node: ast.stmt) -> str:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return inspect.cleandoc(node.value.value)
    return ""


def _method(node: ast.ClassDef, name: str) -> Function | None:
    return next((each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == name), None)


def _arguments(node: Function) -> list[str]:
    """Each argument as it is written, without self; the last one is the result."""
    given = node.args
    plain = [*given.posonlyargs, *given.args]
    defaults: list[ast.expr | None] = [*[None] * (len(plain) - len(given.defaults)), *given.defaults]
    words = [
        _argument(one, value) for one, value in zip(plain, defaults, strict=True) if one.arg not in ("self", "cls")
    ]
    if given.kwonlyargs:
        words.append("*")
        words += [_argument(one, value) for one, value in zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    return [*words, f"-> {ast.unparse(node.returns) if node.returns else 'None'}"]


def _argument(one: ast.arg, default: ast.expr | None) -> str:
    kind = f": {ast.unparse(one.annotation)}" if one.annotation else ""
    return f"{one.arg}{kind}{f' = {ast.unparse(default)}' if default is not None else ''}"


def _code(name: str, words: list[str]) -> str:
    result = ""
    if words and words[-1].startswith("-> "):
        *words, result = words
    line = f"{name}({', '.join(words)}) {result}".rstrip()
    if len(line) > _SHORT:
        line = f"{name}(\n" + "".join(f"    {word},\n" for word in words) + f") {result}".rstrip()
    return f"```text\n{line}\n```\n"


def _raw_text(node: ast.ClassDef | Function, name: str) -> str:
    text = ast.get_docstring(node)
    if not text:
        raise ValueError(f"{name} has no docstring")
    return text


def _text(node: ast.ClassDef | Function, name: str) -> str:
    """The docstring; paragraphs in columns stay as they are written."""
    paragraphs = _raw_text(node, name).split("\n\n")
    columns = re.compile(r"^\w+ {2,}|^\w+ +\w+.*\n\w+ {2,}", re.MULTILINE)
    return "\n\n".join(f"```text\n{one}\n```" if columns.search(one) else one for one in paragraphs) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
