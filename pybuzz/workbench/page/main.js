// The page put together.

import { Actions } from "./actions.js";
import { Arena } from "./arena.js";
import { createArenaBar } from "./arena_bar.js";
import { Connection } from "./connection.js";
import { LogPanel } from "./log.js";
import { Model } from "./model.js";
import { createCurtain } from "./curtain.js";
import { createEditorPane } from "./editor_pane.js";
import { askForPlace, askForThing, askForValue } from "./editing.js";
import { Inspector } from "./inspector.js";
import { createNotices } from "./notices.js";
import { createDivider } from "./panes.js";
import { fetchPastForTrails } from "./past.js";
import { Pointer } from "./pointer.js";
import { createHelp, listenForShortcuts } from "./shortcuts.js";
import { shortcutsOf } from "./keys.js";
import { Theme } from "./theme.js";
import { Timeline } from "./timeline.js";
import { createToolbar } from "./toolbar.js";

const part = (id) => document.getElementById(id);

const model = new Model();
const theme = new Theme();
const notice = createNotices(part("notices"));
const connection = new Connection({
  message: (message) => model.receive(message),
  frame: (buffer) => model.receiveFrame(buffer),
  state: (state) => model.setConnection(state),
});
const actions = new Actions(model, (message) => connection.send(message), notice);
const arena = new Arena(part("arena-view"), model, theme);
const select = (name, kind) => (kind === "robot" ? model.select(name) : model.selectObject(name));
const pointer = new Pointer(arena, actions, select);
const editor = createEditorPane(part("editor"), part("side"), model, connection, actions);
const goTo = (file, line) => editor.goTo(file, line);
const log = new LogPanel(part("log"), model, {
  goTo,
  select: (robot) => actions.select(robot),
  show: (tick) => actions.show(tick),
});
const place = () => askForPlace(model, actions);
const add = () => askForThing(model, actions, pointer.place);
new Inspector(part("inspector"), model, actions, theme, {
  goTo,
  place,
  select,
  setGlobal: (robot, name, text) => askForValue(actions, robot, name, text),
});
const bar = createArenaBar(part("arena-bar"), model, arena, actions, {
  add,
  longerTrails: fetchPastForTrails(model, arena),
});
new Timeline(part("timeline"), model, actions, theme);
const shortcuts = shortcutsOf({
  model,
  actions,
  arena,
  pointer,
  log,
  bar,
  theme,
  editor,
  place,
  add,
  help: () => help(),
});
const help = createHelp(shortcuts);
listenForShortcuts(shortcuts);
createToolbar(part("toolbar"), model, actions, {
  help,
  theme: () => theme.toggle(),
  reconnect: () => connection.open(),
});
createDivider(part("side-divider"), {
  name: "side",
  label: "Width of editor and inspector",
  property: "--side",
  share: 0.38,
  least: 0.15,
});
createDivider(part("log-divider"), {
  name: "log",
  label: "Height of the log",
  property: "--log",
  share: 0.21,
  least: 0.05,
});
createDivider(part("inspector-divider"), {
  name: "inspector",
  label: "Height of the inspector",
  property: "--inspector",
  share: 0.44,
});
createCurtain(part("arena-view"), model, goTo);
model.on("refused", ({ text }) => notice(text, "bad"));

/** For tests and for those who look into the page: what it shows, read only. */
window.workbench = Object.freeze({
  get tick() {
    return model.tick;
  },
  get newest() {
    return model.newest;
  },
  get playing() {
    return actions.playing;
  },
  get live() {
    return model.live;
  },
  get selected() {
    return model.selected;
  },
  get connection() {
    return model.connection;
  },
  get frameTick() {
    return model.frame.tick;
  },
  measure: () => arena.measure(),
  placeOf: (name) => arena.places.onScreen(name),
});

connection.open();
