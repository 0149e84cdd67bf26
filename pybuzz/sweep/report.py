"""A page about a sweep: a table and a plot for each measure, as Markdown or HTML; or the plots alone."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pybuzz.errors import InputError
from pybuzz.extras import require
from pybuzz.recording.canvas import PLOT_SUFFIXES
from pybuzz.recording.drafts import drafted
from pybuzz.sweep.figures import axis_of, draw_measures, shown
from pybuzz.sweep.statistics import Estimate, estimates

__all__ = ["check_report_file", "write_report"]

SUFFIXES = (".md", ".html", *PLOT_SUFFIXES)


def check_report_file(path: Path) -> None:
    """Raises InputError for a suffix that no report can have, and if what draws its plots is not installed."""
    if path.suffix not in SUFFIXES:
        raise InputError.at(str(path), f"cannot write a '{path.suffix}' report", hint=f"use {' or '.join(SUFFIXES)}")
    require("plot", "matplotlib", place=str(path), purpose="a report's plots")


def write_report(folder: Path | str, path: Path | str) -> Path:
    """Write the page of the sweep in `folder` to `path` (.md with PNG files beside it, or one .html); returns it.

    A .png, .svg or .pdf is the figure alone, with a panel for each measure.

    Raises InputError if the folder holds no finished sweep, for another suffix, or without matplotlib.
    """
    folder, path = Path(folder), Path(path)
    check_report_file(path)
    sweep, rows = _read(folder)
    keys = _keys(sweep)
    measures = [name for name in sweep["measures"] if any(isinstance(row[name], int | float) for row in rows)]
    found = estimates(rows, keys, measures)
    labels = sweep.get("labels", {})
    if path.suffix in PLOT_SUFFIXES:
        drawn = [name for name in measures if axis_of([one for one in found if one.measure == name], keys)]
        if not drawn:
            text = "there is nothing to draw: no parameter of numbers varies"
            raise InputError.at(str(path), text, hint="write a page with its tables: .md or .html")
        return draw_measures(found, keys, drawn, labels, path)
    pictures = {}
    for measure in measures:
        mine = [one for one in found if one.measure == measure]
        if axis_of(mine, keys):
            pictures[measure] = draw_measures(
                mine, keys, [measure], labels, path.with_name(f"{path.stem}_{measure}.png")
            )
    lines = list(_lines(sweep, rows, keys, measures, found, pictures))
    if path.suffix == ".md":
        _write(path, "\n".join(lines) + "\n")
    else:
        _write(path, _as_html(lines, pictures))
        for picture in pictures.values():
            picture.unlink()
    return path


def _write(path: Path, text: str) -> None:
    with drafted(path) as draft:
        draft.write_text(text)


def _read(folder: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    from pybuzz.recording.folder import connect, quoted

    described, summary = folder / "sweep.json", folder / "summary.parquet"
    if not described.is_file() or not summary.is_file():
        raise InputError.at(str(folder), "there is no finished sweep in this folder", hint="run `pybuzz sweep` first")
    found = connect().execute(f"FROM read_parquet({quoted(summary)}) ORDER BY run")
    names = [column[0] for column in found.description or []]
    return json.loads(described.read_text()), [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def _keys(sweep: Mapping[str, Any]) -> list[str]:
    return list(dict.fromkeys([*sweep["parameters"], *(key for row in sweep["rows"] for key in row)]))


def _lines(
    sweep: Mapping[str, Any],
    rows: Sequence[Mapping[str, Any]],
    keys: Sequence[str],
    measures: Sequence[str],
    found: Sequence[Estimate],
    pictures: Mapping[str, Path],
) -> Iterator[str]:
    failed, labels = [row for row in rows if row["status"] == "failed"], sweep.get("labels", {})
    yield f"# {Path(sweep['source']).name}"
    yield ""
    yield f"Experiment {sweep['experiment']}, seed {sweep['seed']}: {len(rows)} runs, {len(failed)} failed."
    for measure in measures:
        yield ""
        yield f"## {labels.get(measure, measure)}"
        yield ""
        yield f"`{sweep['measures'][measure]}`"
        if measure in pictures:
            yield ""
            yield f"![{measure}]({pictures[measure].name})"
        yield ""
        yield "| " + " | ".join([*(labels.get(key, key) for key in keys), "mean", "95 % interval", "n"]) + " |"
        yield "|" + " --- |" * (len(keys) + 3)
        for one in found:
            if one.measure == measure:
                cells = [shown(one.parameters[key]) for key in keys]
                yield (
                    "| "
                    + " | ".join([*cells, f"{one.mean:.6g}", f"{one.low:.6g} .. {one.high:.6g}", str(one.n)])
                    + " |"
                )
    if failed:
        yield ""
        yield "## Failed runs"
        yield ""
        for row in failed:
            settings = ", ".join(f"{key} = {shown(row[key])}" for key in keys)
            yield f"* run {row['run']} ({settings}, seed {row['seed']}): {str(row['error']).splitlines()[0]}"


STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse}td,th{border:1px solid #bbb;padding:.2em .7em;text-align:right}img{max-width:100%}"
)


def _as_html(lines: Sequence[str], pictures: Mapping[str, Path]) -> str:
    """The few forms that `_lines` uses, as one page with its pictures inside."""
    body: list[str] = []
    in_table = False
    for line in lines:
        if in_table and not line.startswith("|"):
            body.append("</table>")
            in_table = False
        if line.startswith("|"):
            if not in_table:
                body.append("<table>")
            cells = [html.escape(cell.strip()) for cell in line.strip("|").split("|")]
            if not all(cell == "---" for cell in cells):
                tag = "td" if in_table else "th"
                body.append("<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + "</tr>")
            in_table = True
        elif line.startswith("!["):
            measure = line[2 : line.index("]")]
            data = base64.b64encode(pictures[measure].read_bytes()).decode()
            body.append(f'<img alt="{html.escape(measure)}" src="data:image/png;base64,{data}">')
        elif line.startswith("#"):
            level = len(line) - len(line.lstrip("#"))
            body.append(f"<h{level}>{html.escape(line.lstrip('# '))}</h{level}>")
        elif line.startswith("`"):
            body.append(f"<p><code>{html.escape(line.strip('`'))}</code></p>")
        elif line:
            body.append(f"<p>{html.escape(line)}</p>")
    if in_table:
        body.append("</table>")
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Sweep</title><style>{STYLE}</style>'
    return head + "\n".join(body) + "</html>\n"
