"""A page about a sweep: a table and a plot for each measure, as Markdown or HTML."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pybuzz.errors import InputError
from pybuzz.sweep.statistics import Estimate, estimates

__all__ = ["write_report"]

SUFFIXES = (".md", ".html")


def write_report(folder: Path | str, path: Path | str) -> Path:
    """Write the page of the sweep in `folder` to `path` (.md with PNG files beside it, or one .html); returns it.

    Raises InputError if the folder holds no finished sweep, or for another suffix.
    """
    folder, path = Path(folder), Path(path)
    if path.suffix not in SUFFIXES:
        raise InputError.at(str(path), f"cannot write a '{path.suffix}' report", hint=f"use {' or '.join(SUFFIXES)}")
    sweep, rows = _read(folder)
    keys = _keys(sweep)
    measures = [name for name in sweep["measures"] if any(isinstance(row[name], int | float) for row in rows)]
    found = estimates(rows, keys, measures)
    path.parent.mkdir(parents=True, exist_ok=True)
    pictures = {}
    for measure in measures:
        picture = path.with_name(f"{path.stem}_{measure}.png")
        if _plot([one for one in found if one.measure == measure], keys, measure, picture):
            pictures[measure] = picture
    lines = list(_lines(sweep, rows, keys, measures, found, pictures))
    if path.suffix == ".md":
        path.write_text("\n".join(lines) + "\n")
    else:
        path.write_text(_as_html(lines, pictures))
        for picture in pictures.values():
            picture.unlink()
    return path


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
    failed = [row for row in rows if row["status"] == "failed"]
    yield f"# {Path(sweep['source']).name}"
    yield ""
    yield f"Experiment {sweep['experiment']}, seed {sweep['seed']}: {len(rows)} runs, {len(failed)} failed."
    for measure in measures:
        yield ""
        yield f"## {measure}"
        yield ""
        yield f"`{sweep['measures'][measure]}`"
        if measure in pictures:
            yield ""
            yield f"![{measure}]({pictures[measure].name})"
        yield ""
        yield "| " + " | ".join([*keys, "mean", "95 % interval", "n"]) + " |"
        yield "|" + " --- |" * (len(keys) + 3)
        for one in found:
            if one.measure == measure:
                cells = [_shown(one.parameters[key]) for key in keys]
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
            settings = ", ".join(f"{key} = {_shown(row[key])}" for key in keys)
            yield f"* run {row['run']} ({settings}, seed {row['seed']}): {str(row['error']).splitlines()[0]}"


def _shown(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _plot(found: Sequence[Estimate], keys: Sequence[str], measure: str, path: Path) -> bool:
    """Mean and interval over the first numeric parameter, a line for each combination of the others."""
    axis = next((key for key in keys if len({one.parameters[key] for one in found}) > 1 and _numeric(found, key)), None)
    if axis is None:
        return False
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError.at(str(path), "plots need matplotlib", hint="pip install 'pybuzz[plot]'") from None
    others = [key for key in keys if key != axis]
    lines: dict[str, list[Estimate]] = {}
    for one in found:
        label = ", ".join(f"{key} = {_shown(one.parameters[key])}" for key in others)
        lines.setdefault(label, []).append(one)
    figure = Figure(figsize=(7.0, 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for label, points in lines.items():
        points = sorted(points, key=lambda one: one.parameters[axis])
        x = [one.parameters[axis] for one in points]
        (line,) = axes.plot(x, [one.mean for one in points], marker="o", label=label or None)
        axes.fill_between(
            x, [one.low for one in points], [one.high for one in points], alpha=0.2, color=line.get_color()
        )
    axes.set_xlabel(axis)
    axes.set_ylabel(f"{measure} (mean, 95 % interval)")
    axes.grid(alpha=0.3)
    if others:
        axes.legend(fontsize="small")
    figure.savefig(path, dpi=120, metadata={"Software": None})
    return True


def _numeric(found: Sequence[Estimate], key: str) -> bool:
    return all(isinstance(one.parameters[key], int | float) for one in found)


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
