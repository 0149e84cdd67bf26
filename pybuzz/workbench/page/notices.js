// Short messages over the arena: what was refused and why.

import { iconButton, make } from "./dom.js";

const SHOWN_MS = 8000;
const MOST = 3;

/** @param {HTMLElement} element @returns {(text: string, kind?: "" | "bad") => void} */
export function createNotices(element) {
  return (text, kind = "") => {
    const same = [...element.children].find((other) => other.dataset.text === text);
    same?.remove();
    const close = iconButton("close", "Close", { press: () => notice.remove() });
    const notice = make("div", { class: `notice ${kind}`, "data-text": text }, make("span", { text }), close);
    element.append(notice);
    while (element.children.length > MOST) element.firstChild.remove();
    setTimeout(() => notice.remove(), SHOWN_MS);
  };
}
