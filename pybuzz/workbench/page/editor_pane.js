// The editor at its place in the page: what it asks for goes to the server, what the server says of files goes to it.

import { createEditor } from "./editor.js";

/**
 * @param {HTMLElement} element
 * @param {HTMLElement} side  the column that holds it
 * @param {import("./model.js").Model} model
 * @param {import("./connection.js").Connection} connection
 * @param {import("./actions.js").Actions} actions
 */
export function createEditorPane(element, side, model, connection, actions) {
  let isToPlay = false; // once the files that were saved are loaded
  const editor = createEditor(element, {
    onCheck: (file, text) => connection.send({ type: "check", file, text }),
    onBreakpoints: (lines) => connection.send({ type: "breakpoints", lines }),
    onRun: () => {
      isToPlay = true;
      actions.reset();
    },
  });
  model.on("welcome", ({ files, scripts, names }) => {
    side.classList.toggle("no-editor", files.length === 0);
    editor.setExperiment({ files, scripts, names, readOnly: model.recording });
    if (isToPlay) connection.send({ type: "play" });
    isToPlay = false;
  });
  model.on("failed", () => (isToPlay = false));
  model.on("breakpoints", ({ lines }) => editor.showBreakpoints(lines));
  model.on("problems", ({ file, problems }) => editor.showProblems(file, problems));
  model.on("stopped", (stopped) => (stopped ? editor.showStopped(stopped.file, stopped.line) : editor.clearStopped()));
  return editor;
}
