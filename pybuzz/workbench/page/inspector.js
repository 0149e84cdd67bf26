// All that is known of what is selected.

import { isLit, ledColor } from "./bodies.js";
import { DebugPanel } from "./debug_panel.js";
import { iconButton, make, setText } from "./dom.js";
import { MessagesView } from "./messages_view.js";
import { degrees } from "./places.js";
import { SensorPlots } from "./plots.js";
import { Tree } from "./tree.js";

const LOG_LINES = 40;

export class Inspector {
  #log = { robot: null, count: -1, shown: -1 };
  #due = 0;

  /**
   * @param {HTMLElement} element
   * @param {import("./model.js").Model} model
   * @param {import("./actions.js").Actions} actions
   * @param {import("./theme.js").Theme} theme
   * @param {{goTo: (file: string, line: number) => void, place: () => void, setGlobal: (robot: string, name: string, text: string) => void, select: (name: string, kind: string) => void}} ways
   */
  constructor(element, model, actions, theme, ways) {
    this.model = model;
    this.ways = ways;
    this.tree = new Tree("Variables", { change: (name, text) => ways.setGlobal(model.selected, name, text) });
    this.tree.element.dataset.test = "variables";
    this.plots = new SensorPlots(theme);
    this.messages = new MessagesView();
    this.debug = new DebugPanel(model, actions, ways.goTo);
    this.variablesNote = make("span", { class: "count" });
    this.lines = make("div", { class: "own-log" });
    this.pose = createPose();
    this.error = make("pre", { class: "script-error", "data-test": "script-error", hidden: true });
    this.body = make(
      "div",
      { class: "inspector-body", hidden: true },
      this.error,
      section("Variables", this.variablesNote, this.tree.element),
      section("Sensors", make("span"), this.plots.element),
      section("Messages", this.messages.summary, this.messages.table),
      section("Its log", make("span"), this.lines),
    );
    this.hint = make("p", { class: "hint" });
    element.append(
      this.#head(actions),
      make("div", { class: "scroller" }, this.debug.element, this.pose.element, this.body, this.hint),
    );
    model.on("inspection frame selection scene log view welcome stopped", () => this.#invalidate());
    this.#draw();
  }

  #head(actions) {
    this.swatch = make("span", { class: "swatch", "aria-hidden": "true" });
    this.title = make("h2", { "data-test": "selected", "aria-live": "polite", text: "Nothing selected" });
    this.kind = make("span", { class: "count" });
    this.when = make("span", { class: "badge warn", hidden: true });
    this.placeButton = iconButton("move", "Put it elsewhere", { key: "p", test: "place", press: this.ways.place });
    this.removeButton = iconButton("trash", "Remove", {
      key: "Del",
      test: "remove",
      press: () => actions.remove(this.#name),
    });
    return make(
      "div",
      { class: "head" },
      this.swatch,
      this.title,
      this.kind,
      this.when,
      make("span", { class: "space" }),
      this.placeButton,
      this.removeButton,
      iconButton("back", "The robot before", { key: "[", press: () => actions.selectNext(-1) }),
      iconButton("step", "The next robot", { key: "]", test: "next-robot", press: () => actions.selectNext(1) }),
    );
  }

  get #name() {
    return this.model.selected ?? this.model.selectedObject;
  }

  #invalidate() {
    this.#due ||= requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#due = 0;
    const { model } = this;
    const name = this.#name;
    const inspection = model.inspection?.robot === model.selected ? model.inspection : null;
    setText(this.title, name ?? "Nothing selected");
    this.removeButton.hidden = name === null || model.recording || !model.live;
    this.placeButton.hidden = this.removeButton.hidden || model.scene.lights.some((light) => light.name === name);
    this.body.hidden = !inspection;
    this.hint.hidden = name !== null || model.stopped !== null;
    setText(
      this.hint,
      "Click a robot, or press ] for the first one: its variables, sensors and messages are shown here.",
    );
    this.#drawKind();
    this.pose.show(model, name, inspection);
    this.when.hidden = !inspection || inspection.live || model.recording;
    if (!inspection) return;
    setText(this.when, `tick ${inspection.tick}`);
    this.#drawInspection(inspection);
    this.#drawLog(inspection.robot);
  }

  #drawKind() {
    const { model } = this;
    const robot = model.scene.robots[model.robotIndex(model.selected)];
    const object = model.scene.objects[model.objectIndex(model.selectedObject)];
    setText(this.kind, robot ? kindOfRobot(robot) : object ? kindOfObject(object) : "");
    const look = robot && model.frame.looks[model.robotIndex(model.selected)];
    this.swatch.hidden = look === undefined;
    if (look !== undefined) this.swatch.style.background = isLit(look) ? ledColor(look) : "none";
  }

  #drawInspection(inspection) {
    this.error.hidden = !inspection.error;
    setText(this.error, inspection.error ?? "");
    this.tree.show(inspection.variables ?? [], !this.model.run.playing);
    const past = this.model.recording ? "as recorded" : "numbers and texts of the script as they were";
    setText(this.variablesNote, inspection.live ? "" : past);
    this.tree.element.closest("details").hidden = !inspection.variables?.length;
    this.plots.show(inspection.robot, inspection.tick, inspection.sensors ?? {});
    this.messages.show(inspection.messages_in ?? [], inspection.messages_out ?? []);
    this.plots.element.closest("details").hidden = !Object.keys(inspection.sensors ?? {}).length;
    this.messages.table.closest("details").hidden = !(
      inspection.live ||
      inspection.messages_in?.length ||
      inspection.messages_out?.length
    );
  }

  #drawLog(robot) {
    const { log, firstLine, shownTick } = this.model;
    const count = firstLine + log.length;
    if (this.#log.robot === robot && this.#log.count === count && this.#log.shown === shownTick) return;
    this.#log = { robot, count, shown: shownTick };
    const own = [];
    for (let at = log.length - 1; at >= 0 && own.length < LOG_LINES; at--) {
      if (log[at].robot === robot && (shownTick === null || log[at].tick <= shownTick)) own.push(log[at]);
    }
    this.lines.replaceChildren(...own.map((line) => this.#lineOf(line)));
    if (!own.length) this.lines.append(make("p", { class: "none", text: "It has not logged anything." }));
  }

  #lineOf(line) {
    const parts = [make("span", { class: "tick", text: String(line.tick) }), make("span", { text: line.text })];
    if (line.file && line.line) {
      parts.push(
        make("button", {
          type: "button",
          class: "link",
          text: `${line.file}:${line.line}`,
          on: { click: () => this.ways.goTo(line.file, line.line) },
        }),
      );
    }
    return make("div", { class: line.error ? "error" : "" }, ...parts);
  }
}

function section(title, note, content) {
  const kept = `pybuzz.section.${title}`;
  const details = make(
    "details",
    { class: "part", open: localStorage.getItem(kept) !== "closed" },
    make("summary", {}, make("span", { text: title }), note),
    content,
  );
  details.addEventListener("toggle", () => localStorage.setItem(kept, details.open ? "open" : "closed"));
  return details;
}

function kindOfRobot({ kind, script }) {
  return script ? `${kind}, ${script}` : kind;
}

function kindOfObject({ shape, size, movable }) {
  const sides = shape === "cylinder" ? `⌀ ${size[0].toFixed(2)} m` : `${size[0].toFixed(2)} × ${size[1].toFixed(2)} m`;
  return `${shape}, ${sides}, ${movable ? "movable" : "fixed"}`;
}

/** Where it is and what its wheels do. */
function createPose() {
  const cells = [
    ["x", "m"],
    ["y", "m"],
    ["yaw", "°"],
    ["wheels", ""],
    ["", "m/s"],
  ].map(([label, unit], index) => {
    const value = make("b", { "data-test": `pose-${["x", "y", "yaw", "left", "right"][index]}` });
    return {
      value,
      cell: make("span", { class: "cell" }, make("span", { text: label }), value, make("span", { text: unit })),
    };
  });
  const element = make("div", { class: "pose", hidden: true }, ...cells.map(({ cell }) => cell));
  return {
    element,
    show(model, name, inspection) {
      const pose = name === null ? null : poseOf(model, name);
      element.hidden = !pose;
      if (!pose) return;
      const [x, y, yaw] = pose;
      const wheels = inspection?.wheels?.map((speed) => Number(speed).toFixed(3)) ?? ["", ""];
      const texts = [x.toFixed(3), y.toFixed(3), yaw === undefined ? "" : String(degrees(yaw)), ...wheels];
      cells.forEach(({ value, cell }, index) => {
        setText(value, texts[index]);
        cell.hidden = texts[index] === "";
      });
    },
  };
}

/** @returns {number[] | null} x, y, yaw as on the screen; of a light x, y */
export function poseOf(model, name) {
  const robot = model.robotIndex(name);
  const object = model.objectIndex(name);
  const light = model.scene.lights.find((other) => other.name === name);
  if (light && robot < 0 && object < 0) return [light.x, light.y];
  const at = robot >= 0 ? robot : object >= 0 ? model.scene.robots.length + object : -1;
  const { poses } = model.frame;
  return at < 0 || 3 * at + 2 >= poses.length ? null : [poses[3 * at], poses[3 * at + 1], poses[3 * at + 2]];
}
