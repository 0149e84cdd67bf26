// What `check` found: marks in the text, and a list under it that leads to the places.

import { setDiagnostics } from "../vendor/codemirror.js";

/**
 * @typedef {object} Problem  as in the message `problems`
 * @property {number} line
 * @property {number} column
 * @property {number} end_line
 * @property {number} end_column
 * @property {"error" | "warning"} severity
 * @property {string} code
 * @property {string} text
 * @property {string} hint
 */

/** The position of a line and column, which count from 1, moved into the text if they are not in it. */
export function positionOf(doc, lineNumber, column) {
  const line = doc.line(Math.min(Math.max(lineNumber, 1), doc.lines));
  return Math.min(line.from + Math.max(column - 1, 0), line.to);
}

function markOf(doc, problem) {
  const from = positionOf(doc, problem.line, problem.column);
  const end = positionOf(doc, problem.end_line || problem.line, problem.end_column || problem.column + 1);
  const message = problem.hint ? `${problem.text}\nhint: ${problem.hint}` : problem.text;
  return { from, to: Math.max(end, from), severity: problem.severity, source: problem.code || undefined, message };
}

/** The change of a state after which its text is marked. */
export function withProblems(state, problems) {
  return setDiagnostics(state, problems.map((problem) => markOf(state.doc, problem)));
}

function countOf(problems, severity) {
  const count = problems.filter((problem) => problem.severity === severity).length;
  return count ? `${count} ${severity}${count > 1 ? "s" : ""}` : "";
}

export function summaryOf(problems) {
  return [countOf(problems, "error"), countOf(problems, "warning")].filter(Boolean).join(", ") || "No problems";
}

function rowOf(problem, choose) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = `editor-problem editor-${problem.severity}`;
  const parts = [`${problem.line}:${problem.column}`, problem.severity, problem.text, problem.hint];
  for (const [index, name] of ["place", "severity", "text", "hint"].entries()) {
    if (!parts[index]) continue;
    const part = button.appendChild(document.createElement("span"));
    part.className = `editor-problem-${name}`;
    part.textContent = parts[index];
  }
  button.addEventListener("click", () => choose(problem));
  const row = document.createElement("li");
  row.append(button);
  return row;
}

/** Fills `list` (an `ol`) with the problems; `choose` is called with the one that is clicked. */
export function listProblems(list, problems, choose) {
  list.replaceChildren(...problems.map((problem) => rowOf(problem, choose)));
  list.hidden = !problems.length;
}
