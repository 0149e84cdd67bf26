// A tree of variables that keeps what is open, where the focus is and where one has scrolled to while its values change.

import { make, setAttribute, setText } from "./dom.js";

const SEPARATOR = "\u0000";

export class Tree {
  /** Paths of the tables that are open: kept from robot to robot. @type {Set<string>} */
  #open;
  #root = { element: null, nodes: new Map() };
  #shown = [];
  #change;
  #marks = false;

  /**
   * @param {string} label
   * @param {{open?: string[], change?: (name: string, text: string) => void}} [options]
   *   change: what to do when a scalar at the top is double clicked or Enter is pressed on it
   */
  constructor(label, { open = [], change } = {}) {
    this.element = make("div", { class: "tree", role: "tree", "aria-label": label });
    this.#open = new Set(open);
    this.#change = change;
    this.#root.element = this.element;
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("click", (event) => this.#click(event));
    this.element.addEventListener("dblclick", (event) => this.#edit(event.target.closest(".node")));
  }

  /**
   * @param {import("./model.js").TreeNode[]} nodes
   * @param {boolean} marksChanges  whether values that differ from those before are marked
   */
  show(nodes, marksChanges = false) {
    this.#shown = nodes;
    this.#marks = marksChanges;
    this.#fill(this.#root, nodes, "", 1);
    if (!this.element.querySelector("[tabindex='0']"))
      this.element.querySelector(".node")?.setAttribute("tabindex", "0");
  }

  /** Makes the rows of a table those of its nodes; rows that stay are not touched but for their text. */
  #fill(parent, nodes, path, level) {
    const keys = keysOf(nodes);
    const wanted = new Set(keys);
    for (const [key, kept] of parent.nodes) {
      if (wanted.has(key)) continue;
      kept.element.remove();
      kept.group.remove();
      parent.nodes.delete(key);
    }
    let before = null;
    for (const [index, node] of nodes.entries()) {
      const kept =
        parent.nodes.get(keys[index]) ??
        this.#add(parent, node, keys[index], `${path}${SEPARATOR}${keys[index]}`, level);
      const next = before ? before.nextSibling : parent.element.firstChild;
      if (kept.element !== next) parent.element.insertBefore(kept.element, next);
      if (kept.element.nextSibling !== kept.group) parent.element.insertBefore(kept.group, kept.element.nextSibling);
      this.#update(kept, node, level);
      before = kept.group;
    }
  }

  #add(parent, node, key, path, level) {
    const name = make("span", { class: "name", text: node.name });
    const value = make("span", { class: "value" });
    const element = make(
      "div",
      {
        class: "node",
        role: "treeitem",
        "aria-level": level,
        tabindex: -1,
        "data-test": "node",
        "data-name": node.name,
      },
      make("span", { class: "twisty" }),
      name,
      value,
    );
    element.style.setProperty("--level", level - 1);
    const group = make("div", { role: "group", class: "group" });
    const kept = { element, group, value, path, nodes: new Map(), text: null };
    element.kept = kept;
    parent.nodes.set(key, kept);
    return kept;
  }

  #update(kept, node, level) {
    const { element, group, value } = kept;
    const hasChildren = node.kind === "table" && (node.children?.length > 0 || node.more > 0);
    const isOpen = hasChildren && this.#open.has(kept.path);
    setAttribute(element, "aria-expanded", hasChildren ? String(isOpen) : null);
    value.classList.toggle("changed", this.#marks && kept.text !== null && kept.text !== node.text);
    if (kept.kind !== node.kind) value.dataset.kind = node.kind;
    kept.kind = node.kind;
    kept.text = node.text;
    setText(value, node.text);
    if (value.title !== node.text) value.title = node.text;
    kept.node = node;
    if (isOpen) this.#fill({ element: group, nodes: kept.nodes }, childrenOf(node), kept.path, level + 1);
    else if (kept.nodes.size) {
      kept.nodes.clear();
      group.replaceChildren();
    }
  }

  #toggle(element, wanted) {
    const { kept } = element;
    if (!element.hasAttribute("aria-expanded")) return;
    if (wanted) this.#open.add(kept.path);
    else this.#open.delete(kept.path);
    this.#fill(this.#root, this.#shown, "", 1);
  }

  #click(event) {
    const element = event.target.closest(".node");
    if (!element) return;
    this.#focus(element);
    this.#toggle(element, element.getAttribute("aria-expanded") === "false");
  }

  #focus(element) {
    this.element.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
    element.setAttribute("tabindex", "0");
    element.focus();
  }

  #edit(element) {
    const kept = element?.kept;
    if (kept && element.getAttribute("aria-level") === "1" && kept.kind !== "table" && kept.kind !== "closure")
      this.#change?.(kept.node.name, kept.text);
  }

  #key(event) {
    const element = event.target.closest(".node");
    if (!element || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const rows = [...this.element.querySelectorAll(".node")];
    const at = rows.indexOf(element);
    const expanded = element.getAttribute("aria-expanded");
    const parent = element.parentElement.closest(".group")?.previousSibling;
    const ways = {
      ArrowDown: () => rows[at + 1],
      ArrowUp: () => rows[at - 1],
      Home: () => rows[0],
      End: () => rows.at(-1),
      ArrowRight: () =>
        expanded === "false" ? this.#toggle(element, true) : expanded === "true" ? rows[at + 1] : null,
      ArrowLeft: () => (expanded === "true" ? this.#toggle(element, false) : parent),
      " ": () => this.#toggle(element, expanded === "false"),
      Enter: () => (expanded === null ? this.#edit(element) : this.#toggle(element, expanded === "false")),
    };
    if (!ways[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    const next = ways[event.key]();
    if (next) this.#focus(next);
  }
}

/** Names, told apart where a table has both a number and a text that look alike. */
function keysOf(nodes) {
  const seen = new Map();
  return nodes.map(({ name }) => {
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    return times ? `${name}${SEPARATOR}${SEPARATOR}${times}` : name;
  });
}

/** The children sent, and a row that says how many were not. */
function childrenOf(node) {
  const rest = node.more ? [{ name: "…", kind: "more", text: `${node.more} more` }] : [];
  return [...(node.children ?? []), ...rest];
}
