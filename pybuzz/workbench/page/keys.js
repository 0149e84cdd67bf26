// What each key does.

import { LAYERS } from "./layers.js";

const PAN_PIXELS = 60;
const NUDGE_M = 0.02;
const TURN_RAD = Math.PI / 36;

/** @returns {import("./shortcuts.js").Shortcut[]} */
export function shortcutsOf(parts) {
  return [
    ...runKeys(parts),
    ...timeKeys(parts),
    ...viewKeys(parts),
    ...layerKeys(parts),
    ...robotKeys(parts),
    ...debugKeys(parts),
    ...editorKeys(),
    ...otherKeys(parts),
  ];
}

function runKeys({ actions }) {
  const group = "Run";
  return [
    { group, keys: [" "], label: "play, pause", run: () => actions.togglePlay() },
    { group, keys: ["."], label: "one tick on", run: () => actions.step() },
    { group, keys: [":"], label: "ten ticks on", run: () => actions.step(10) },
    {
      group,
      keys: ["<", ">"],
      label: "slower, faster",
      run: (event) => actions.changeSpeed(event.key === "<" ? -1 : 1),
    },
    { group, keys: ["r"], label: "reset to the start", run: () => actions.reset() },
  ];
}

function timeKeys({ actions, model }) {
  const group = "Time line";
  return [
    { group, keys: [","], label: "one tick back", run: () => actions.back() },
    { group, keys: [";"], label: "ten ticks back", run: () => actions.back(10) },
    { group, keys: ["Home"], label: "the start", run: () => actions.show(0) },
    { group, keys: ["End", "l"], label: "the newest tick, live", run: () => actions.live() },
    {
      group,
      keys: ["c"],
      label: "continue from the tick shown",
      run: () => (model.live ? null : actions.continueFrom()),
    },
    { group, keys: ["PageUp", "PageDown"], label: "ten seconds (on the time line)" },
  ];
}

function viewKeys({ arena }) {
  const group = "View";
  const ways = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  const pan = (event) => arena.pan(...ways[event.key].map((way) => way * PAN_PIXELS));
  return [
    { group, keys: ["+", "-"], label: "zoom", run: (event) => arena.zoom(event.key === "+" ? 1.25 : 1 / 1.25) },
    { group, keys: Object.keys(ways), shown: ["arrows"], label: "move the view", run: pan },
    { group, keys: ["f"], label: "everything into view", run: () => arena.fit() },
    { group, keys: ["o"], label: "follow what is selected", run: () => arena.follow() },
  ];
}

function layerKeys({ bar }) {
  return LAYERS.map(({ name, label, key }) => ({
    group: "Show",
    keys: [key],
    label: label.toLowerCase(),
    run: () => bar.toggle(name),
  }));
}

function robotKeys({ actions, model, arena, pointer, place, add }) {
  const group = "What is selected";
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  const selected = () => model.selected ?? model.selectedObject;
  const shift = (dx, dy, turn) => {
    const pose = selected() === null ? null : arena.places.poseOf(selected());
    if (pose) actions.move(selected(), pose.x + dx, pose.y + dy, pose.yaw + turn);
  };
  const letGo = () => (pointer.isDragging ? pointer.cancel() : model.select(null));
  return [
    {
      group,
      keys: ["[", "]"],
      label: "the robot before, the next one",
      run: (event) => actions.selectNext(event.key === "[" ? -1 : 1),
    },
    {
      group,
      keys: Object.keys(ways).map((key) => `Shift+${key}`),
      shown: ["Shift+arrows"],
      label: "move by 2 cm",
      run: (event) => shift(...ways[event.key].map((way) => way * NUDGE_M), 0),
    },
    {
      group,
      keys: ["(", ")"],
      label: "turn by 5°",
      run: (event) => shift(0, 0, event.key === "(" ? TURN_RAD : -TURN_RAD),
    },
    { group, keys: ["p"], label: "place by numbers", run: () => place() },
    { group, keys: ["a"], label: "add a robot, obstacle or light", run: () => add() },
    { group, keys: ["Delete"], label: "remove", run: () => selected() !== null && actions.remove(selected()) },
    { group, keys: ["Escape"], label: "select nothing", run: letGo },
  ];
}

function debugKeys({ actions }) {
  const group = "Stopped at a breakpoint";
  return [
    { group, keys: ["F8"], label: "continue", run: () => actions.debug("continue") },
    { group, keys: ["F10"], label: "over the line", run: () => actions.debug("over") },
    { group, keys: ["F11"], label: "into a call", run: () => actions.debug("into") },
    { group, keys: ["Shift+F11"], label: "out of the function", run: () => actions.debug("out") },
  ];
}

function editorKeys() {
  const group = "Editor";
  return [
    { group, keys: ["Ctrl+s"], label: "save" },
    { group, keys: ["Ctrl+Enter"], label: "save all and run" },
    { group, keys: ["F9"], label: "breakpoint in this line" },
    { group, keys: ["Ctrl+ "], label: "complete the name" },
    { group, keys: ["Ctrl+f"], label: "search" },
    { group, keys: ["Escape", "Tab"], label: "leave it, one after the other" },
  ];
}

function otherKeys({ arena, log, editor, theme, help }) {
  const group = "Page";
  return [
    { group, keys: ["1"], label: "to the arena", run: () => arena.front.focus() },
    { group, keys: ["2"], label: "to the editor", run: () => editor.focus() },
    { group, keys: ["3"], label: "to the inspector", run: () => focusWithin("inspector") },
    { group, keys: ["4"], label: "to the log", run: () => focusWithin("log") },
    { group, keys: ["/"], label: "search the log", run: () => log.focusFilter() },
    { group, keys: ["d"], label: "dark or light", run: () => theme.toggle() },
    { group, keys: ["?"], label: "this list", run: () => help() },
  ];
}

function focusWithin(id) {
  document.getElementById(id).querySelector("[role='log'], .node[tabindex='0'], button, summary").focus();
}
