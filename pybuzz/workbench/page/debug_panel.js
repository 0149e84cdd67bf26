// Where a robot stopped: its stack, the variables of each call, and how to go on.

import { iconButton, make } from "./dom.js";
import { Tree } from "./tree.js";

const WAYS = [
  { action: "continue", icon: "play", label: "Continue", key: "F8" },
  { action: "over", icon: "over", label: "Over this line", key: "F10" },
  { action: "into", icon: "into", label: "Into the call", key: "F11" },
  { action: "out", icon: "out", label: "Out of the function", key: "Shift+F11" },
];

export class DebugPanel {
  #level = 0;
  #tree = new Tree("Variables of the call");

  /**
   * @param {import("./model.js").Model} model
   * @param {import("./actions.js").Actions} actions
   * @param {(file: string, line: number) => void} goTo
   */
  constructor(model, actions, goTo) {
    this.model = model;
    this.goTo = goTo;
    const buttons = WAYS.map(({ action, icon, label, key }) =>
      iconButton(icon, label, { key, test: `debug-${action}`, class: "outlined", press: () => actions.debug(action) }),
    );
    this.place = make("span", { class: "place" });
    this.stack = make("ol", { class: "stack", "aria-label": "Calls, innermost first", "data-test": "stack" });
    this.element = make(
      "section",
      { class: "debug", "aria-label": "Stopped", "data-test": "debug", hidden: true },
      make("div", { class: "debug-head" }, this.place, ...buttons),
      this.stack,
      this.#tree.element,
    );
    model.on("stopped", () => this.#show());
    model.on("welcome", () => this.#show());
  }

  #show() {
    const { stopped } = this.model;
    this.element.hidden = !stopped;
    if (!stopped) return;
    const why = stopped.reason === "breakpoint" ? "stopped at" : "at";
    this.place.textContent = `${stopped.robot} ${why} ${stopped.file}:${stopped.line}`;
    this.#choose(0);
  }

  #choose(level) {
    this.#level = level;
    const { stack } = this.model.stopped;
    this.stack.replaceChildren(...stack.map((call, index) => make("li", {}, this.#callButton(call, index))));
    this.#tree.show(stack[level]?.variables ?? [], true);
  }

  #callButton(call, index) {
    const press = () => {
      this.#choose(index);
      this.goTo(call.file, call.line);
    };
    const attributes = { type: "button", "aria-current": index === this.#level ? "true" : null, on: { click: press } };
    return make(
      "button",
      attributes,
      make("span", { text: call.function || "(script)" }),
      make("span", { class: "where", text: `${call.file}:${call.line}` }),
    );
  }
}
