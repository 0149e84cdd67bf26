// The strip above the arena: what is shown, and how it is looked at.

import { LAYERS } from "./layers.js";
import { iconButton, make, setAttribute } from "./dom.js";

const TRAIL_TICKS = [50, 200, 600, 2000];

/**
 * @param {HTMLElement} element
 * @param {import("./model.js").Model} model
 * @param {import("./arena.js").Arena} arena
 * @param {import("./actions.js").Actions} actions
 * @param {{add: () => void, longerTrails: () => void}} ways  asks what to add; what to do when trails are shown or longer
 */
export function createArenaBar(element, model, arena, actions, { add, longerTrails }) {
  const chips = new Map(LAYERS.map((layer) => [layer.name, createChip(layer, () => toggle(layer.name))]));
  const length = createTrailLength(arena, longerTrails);
  const follow = iconButton("follow", "Follow what is selected", {
    key: "o",
    test: "follow",
    press: () => arena.follow(),
  });
  const addButton = iconButton("add", "Add a robot, an obstacle or a light", { key: "a", test: "add", press: add });
  element.append(
    ...chips.values(),
    length,
    make("span", { class: "space" }),
    addButton,
    follow,
    iconButton("minus", "Zoom out", { key: "-", press: () => arena.zoom(1 / 1.25) }),
    iconButton("plus", "Zoom in", { key: "+", press: () => arena.zoom(1.25) }),
    iconButton("fit", "Everything into view", { key: "f", test: "fit", press: () => arena.fit() }),
  );

  function show() {
    for (const [name, chip] of chips) setAttribute(chip, "aria-pressed", String(arena.layers.has(name)));
    length.hidden = !arena.layers.has("trails");
    addButton.hidden = model.recording;
    for (const { name, recorded } of LAYERS) chips.get(name).hidden = model.recording && recorded === false;
  }

  function toggle(name) {
    const wanted = !arena.layers.has(name);
    arena.setLayer(name, wanted);
    if (LAYERS.find((layer) => layer.name === name).asked) actions.setLayer(name, wanted);
    if (name === "trails") longerTrails();
    show();
  }

  model.on("welcome", show);
  show();
  return { toggle };
}

function createChip({ name, label, key, help }, press) {
  return make(
    "button",
    {
      type: "button",
      class: "chip",
      "data-test": `layer-${name}`,
      title: `${label}: ${help} (${key})`,
      on: { click: press },
    },
    label,
  );
}

function createTrailLength(arena, changed) {
  const select = make("select", { "aria-label": "Length of trails", title: "Length of trails" });
  for (const ticks of TRAIL_TICKS) select.append(make("option", { value: ticks, text: `${ticks} ticks` }));
  select.value = String(arena.trails.length);
  select.addEventListener("change", () => {
    arena.trails.length = Number(select.value);
    arena.trails.replot();
    arena.invalidate();
    changed();
  });
  return select;
}
