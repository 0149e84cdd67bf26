// Asking for what a pointer cannot say exactly: a place, a thing to add, a value.

import { make } from "./dom.js";
import { poseOf } from "./inspector.js";
import { degrees } from "./places.js";

const RADIANS = Math.PI / 180;

/**
 * A dialog of fields. @returns {() => void} closes it
 * @param {string} title
 * @param {HTMLElement[]} rows  labels and fields in turn
 * @param {string} go  what the button says
 * @param {() => void} done  called when it is pressed and all fields are valid
 */
function ask(title, rows, go, done) {
  const cancel = make("button", { type: "button", text: "Cancel", on: { click: () => dialog.close() } });
  const buttons = make(
    "div",
    { class: "buttons" },
    cancel,
    make("button", { class: "go", text: go, "data-test": "dialog-go" }),
  );
  const form = make("form", { class: "fields", method: "dialog" }, ...rows, buttons);
  const dialog = make("dialog", { "aria-label": title, "data-test": "dialog" }, make("h2", { text: title }), form);
  form.addEventListener("submit", done);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  form.querySelector("input, select").focus();
}

function numberField(name, value, options = {}) {
  return make("input", {
    type: "number",
    step: "any",
    required: true,
    name,
    value: String(value),
    "data-test": `field-${name}`,
    ...options,
  });
}

function labelled(text, field) {
  const id = `field-${text.replace(/\W+/g, "-")}`;
  field.id = id;
  return [make("label", { for: id, text }), field];
}

const round = (value) => Number(value.toFixed(4));

/** Asks where to put what is selected. */
export function askForPlace(model, actions) {
  const name = model.selected ?? model.selectedObject;
  const pose = name === null ? null : poseOf(model, name);
  if (!pose || pose.length < 3 || !actions.mayChange()) return;
  const x = numberField("x", round(pose[0]));
  const y = numberField("y", round(pose[1]));
  const yaw = numberField("yaw", degrees(pose[2]));
  const rows = [...labelled("x (m)", x), ...labelled("y (m)", y), ...labelled("heading (°)", yaw)];
  ask(`Place ${name}`, rows, "Place", () =>
    actions.move(name, x.valueAsNumber, y.valueAsNumber, yaw.valueAsNumber * RADIANS),
  );
}

/** Asks what to add at a point of the arena. */
export function askForThing(model, actions, at) {
  if (!actions.mayChange()) return;
  const robots = model.scene.robots;
  const kinds = [...new Set(robots.map((robot) => robot.kind)), "box", "cylinder", "light"];
  const kind = make(
    "select",
    { name: "kind", "data-test": "field-kind" },
    ...kinds.map((text) => make("option", { text })),
  );
  const scripts = [...new Set(robots.map((robot) => robot.script).filter(Boolean))];
  const script = make("select", { name: "script" }, ...scripts.map((text) => make("option", { text })));
  const x = numberField("x", round(at.x));
  const y = numberField("y", round(at.y));
  const yaw = numberField("yaw", 0);
  const width = numberField("width", 0.3, { min: 0.001 });
  const depth = numberField("depth", 0.3, { min: 0.001 });
  const radius = numberField("radius", 0.15, { min: 0.001 });
  const movable = make("input", { type: "checkbox", name: "movable" });
  const more = {
    script: script,
    "heading (°)": yaw,
    "width (m)": width,
    "depth (m)": depth,
    "radius (m)": radius,
    "can be pushed": movable,
  };
  const pairs = Object.entries(more).map(([text, field]) => [field, labelled(text, field)]);
  const wanted = () => {
    const isRobot = !["box", "cylinder", "light"].includes(kind.value);
    return new Set([
      ...(isRobot ? [script, yaw] : []),
      ...(kind.value === "box" ? [yaw, width, depth, movable] : []),
      ...(kind.value === "cylinder" ? [radius, movable] : []),
    ]);
  };
  const arrange = () => {
    const shown = wanted();
    for (const [field, elements] of pairs) elements.forEach((element) => (element.hidden = !shown.has(field)));
  };
  kind.addEventListener("change", arrange);
  arrange();
  ask(
    "Add",
    [
      ...labelled("what", kind),
      ...labelled("x (m)", x),
      ...labelled("y (m)", y),
      ...pairs.flatMap(([, elements]) => elements),
    ],
    "Add",
    () => {
      const shown = wanted();
      const item = { kind: kind.value, x: x.valueAsNumber, y: y.valueAsNumber };
      if (shown.has(yaw)) item.yaw = yaw.valueAsNumber * RADIANS;
      if (shown.has(width)) item.size = [width.valueAsNumber, depth.valueAsNumber];
      if (shown.has(radius)) item.radius = radius.valueAsNumber;
      if (shown.has(movable)) item.movable = movable.checked;
      if (shown.has(script) && script.value) item.script = script.value;
      actions.add(item);
    },
  );
}

const VALUE_HELP = '5 is an integer, 5.0 a float; any other text is a string, and so is "5". Nothing at all is nil.';

/** Asks for the new value of a script's global. */
export function askForValue(actions, robot, name, text) {
  if (!actions.mayChange()) return;
  const isText = text.startsWith('"') || text.startsWith("'");
  const field = make("input", {
    name: "value",
    value: text === "nil" ? "" : isText && isPlainText(text.slice(1, -1)) ? text.slice(1, -1) : text,
    "data-test": "field-value",
    autocomplete: "off",
  });
  const rows = [...labelled(name, field), make("p", { text: VALUE_HELP })];
  ask(`${name} of ${robot}`, rows, "Set", () => actions.set(robot, name, valueOf(field.value)));
}

/** Whether a text stays a text without quotes. */
function isPlainText(text) {
  return typeof valueOf(text).value === "string" && !isQuoted(text);
}

const isQuoted = (text) => text.length > 1 && /^(["']).*\1$/s.test(text);

/** The value that was typed, and its kind in Buzz: 5 is an integer, 5.0 a float, "5" a string. */
function valueOf(typed) {
  const text = typed.trim();
  if (text === "") return { kind: "nil", value: null };
  if (isQuoted(text)) return { kind: "string", value: text.slice(1, -1) };
  const number = Number(text);
  if (!Number.isFinite(number) || !/^[-+]?[.\d]/.test(text)) return { kind: "string", value: typed };
  return { kind: /^[-+]?\d+$/.test(text) ? "int" : "float", value: number };
}
