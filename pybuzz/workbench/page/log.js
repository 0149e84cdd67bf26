// The log of all robots: filtered, followed, and only as many rows on the page as are seen.

import { make, setText } from "./dom.js";

const ROW_PIXELS = 18;
const ROWS_MORE = 6;

/** @typedef {{line: import("./model.js").LogLine, text: string, first: boolean}} Row */

export class LogPanel {
  /** @type {Row[]} */
  #rows = [];
  #taken = 0;
  #firstLine = 0;
  #follows = true;
  #due = 0;
  #filter = { robot: "", text: "", errors: false };

  /**
   * @param {HTMLElement} element
   * @param {import("./model.js").Model} model
   * @param {{goTo: (file: string, line: number) => void, select: (robot: string) => void, show: (tick: number) => void}} ways
   */
  constructor(element, model, ways) {
    this.model = model;
    this.ways = ways;
    this.robots = make("datalist", { id: "log-robots" });
    this.robotField = this.#field("Robot", "robot", "log-robot", { list: "log-robots" });
    this.textField = this.#field("Text", "text", "log-text", {});
    const errors = make("input", { type: "checkbox", "data-test": "log-errors" });
    errors.addEventListener("change", () => this.#setFilter("errors", errors.checked));
    this.count = make("span", { class: "count", "data-test": "log-count" });
    this.tail = make("button", {
      type: "button",
      class: "chip",
      hidden: true,
      text: "Newest ↓",
      on: { click: () => this.#toEnd() },
    });
    const head = make(
      "div",
      { class: "head" },
      make("h2", { text: "Log" }),
      this.robotField,
      this.textField,
      make("label", { class: "check" }, errors, "errors only"),
      make("span", { class: "space" }),
      this.tail,
      this.count,
      this.robots,
    );
    this.sheet = make("div", { class: "sheet" });
    this.empty = make("p", { class: "none" });
    this.view = make(
      "div",
      {
        class: "lines",
        tabindex: 0,
        role: "log",
        "aria-live": "off",
        "aria-label": "Lines of the log",
        "data-test": "log-lines",
      },
      this.empty,
      this.sheet,
    );
    this.view.addEventListener("scroll", () => this.#scrolled());
    element.append(head, this.view);
    new ResizeObserver(() => this.#settle()).observe(this.view);
    model.on("log", (message) => this.#take(message));
    model.on("scene", () => this.#offerRobots());
    model.on("view", () => this.#showTick());
  }

  focusFilter() {
    this.textField.focus();
    this.textField.select();
  }

  #field(label, name, test, more) {
    const field = make("input", {
      type: "search",
      placeholder: label.toLowerCase(),
      "aria-label": `${label} in the log`,
      "data-test": test,
      autocomplete: "off",
      spellcheck: "false",
      ...more,
    });
    field.addEventListener("input", () => this.#setFilter(name, field.value.trim().toLowerCase()));
    field.addEventListener("keydown", (event) => event.key === "Escape" && this.view.focus());
    return field;
  }

  #setFilter(name, value) {
    this.#filter[name] = value;
    this.#rebuild();
  }

  #offerRobots() {
    const options = this.model.scene.robots.slice(0, 200).map((robot) => make("option", { value: robot.name }));
    this.robots.replaceChildren(...options);
  }

  #take(message) {
    if (message.from_start || this.#firstLine !== this.model.firstLine) return this.#rebuild();
    this.#append(this.#taken);
    this.#settle();
  }

  #rebuild() {
    this.#rows = [];
    this.#firstLine = this.model.firstLine;
    this.#append(0);
    this.#settle();
  }

  #append(from) {
    const { log } = this.model;
    for (let index = from; index < log.length; index++) {
      if (!this.#passes(log[index])) continue;
      log[index].text.split("\n").forEach((text, at) => this.#rows.push({ line: log[index], text, first: at === 0 }));
    }
    this.#taken = log.length;
  }

  #passes(line) {
    const { robot, text, errors } = this.#filter;
    if (errors && !line.error) return false;
    if (robot && !(line.robot ?? "").toLowerCase().includes(robot)) return false;
    return !text || line.text.toLowerCase().includes(text);
  }

  #settle() {
    this.empty.hidden = this.#rows.length > 0;
    setText(this.empty, this.model.log.length ? "No line is like that." : "Nothing was logged yet.");
    this.sheet.style.height = `${this.#rows.length * ROW_PIXELS}px`;
    const { log } = this.model;
    setText(
      this.count,
      this.#filter.robot || this.#filter.text || this.#filter.errors
        ? `${this.#rows.length} of ${log.length}`
        : `${log.length}`,
    );
    if (this.#follows) this.view.scrollTop = this.view.scrollHeight;
    this.#invalidate();
  }

  #scrolled() {
    this.#follows = this.view.scrollTop + this.view.clientHeight >= this.view.scrollHeight - ROW_PIXELS;
    this.tail.hidden = this.#follows;
    this.#invalidate();
  }

  #toEnd() {
    this.#follows = true;
    this.#settle();
  }

  /** At a tick of the past: the lines until then. */
  #showTick() {
    const { shownTick } = this.model;
    if (shownTick === null) return this.#toEnd();
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#rows[middle].line.tick <= shownTick) low = middle + 1;
      else high = middle;
    }
    this.#follows = false;
    this.view.scrollTop = Math.max(0, low * ROW_PIXELS - this.view.clientHeight);
    this.#invalidate();
  }

  #invalidate() {
    this.#due ||= requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#due = 0;
    const first = Math.max(0, Math.floor(this.view.scrollTop / ROW_PIXELS) - ROWS_MORE);
    const last = Math.min(
      this.#rows.length,
      Math.ceil((this.view.scrollTop + this.view.clientHeight) / ROW_PIXELS) + ROWS_MORE,
    );
    if (this.#isDrawn(first, last)) return this.#markFuture(first);
    const focused = document.activeElement?.closest?.(".row")?.dataset.row;
    const rows = this.#rows.slice(first, last).map((row, index) => this.#rowOf(row, first + index));
    this.sheet.replaceChildren(...rows);
    this.drawn = this.#rows.slice(first, last);
    if (focused !== undefined) this.sheet.querySelector(`[data-row="${focused}"] button`)?.focus();
    this.#markFuture(first);
  }

  #isDrawn(first, last) {
    const { drawn } = this;
    return (
      drawn && drawn.length === last - first && drawn[0] === this.#rows[first] && drawn.at(-1) === this.#rows[last - 1]
    );
  }

  #markFuture(first) {
    const { shownTick } = this.model;
    [...this.sheet.children].forEach((row, index) => {
      row.classList.toggle("later", shownTick !== null && this.#rows[first + index].line.tick > shownTick);
    });
  }

  /** @param {Row} row */
  #rowOf({ line, text, first }, index) {
    const element = make("div", { class: line.error ? "row error" : "row", "data-row": index });
    element.style.transform = `translateY(${index * ROW_PIXELS}px)`;
    const link = (kind, label, title, press) =>
      make("button", { type: "button", class: `link ${kind}`, title, on: { click: press } }, label);
    if (first) {
      element.append(link("tick", String(line.tick), "Show this tick", () => this.ways.show(line.tick)));
      element.append(
        line.robot
          ? link("robot", line.robot, "Select this robot", () => this.ways.select(line.robot))
          : make("span", { class: "robot" }),
      );
    } else element.append(make("span"), make("span"));
    element.append(make("span", { class: "text", text, title: line.text }));
    if (first && line.file && line.line) {
      element.append(
        link("place", `${line.file}:${line.line}`, "Show this line in the editor", () =>
          this.ways.goTo(line.file, line.line),
        ),
      );
    }
    return element;
  }
}
