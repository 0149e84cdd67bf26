// What hides the arena while there is nothing to see in it: that the experiment is being prepared, does not load, or that nobody answers.

import { make, setText } from "./dom.js";

/**
 * @param {HTMLElement} element  the arena
 * @param {import("./model.js").Model} model
 * @param {(file: string, line: number) => void} goTo
 */
export function createCurtain(element, model, goTo) {
  const title = make("strong");
  const text = make("span");
  const problems = make("ul");
  const curtain = make("div", { class: "curtain", role: "status", "data-test": "curtain", hidden: true }, make("div", {}, title, text, problems));
  element.append(curtain);

  const show = () => {
    const { fault } = model;
    const busy = model.connection === "connected" && !fault ? model.run.busy : "";
    curtain.hidden = !fault && !busy && model.connection !== "waiting";
    curtain.className = `curtain ${fault ? "fault" : ""}`;
    setText(title, fault ? "The experiment does not load" : busy ? "One moment" : "No connection");
    setText(text, busy || (fault ? (fault.problems?.length ? "" : fault.text) : "The page tries again by itself. Is pybuzz view still running?"));
    problems.replaceChildren(...(fault?.problems ?? []).map((problem) => make("li", {}, placeOf(problem, goTo), problem.text, ...hintOf(problem))));
  };
  model.on("state connection fault welcome", show);
}

function placeOf({ file, line }, goTo) {
  if (!file) return "";
  return make("button", { type: "button", class: "link", text: line ? `${file}:${line}` : file, on: { click: () => goTo(file, line ?? 1) } });
}

function hintOf({ hint }) {
  return hint ? [make("em", { text: hint })] : [];
}
