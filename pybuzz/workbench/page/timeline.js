// All ticks so far, to look at any of them. A slider for hand and keys, with marks where something happened.

import { OKABE_ITO } from "./theme.js";
import { icon, make, setAttribute, setText } from "./dom.js";
import { stepAtLeast } from "./steps.js";

const HEIGHT = 38;
const BAR_Y = 12;
const SIDE = 12;
const NEAR_PIXELS = 5;
const LEAST_RANGE = 100;
const LABEL_PIXELS = 76;

export class Timeline {
  #due = 0;
  #pointer = null;

  /**
   * @param {HTMLElement} element
   * @param {import("./model.js").Model} model
   * @param {import("./actions.js").Actions} actions
   * @param {import("./theme.js").Theme} theme
   */
  constructor(element, model, actions, theme) {
    this.model = model;
    this.actions = actions;
    this.theme = theme;
    this.canvas = make("canvas", { "aria-hidden": "true" });
    this.slider = make(
      "div",
      {
        class: "slider",
        role: "slider",
        tabindex: 0,
        "aria-label": "Tick shown",
        "aria-valuemin": 0,
        "data-test": "slider",
      },
      this.canvas,
    );
    this.tip = make("div", { class: "tip", hidden: true });
    this.liveButton = make(
      "button",
      {
        type: "button",
        class: "chip live",
        "data-test": "live",
        title: "The newest tick, as it comes (l)",
        on: { click: () => actions.live() },
      },
      "Live",
    );
    this.continueButton = make(
      "button",
      {
        type: "button",
        class: "chip",
        "data-test": "continue",
        title: "Run again from this tick on (c)",
        on: { click: () => actions.continueFrom() },
      },
      icon("branch"),
      "Continue from here",
    );
    element.append(this.slider, this.liveButton, this.continueButton, this.tip);
    this.#listen();
    new ResizeObserver(() => this.#resize()).observe(this.slider);
    model.on("frame state view marks scene welcome", () => this.invalidate());
    theme.on("change", () => this.invalidate());
  }

  invalidate() {
    this.#due ||= requestAnimationFrame(() => this.#draw());
  }

  /** The last tick on the bar: grows in steps, so that it does not creep. */
  get range() {
    const { run } = this.model;
    if (this.model.recording) return Math.max(1, this.model.newest);
    const newest = Math.max(this.model.newest, LEAST_RANGE);
    const nice = stepAtLeast(newest);
    return Math.max(
      1,
      run.ticks === null || run.ticks === undefined ? nice : Math.min(nice, Math.max(run.ticks, this.model.newest)),
    );
  }

  #xOf(tick) {
    return SIDE + (tick / this.range) * (this.width - 2 * SIDE);
  }

  #tickAt(clientX) {
    const x = clientX - this.slider.getBoundingClientRect().left - SIDE;
    return Math.max(0, Math.min(this.model.newest, Math.round((x / (this.width - 2 * SIDE)) * this.range)));
  }

  #listen() {
    const { slider } = this;
    slider.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      slider.setPointerCapture(event.pointerId);
      this.#scrub(event);
    });
    slider.addEventListener("pointermove", (event) => {
      this.#pointer = event.clientX;
      if (slider.hasPointerCapture(event.pointerId)) this.#scrub(event);
      this.#showTip(event.clientX);
    });
    slider.addEventListener("pointerleave", () => {
      this.#pointer = null;
      this.tip.hidden = true;
      this.invalidate();
    });
    slider.addEventListener("keydown", (event) => this.#key(event));
  }

  #scrub(event) {
    const mark = this.#markAt(event.clientX);
    this.actions.show(mark ? mark.tick : this.#tickAt(event.clientX));
  }

  #key(event) {
    const { actions, model } = this;
    const second = Math.max(1, Math.round(1 / model.tickSeconds));
    const jump = event.shiftKey ? second : 1;
    const keys = {
      ArrowLeft: () => actions.show(model.tick - jump),
      ArrowDown: () => actions.show(model.tick - jump),
      ArrowRight: () => actions.show(model.tick + jump),
      ArrowUp: () => actions.show(model.tick + jump),
      PageUp: () => actions.show(model.tick - 10 * second),
      PageDown: () => actions.show(model.tick + 10 * second),
      Home: () => actions.show(0),
      End: () => (model.recording ? actions.show(model.newest) : actions.live()),
    };
    if (!keys[event.key] || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    keys[event.key]();
  }

  #markAt(clientX) {
    const x = clientX - this.slider.getBoundingClientRect().left;
    let best = null;
    let least = NEAR_PIXELS;
    for (const mark of this.model.marks) {
      const distance = Math.abs(this.#xOf(mark.tick) - x);
      if (distance < least) [best, least] = [mark, distance];
    }
    return best;
  }

  #showTip(clientX) {
    const mark = this.#markAt(clientX);
    const tick = mark?.tick ?? this.#tickAt(clientX);
    const place = `${tick} · ${(tick * this.model.tickSeconds).toFixed(1)} s`;
    setText(this.tip, mark ? `${place}  ${mark.text}` : place);
    this.tip.hidden = false;
    const box = this.tip.parentElement.getBoundingClientRect();
    const half = this.tip.offsetWidth / 2;
    this.tip.style.left = `${Math.max(4, Math.min(box.width - 2 * half - 4, clientX - box.left - half))}px`;
    this.invalidate();
  }

  #resize() {
    this.width = this.slider.clientWidth;
    this.canvas.width = Math.round(this.width * devicePixelRatio);
    this.canvas.height = Math.round(HEIGHT * devicePixelRatio);
    this.#draw();
  }

  #draw() {
    this.#due = 0;
    if (!this.width) return;
    const context = this.canvas.getContext("2d");
    context.setTransform(this.canvas.width / this.width, 0, 0, devicePixelRatio, 0, 0);
    context.clearRect(0, 0, this.width, HEIGHT);
    this.#drawBar(context);
    this.#drawScale(context);
    for (const mark of this.model.marks) this.#drawMark(context, mark);
    this.#drawHead(context);
    this.#describe();
  }

  #drawBar(context) {
    const { colors } = this.theme;
    const bar = (to, color) => {
      context.fillStyle = color;
      context.beginPath();
      context.roundRect(SIDE - 2, BAR_Y - 2, Math.max(4, to - SIDE + 4), 4, 2);
      context.fill();
    };
    bar(this.width - SIDE, colors.line);
    bar(this.#xOf(this.model.newest), colors.lineStrong);
    bar(this.#xOf(Math.min(this.model.tick, this.range)), colors.accent);
  }

  #drawScale(context) {
    const { colors } = this.theme;
    const perPixel = (this.range * this.model.tickSeconds) / (this.width - 2 * SIDE);
    const spacing = stepAtLeast(LABEL_PIXELS * perPixel);
    context.font = "10px system-ui, sans-serif";
    context.textAlign = "center";
    context.fillStyle = colors.faint;
    const last = this.range * this.model.tickSeconds;
    for (let n = 0; n * spacing <= last * 1.0001; n++) {
      const x = this.#xOf((n * spacing) / this.model.tickSeconds);
      context.fillRect(Math.round(x), BAR_Y + 6, 1, 4);
      const text = `${Number((n * spacing).toPrecision(6))} s`;
      const half = context.measureText(text).width / 2;
      context.fillText(text, Math.max(half + 2, Math.min(this.width - half - 2, x)), HEIGHT - 6);
    }
  }

  /** Shapes differ as well as colours: a triangle, a plus and a disc. */
  #drawMark(context, mark) {
    const x = this.#xOf(mark.tick);
    context.beginPath();
    if (mark.kind === "error") {
      context.fillStyle = OKABE_ITO.vermillion;
      context.moveTo(x, BAR_Y - 3);
      context.lineTo(x - 4, BAR_Y - 10);
      context.lineTo(x + 4, BAR_Y - 10);
    } else if (mark.kind === "added") {
      context.fillStyle = OKABE_ITO.green;
      context.rect(x - 4, BAR_Y - 8, 8, 2);
      context.rect(x - 1, BAR_Y - 11, 2, 8);
    } else {
      context.fillStyle = OKABE_ITO.orange;
      context.arc(x, BAR_Y - 7, 3.2, 0, 2 * Math.PI);
    }
    context.fill();
  }

  #drawHead(context) {
    const { colors } = this.theme;
    const x = this.#xOf(Math.min(this.model.tick, this.range));
    if (this.#pointer !== null) {
      const hover = this.#xOf(this.#tickAt(this.#pointer));
      context.fillStyle = colors.soft;
      context.fillRect(hover - 0.5, BAR_Y - 6, 1, 12);
    }
    context.beginPath();
    context.arc(x, BAR_Y, 6, 0, 2 * Math.PI);
    context.fillStyle = this.model.live || this.model.recording ? colors.accent : colors.warn;
    context.fill();
    context.lineWidth = 2;
    context.strokeStyle = colors.panel;
    context.stroke();
  }

  #describe() {
    const { model } = this;
    setAttribute(this.slider, "aria-valuemax", model.newest);
    setAttribute(this.slider, "aria-valuenow", model.tick);
    setAttribute(
      this.slider,
      "aria-valuetext",
      `tick ${model.tick} of ${model.newest}, ${(model.tick * model.tickSeconds).toFixed(1)} seconds`,
    );
    this.liveButton.hidden = this.continueButton.hidden = model.recording;
    setAttribute(this.liveButton, "aria-pressed", String(model.live));
    this.continueButton.disabled = model.live;
  }
}
