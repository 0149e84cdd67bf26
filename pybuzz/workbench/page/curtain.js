// What hides the arena while there is nothing to see in it: that the experiment is being prepared, does not load, or that nobody answers.

import { make, setText } from "./dom.js";

const PLACE = /^(\S[^:]*):(\d+)(?::\d+)?: /;

/**
 * @param {HTMLElement} element  the arena
 * @param {import("./model.js").Model} model
 * @param {(file: string, line: number) => void} goTo
 */
export function createCurtain(element, model, goTo) {
  const title = make("strong");
  const text = make("div", { class: "text" });
  const curtain = make(
    "div",
    { class: "curtain", role: "status", "data-test": "curtain", hidden: true },
    make("div", {}, title, text),
  );
  element.append(curtain);

  const show = () => {
    const { fault, run } = model;
    const isAway = model.connection === "waiting";
    curtain.hidden = !fault && !run.busy && !isAway;
    curtain.classList.toggle("fault", fault !== null);
    if (isAway) setText(title, "No connection");
    else setText(title, fault ? "The experiment does not load" : "");
    if (isAway) setText(text, "The page tries again by itself. Is pybuzz view still running?");
    else if (fault)
      text.replaceChildren(...fault.split("\n").map((line) => lineOf(line, model.welcome?.files ?? [], goTo)));
    else setText(text, run.busy);
  };
  model.on("state connection failed welcome", show);
}

/** A line of what `pybuzz check` would say; the place it begins with leads into the editor. */
function lineOf(line, files, goTo) {
  const place = PLACE.exec(line);
  const file = place && files.find((name) => place[1] === name || place[1].endsWith(`/${name}`));
  if (!file) return make("div", { text: line });
  const [whole, path, number] = place;
  const press = () => goTo(file, Number(number));
  const link = make("button", { type: "button", class: "link", on: { click: press } }, file + whole.slice(path.length));
  return make("div", {}, link, line.slice(whole.length));
}
