// Breakpoints in a gutter of their own, which move with the text; and the line at which a script stopped.

import { Decoration, EditorView, GutterMarker, MapMode, RangeSet, StateEffect, StateField, gutter } from "../vendor/codemirror.js";

const setBreakpoints = StateEffect.define(); // {lines: numbers of lines, idle: those of them at which nothing can stop}
const setStopped = StateEffect.define(); // the number of a line, or null

class Dot extends GutterMarker {
  constructor(className, title) {
    super();
    this.className = className;
    this.title = title;
  }

  toDOM() {
    const dot = document.createElement("div");
    dot.className = this.className;
    dot.title = this.title;
    return dot;
  }
}
// A dot stays with its text when a line is put before it.
Dot.prototype.startSide = Dot.prototype.endSide = 1;
Dot.prototype.mapMode = MapMode.TrackDel;
const DOT = new Dot("editor-breakpoint", "Breakpoint (F9)");
const IDLE_DOT = new Dot("editor-breakpoint idle", "Breakpoint (F9): there is no code here or below to stop at");

function dotsAt({ lines, idle = [] }, doc) {
  const within = [...new Set(lines)].filter((line) => line >= 1 && line <= doc.lines).sort((a, b) => a - b);
  return RangeSet.of(within.map((line) => (idle.includes(line) ? IDLE_DOT : DOT).range(doc.line(line).from)));
}

const breakpointField = StateField.define({
  create: () => RangeSet.empty,
  update(dots, transaction) {
    let moved = dots.map(transaction.changes);
    if (transaction.docChanged) moved = dotsAt({ lines: linesOf(moved, transaction.state.doc) }, transaction.state.doc);
    for (const effect of transaction.effects) {
      if (effect.is(setBreakpoints)) moved = dotsAt(effect.value, transaction.state.doc);
    }
    return moved;
  },
});

function linesOf(dots, doc) {
  const lines = [];
  dots.between(0, doc.length, (from) => {
    lines.push(doc.lineAt(from).number);
  });
  return lines;
}

const stoppedLine = Decoration.line({ class: "editor-stopped" });
const stoppedField = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    let moved = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setStopped)) continue;
      const { doc } = transaction.state;
      const there = effect.value !== null && effect.value >= 1 && effect.value <= doc.lines;
      moved = there ? Decoration.set([stoppedLine.range(doc.line(effect.value).from)]) : Decoration.none;
    }
    return moved;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The numbers of the lines with a breakpoint, in order. */
export function breakpointsOf(state) {
  const dots = state.field(breakpointField, false);
  return dots ? linesOf(dots, state.doc) : [];
}

export function withBreakpoints(lines, idle = []) {
  return { effects: setBreakpoints.of({ lines, idle }) };
}

/** A line is shown as the one at which a robot stands; null: none is. */
export function withStopped(line) {
  return { effects: setStopped.of(line) };
}

function toggled(state, line) {
  const lines = breakpointsOf(state);
  return withBreakpoints(lines.includes(line) ? lines.filter((other) => other !== line) : [...lines, line]);
}

/** @param {() => void} changed  called when the person at the keyboard set or took away a breakpoint */
export function breakpoints(changed) {
  const toggle = (view, position) => {
    view.dispatch(toggled(view.state, view.state.doc.lineAt(position).number));
    changed();
    return true;
  };
  return {
    extension: [
      breakpointField,
      stoppedField,
      gutter({
        class: "editor-breakpoints",
        markers: (view) => view.state.field(breakpointField),
        domEventHandlers: { mousedown: (view, line) => toggle(view, line.from) },
      }),
    ],
    keys: [{ key: "F9", run: (view) => toggle(view, view.state.selection.main.head) }],
  };
}
