// All keys in one table: what they do, and what the help lists.

import { iconButton, make } from "./dom.js";

/** shown: what the help says instead of the keys. @typedef {{group: string, keys: string[], shown?: string[], label: string, run?: (event: KeyboardEvent) => void}} Shortcut */

const SHOWN = {
  " ": "Space",
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
  Delete: "Del",
};

/** The name of a key as pressed: modifiers first, "Shift+ArrowLeft"; letters and signs say their shift themselves. */
function nameOf(event) {
  const isSign = event.key.length === 1 && event.key !== " ";
  return `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${event.altKey ? "Alt+" : ""}${event.shiftKey && !isSign ? "Shift+" : ""}${event.key}`;
}

function isTyping(target) {
  return target.closest?.("input, select, textarea, [contenteditable='true'], .cm-editor, dialog") !== null;
}

/** A button or tab that has the focus is pressed by the space bar itself. */
function takesSpace(target) {
  return target.closest?.("button, summary, a, [role='treeitem']") !== null;
}

/** @param {Shortcut[]} shortcuts */
export function listenForShortcuts(shortcuts) {
  const byKey = new Map();
  for (const shortcut of shortcuts) if (shortcut.run) for (const key of shortcut.keys) byKey.set(key, shortcut);
  document.addEventListener("keydown", (event) => {
    const isFunctionKey = /^F\d+$/.test(event.key);
    if (event.defaultPrevented || (isTyping(event.target) && !isFunctionKey)) return;
    if (event.key === " " && takesSpace(event.target)) return;
    const shortcut = byKey.get(nameOf(event));
    if (!shortcut) return;
    event.preventDefault();
    shortcut.run(event);
  });
}

/** @param {Shortcut[]} shortcuts @returns {() => void} shows them */
export function createHelp(shortcuts) {
  const groups = new Map();
  for (const shortcut of shortcuts) groups.set(shortcut.group, [...(groups.get(shortcut.group) ?? []), shortcut]);
  const close = iconButton("close", "Close", { key: "Esc", press: () => dialog.close() });
  const lists = make(
    "div",
    { class: "shortcut-groups" },
    ...[...groups].map(([name, rows]) => make("div", {}, make("h3", { text: name }), listOf(rows))),
  );
  const dialog = make(
    "dialog",
    { "aria-label": "Keyboard", "data-test": "help" },
    make("h2", {}, "Keyboard", close),
    lists,
  );
  document.body.append(dialog);
  return () => (dialog.open ? dialog.close() : dialog.showModal());
}

function listOf(rows) {
  const list = make("dl");
  for (const { keys, shown, label } of rows) {
    const names = (shown ?? keys).flatMap((key, index) => [...(index ? [" "] : []), keyCap(key)]);
    list.append(make("dt", {}, ...names), make("dd", { text: label }));
  }
  return list;
}

function keyCap(key) {
  const text = key
    .split(/(?<=.)\+(?=.)/)
    .map((part) => SHOWN[part] ?? part)
    .join(" ");
  return make("kbd", { text });
}
