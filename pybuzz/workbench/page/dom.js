// Making elements. Data reaches the page through textContent and attributes only, never as markup.

/**
 * @param {string} tag
 * @param {Record<string, any>} [attributes] `class`, `text`, `on` (handlers by event), anything else is set as an attribute
 * @param {...(Node|string)} children
 * @returns {HTMLElement}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") element.textContent = value;
    else if (name === "on")
      for (const [event, handler] of Object.entries(value)) element.addEventListener(event, handler);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children);
  return element;
}

const ICONS = {
  play: "M5 3.2v9.6L13 8z*",
  pause: "M5.5 3.5v9 M10.5 3.5v9",
  step: "M3.5 3.2v9.6L10 8z* M12.5 3.5v9",
  back: "M12.5 3.2v9.6L6 8z* M3.5 3.5v9",
  reset: "M3.2 8a4.8 4.8 0 1 0 1.6-3.6 M4.6 1.8v2.9h2.9",
  fit: "M2.5 6V2.5H6 M10 2.5h3.5V6 M13.5 10v3.5H10 M6 13.5H2.5V10",
  plus: "M8 3v10 M3 8h10",
  add: "M7 2.5H4A1.5 1.5 0 0 0 2.5 4v8A1.5 1.5 0 0 0 4 13.5h8a1.5 1.5 0 0 0 1.5-1.5V9 M11.5 1.5v6 M8.5 4.5h6",
  minus: "M3 8h10",
  follow: "M8 1.5v3 M8 11.5v3 M1.5 8h3 M11.5 8h3 M8 5.2a2.8 2.8 0 1 0 0 5.6a2.8 2.8 0 1 0 0-5.6",
  close: "M4 4l8 8 M12 4l-8 8",
  help: "M5.8 6a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.6 M8 12.2v.1",
  theme: "M8 2.5a5.5 5.5 0 1 0 0 11z* M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11",
  right: "M6 4l4 4-4 4",
  branch: "M4 2.5v11 M4 9.5c0-3 7.5-1.5 7.5-5 M9.3 5.6l2.2-2.2 2 2.3",
  over: "M2.5 9a5.5 5.5 0 0 1 10.6-1.5 M13.4 4v3.6H9.8 M8 12.3v.1",
  into: "M8 2v7 M5 6.3L8 9.3l3-3 M8 13v.1",
  out: "M8 10V3 M5 5.7L8 2.7l3 3 M8 13.4v.1",
  move: "M8 1.8v12.4 M1.8 8h12.4 M6.2 3.6L8 1.8l1.8 1.8 M6.2 12.4L8 14.2l1.8-1.8 M3.6 6.2L1.8 8l1.8 1.8 M12.4 6.2L14.2 8l-1.8 1.8",
  trash: "M3 4.5h10 M6.5 4.5V3h3v1.5 M4.5 4.5l.6 8.5h5.8l.6-8.5",
};

/** @param {keyof ICONS} name */
export function icon(name) {
  const namespace = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("class", "i");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  for (const part of ICONS[name].split(" M").map((text, index) => (index ? `M${text}` : text))) {
    const path = document.createElementNS(namespace, "path");
    path.setAttribute("d", part.replace("*", ""));
    if (part.endsWith("*")) path.setAttribute("class", "solid");
    svg.append(path);
  }
  return svg;
}

/**
 * A button with an icon, a name for those who do not see it, and its key in the tool tip.
 * @param {string} name  icon
 * @param {string} label
 * @param {{test?: string, key?: string, class?: string, press: (event: Event) => void}} options
 */
export function iconButton(name, label, { test, key, class: kind = "icon", press }) {
  const title = key ? `${label} (${key})` : label;
  return make(
    "button",
    { type: "button", class: kind, "aria-label": label, title, "data-test": test, on: { click: press } },
    icon(name),
  );
}

/** Sets text only when it differs, which spares layout. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets or removes an attribute only when it differs. */
export function setAttribute(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}
