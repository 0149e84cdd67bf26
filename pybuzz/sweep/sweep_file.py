"""Sweep files: read whole, every mistake with its line and the nearest name.

experiment: aggregation.yaml            # .yaml, .argos or .bzz
seed: 1
repetitions: 20
seconds: 60                             # or ticks; otherwise the experiment's length
parameters:                             # all combinations
  buzz.SPACING: [30, 40, 50]
  radio.range: {range: [0.5, 2.0, 0.5]}           # first, last, step; both ends included
  robots[1].count: {linspace: [5, 20, 4]}         # first, last, how many
rows: settings.csv                      # combinations from a table: a column per key
hooks: study.py:Stop
measures:
  order: order_parameter                # an expression, see docs/sweeps.md
  state: mean(final("state"))
  own: study.py:spread                  # a Python function of the run
labels: {radio.range: radio range (m)}  # of axes and columns in reports
globals: [state]                        # that Python functions read
sensors: []
script: ../buzz/walk.bzz                # in place of those that an .argos file names
include: [../buzz/include]              # folders in which includes are looked for too
io: files                               # where scripts may use files, a folder for each run
limits: {memory_mb: 500}
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

from pybuzz.errors import InputError
from pybuzz.faults import Faults
from pybuzz.missing_files import missing_file
from pybuzz.spelling import did_you_mean
from pybuzz.sweep.measures import check_expression, is_function
from pybuzz.sweep.plan import Sweep
from pybuzz.yaml_nodes import Section, YamlReader
from pybuzz.yaml_tree import Entry, parse

__all__ = ["read_sweep"]

MOST_VALUES = 100_000


def read_sweep(path: Path | str) -> Sweep:
    """The sweep of a file. Raises InputError with every fault of the file."""
    path = Path(path)
    if not path.exists():
        raise missing_file(path)
    if path.suffix in (".bzz", ".argos"):
        raise _one_run(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError.at(str(path), f"cannot be read: {error.strerror}", kind="missing file") from None
    except UnicodeDecodeError:
        raise InputError.at(str(path), "this is not UTF-8 text", kind="not readable", hint="save it as UTF-8") from None
    faults = Faults(str(path), text)
    reader = YamlReader(faults)
    root = parse(text, str(path))
    if root.keys is None:
        what = "the file is empty" if root.tag == "null" else f"{root.what} is no sweep"
        reader.fault(root, what, kind="no sweep", hint="it starts with the key experiment:")
        faults.settle()
    elif "arena" in root.keys and "measures" not in root.keys:
        raise _one_run(path)
    with reader.section(root, "the sweep") as top:
        sweep = _sweep(top, path)
    faults.settle()
    return sweep


def _one_run(path: Path) -> InputError:
    text, hint = "this is one experiment", f"pybuzz run {path}; docs/sweeps.md has files for many runs"
    return InputError.at(str(path), text, kind="no sweep", hint=hint)


def _sweep(top: Section, path: Path) -> Sweep:
    folder = path.parent
    measures, parameters, rows = _measures(top, folder), _parameters(top), _rows(top, folder)
    experiment = top.need("experiment")
    limits = top.get("limits")
    memory = None
    if limits is not None:
        with top.reader.section(limits, "limits") as section:
            memory = section.number("memory_mb", above=0.0) if section.has("memory_mb") else None
    return Sweep(
        source=str(path),
        experiment=_existing(top, experiment, "experiment", folder),
        seed=top.whole("seed", 1),
        repetitions=top.whole("repetitions", 1, least=1),
        measures=measures,
        parameters=parameters,
        rows=rows,
        ticks=top.whole("ticks", least=1) if top.has("ticks") else None,
        seconds=top.number("seconds", above=0.0) if top.has("seconds") else None,
        exact=top.boolean("exact", False),
        single_precision=top.boolean("single_precision", False),
        hooks=_function(top, top.get("hooks"), "hooks", folder),
        variables=_words(top, "globals"),
        sensors=_words(top, "sensors"),
        memory_mb=memory,
        labels=_labels(top, [*parameters, *(key for row in rows for key in row), *measures]),
        scripts=(str(_existing(top, top.get("script"), "script", folder)),) if top.has("script") else (),
        include=tuple(str(folder / name) for name in _words(top, "include")),
        io=str(folder / top.word("io")) if top.has("io") else None,
    )


def _words(top: Section, key: str) -> tuple[str, ...]:
    entry = top.get(key)
    return () if entry is None else top.reader.words(entry, key)


def _existing(top: Section, entry: Entry | None, key: str, folder: Path) -> Path:
    if entry is None:
        return folder
    path = folder / top.reader.word(entry, key)
    if not path.exists():
        top.reader.fault(entry, f"{key}: there is no file {path}", kind="missing file")
    return path


def _function(top: Section, entry: Entry | None, key: str, folder: Path) -> str | None:
    """FILE.py:NAME with the path as seen from here."""
    if entry is None:
        return None
    text = top.reader.word(entry, key)
    file, colon, name = text.rpartition(":")
    if not colon or not file.endswith(".py") or not name.isidentifier():
        top.reader.fault(entry, f"{key}: '{text}' is not FILE.py:NAME")
    elif not (folder / file).is_file():
        top.reader.fault(entry, f"{key}: there is no file {folder / file}", kind="missing file")
    return f"{folder / file}:{name}"


def _measures(top: Section, folder: Path) -> dict[str, str]:
    entry = top.need("measures")
    if entry is None:
        return {}
    measures: dict[str, str] = {}
    for name in list(top.reader.section(entry, "measures").names):
        value = (entry.keys or {})[name]
        text = top.reader.word(value, f"measures.{name}")
        if is_function(text):
            measures[name] = _function(top, value, f"measures.{name}", folder) or ""
            continue
        problem = check_expression(text)
        if problem:
            top.reader.fault(value, f"measures.{name}: {problem[0]}", hint=problem[1])
        measures[name] = text
    if not measures:
        top.reader.fault(entry, "measures: nothing is measured", hint="for example {distance: distance_travelled}")
    return measures


def _parameters(top: Section) -> dict[str, tuple[str, ...]]:
    entry = top.get("parameters")
    if entry is None:
        return {}
    section = top.reader.section(entry, "parameters")
    for key in section.names:
        _refuse_seed(top, (entry.keys or {})[key], key)
    return {key: _values(top, (entry.keys or {})[key], key) for key in section.names}


def _refuse_seed(top: Section, entry: Entry, key: str) -> None:
    """Each run has a seed of its own, which would go before one that a parameter names."""
    if key in ("seed", "experiment.seed") or key.endswith("@random_seed"):
        text = f"{key}: a seed cannot be a parameter; each run gets its own"
        top.reader.fault(entry, text, kind="seed as parameter", hint="write `repetitions: 20`, and `seed: 1` for all")


def _labels(top: Section, known: Sequence[str]) -> dict[str, str]:
    """How reports call parameters and measures."""
    entry = top.get("labels")
    if entry is None:
        return {}
    labels: dict[str, str] = {}
    for key in list(top.reader.section(entry, "labels").names):
        value = (entry.keys or {})[key]
        labels[key] = top.reader.word(value, f"labels.{key}")
        if key not in known:
            hint = did_you_mean(key, known) or f"there are: {', '.join(dict.fromkeys(known))}"
            top.reader.fault(value, f"labels: nothing is called '{key}' here", hint=hint)
    return labels


def _values(top: Section, entry: Entry, key: str) -> tuple[str, ...]:
    reader = top.reader
    if entry.items is not None:
        if not entry.items:
            reader.fault(entry, f"{key}: the list is empty")
        return tuple(map(_value, entry.items))
    if entry.keys is None:
        reader.fault(entry, f"{key}: {entry.what} is no list of values", hint="write [1, 2] or {range: [1, 9, 2]}")
        return ()
    with reader.section(entry, key) as section:
        for name, spread in (("range", _range), ("linspace", _linspace)):
            found = section.get(name)
            if found is not None:
                numbers = reader.vector(found, f"{key}.{name}", 3)
                values = spread(*(Decimal(repr(number)) for number in numbers))
                if values is None:
                    reader.fault(found, f"{key}.{name}: this gives no value, or more than {MOST_VALUES}")
                return values or ()
    reader.fault(entry, f"{key}: neither range nor linspace", hint="write {range: [first, last, step]}")
    return ()


def _value(entry: Entry) -> str:
    """A value as `--set` takes it: a list or mapping in one line."""
    if entry.items is not None:
        return f"[{', '.join(map(_value, entry.items))}]"
    if entry.keys is not None:
        return f"{{{', '.join(f'{key}: {_value(value)}' for key, value in entry.keys.items())}}}"
    return entry.text or ""


def _range(first: Decimal, last: Decimal, step: Decimal) -> tuple[str, ...] | None:
    if step == 0 or not 0 <= (count := int((last - first) / step)) < MOST_VALUES:
        return None
    return tuple(_text(first + step * index) for index in range(count + 1))


def _linspace(first: Decimal, last: Decimal, count: Decimal) -> tuple[str, ...] | None:
    if count != int(count) or not 1 <= count <= MOST_VALUES:
        return None
    steps = max(int(count) - 1, 1)
    return tuple(_text(first + (last - first) * index / steps) for index in range(int(count)))


def _text(number: Decimal) -> str:
    return str(int(number)) if number == int(number) else f"{number.normalize():f}"


def _rows(top: Section, folder: Path) -> tuple[dict[str, str], ...]:
    entry = top.get("rows")
    if entry is None:
        return ()
    path = _existing(top, entry, "rows", folder)
    if not path.is_file():
        return ()
    with path.open(newline="", encoding="utf-8-sig", errors="replace") as file:
        table = csv.DictReader(file, restkey="")
        rows = [{(key or "").strip(): value for key, value in row.items()} for row in table]
    for key in rows[0] if rows else ():
        _refuse_seed(top, entry, key)
    for number, row in enumerate(rows, 2):
        if "" in row or None in row.values():
            top.reader.fault(entry, f"rows: line {number} of {path} has not one value for each column")
    if not rows:
        top.reader.fault(entry, f"rows: {path} has no rows")
    return tuple({key: str(value).strip() for key, value in row.items() if key} for row in rows)
