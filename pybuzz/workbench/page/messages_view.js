// What a robot heard and said in one tick: from or to whom, how many bytes, what was lost and why, and what it held.

import { make, setText } from "./dom.js";

/** @typedef {{robot: string | null, size: number, lost: string | null, texts: string[]}} Message */

export class MessagesView {
  #kept = "";

  constructor() {
    this.summary = make("span", { class: "count" });
    this.body = make("tbody");
    const names = ["", "robot", "bytes", "holds"];
    const head = make("thead", {}, make("tr", {}, ...names.map((text) => make("th", { scope: "col", text }))));
    this.table = make("table", { class: "messages", "data-test": "messages" }, head, this.body);
  }

  /** @param {Message[]} heard @param {Message[]} said  to each robot in range */
  show(heard, said) {
    const kept = JSON.stringify([heard, said]);
    if (kept === this.#kept) return;
    this.#kept = kept;
    setText(this.summary, `${countOf(heard)} in, ${countOf(said)} out`);
    const rows = [
      ...joined(said).map((message) => rowOf(message, "out")),
      ...heard.map((message) => rowOf(message, "in")),
    ];
    this.body.replaceChildren(...rows);
  }
}

function countOf(messages) {
  const lost = messages.filter((message) => message.lost).length;
  return lost ? `${messages.length - lost} (${lost} lost)` : String(messages.length);
}

/** One row for all robots that the same packet reached, or was lost to for the same reason. */
function joined(messages) {
  const rows = new Map();
  for (const message of messages) {
    const key = JSON.stringify([message.size, message.lost, message.texts]);
    const row = rows.get(key);
    if (row) row.robot += `, ${message.robot}`;
    else rows.set(key, { ...message });
  }
  return [...rows.values()];
}

function rowOf({ robot, size, lost, texts }, way) {
  const said = texts.join("; ");
  const holds = lost ? `lost: ${lost}${said ? `  ${said}` : ""}` : said;
  return make(
    "tr",
    { class: way },
    make("td", { class: "way", text: way === "in" ? "←" : "→", "aria-label": way === "in" ? "heard from" : "said to" }),
    make("td", { text: robot ?? "nobody", title: robot ?? "" }),
    make("td", { class: "number", text: String(size) }),
    make("td", { class: lost ? "lost" : "", text: holds, title: holds }),
  );
}
