// What a robot heard and said in one tick: from whom, how many bytes, what was lost and why, and what it held.

import { make, setText } from "./dom.js";

export class MessagesView {
  #kept = "";

  constructor() {
    this.summary = make("span", { class: "count" });
    this.table = make("table", { class: "messages", "data-test": "messages" });
  }

  show(heard, said) {
    const kept = JSON.stringify([heard, said]);
    if (kept === this.#kept) return;
    this.#kept = kept;
    const lost = heard.filter((message) => message.lost).length;
    const bytes = heard.reduce((sum, message) => sum + (message.lost ? 0 : message.size), 0);
    setText(this.summary, `${heard.length - lost} in (${bytes} bytes), ${lost} lost, ${said.length} out`);
    const body = make("tbody", {}, ...said.map((message) => rowOf(message, "out")), ...heard.map((message) => rowOf(message, "in")));
    this.table.replaceChildren(head(), body);
  }
}

function head() {
  const names = ["", "robot", "bytes", "holds"];
  return make("thead", {}, make("tr", {}, ...names.map((text) => make("th", { scope: "col", text }))));
}

function rowOf(message, way) {
  const texts = (message.texts ?? []).join("; ");
  const holds = message.lost ? make("td", { class: "lost", text: `lost: ${message.lost}` }) : make("td", { class: "holds", text: texts, title: texts });
  return make(
    "tr", { class: way },
    make("td", { class: "way", text: way === "in" ? "←" : "→", "aria-label": way === "in" ? "heard from" : "said" }),
    make("td", { text: way === "in" ? message.robot : "to all" }),
    make("td", { class: "number", text: String(message.size) }),
    holds,
  );
}
