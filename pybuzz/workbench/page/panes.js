// Lines between panes that are dragged, or moved with the arrow keys.

const KEY_STEP = 0.03;

/**
 * @param {HTMLElement} divider
 * @param {{name: string, label: string, property: string, share: number, least?: number, most?: number}} options
 *   property: CSS variable of the parent that holds the size of the pane after the divider, as a share of the whole
 */
export function createDivider(divider, { name, label, property, share, least = 0.08, most = 0.85 }) {
  const parent = divider.parentElement;
  const isUpright = divider.classList.contains("upright");
  const kept = `pybuzz.pane.${name}`;
  let now = Number(localStorage.getItem(kept) ?? share);

  const set = (value) => {
    now = Math.max(least, Math.min(most, value));
    parent.style.setProperty(property, `${(100 * now).toFixed(2)}%`);
    divider.setAttribute("aria-valuenow", String(Math.round(100 * now)));
  };
  const keep = () => localStorage.setItem(kept, String(now));

  const attributes = {
    role: "separator",
    tabindex: "0",
    "aria-label": label,
    "aria-orientation": isUpright ? "vertical" : "horizontal",
    "aria-valuemin": String(100 * least),
    "aria-valuemax": String(100 * most),
    title: `${label}: drag, arrow keys, double click for the usual size`,
  };
  for (const [key, value] of Object.entries(attributes)) divider.setAttribute(key, value);

  divider.addEventListener("pointerdown", (event) => {
    divider.setPointerCapture(event.pointerId);
    divider.classList.add("dragged");
  });
  divider.addEventListener("pointermove", (event) => {
    if (!divider.hasPointerCapture(event.pointerId)) return;
    const box = parent.getBoundingClientRect();
    set(isUpright ? (box.right - event.clientX) / box.width : (box.bottom - event.clientY) / box.height);
  });
  divider.addEventListener("lostpointercapture", () => {
    divider.classList.remove("dragged");
    keep();
  });
  divider.addEventListener("dblclick", () => {
    set(share);
    keep();
  });
  divider.addEventListener("keydown", (event) => {
    const [more, less] = isUpright ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    if (event.key !== more && event.key !== less) return;
    event.preventDefault();
    event.stopPropagation();
    set(now + (event.key === more ? KEY_STEP : -KEY_STEP));
    keep();
  });
  set(now);
}
