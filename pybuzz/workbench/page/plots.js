// Small plots of sensor values over the last ticks; of a sensor with many values (lidar) the values side by side as they are now.

import { make, setText } from "./dom.js";
import { OKABE_ITO } from "./theme.js";

const SAMPLES = 150;
const LINES = 8;
const HEIGHT = 36;
const COLORS = [
  OKABE_ITO.sky,
  OKABE_ITO.orange,
  OKABE_ITO.green,
  OKABE_ITO.purple,
  OKABE_ITO.vermillion,
  OKABE_ITO.blue,
  OKABE_ITO.yellow,
  "#999999",
];

export class SensorPlots {
  #plots = new Map();
  #robot = null;
  #tick = -1;

  /** @param {import("./theme.js").Theme} theme */
  constructor(theme) {
    this.theme = theme;
    this.element = make("div", { class: "plots", "data-test": "sensors" });
    new ResizeObserver(() => this.#plots.forEach((plot) => plot.draw(theme.colors))).observe(this.element);
    theme.on("change", () => this.#plots.forEach((plot) => plot.draw(theme.colors)));
  }

  /** @param {string} robot @param {number} tick @param {Record<string, number[]>} sensors */
  show(robot, tick, sensors) {
    if (robot !== this.#robot || tick < this.#tick) this.#plots.forEach((plot) => plot.clear());
    const isNew = robot !== this.#robot || tick !== this.#tick;
    this.#robot = robot;
    this.#tick = tick;
    for (const [name, plot] of this.#plots) {
      if (name in sensors) continue;
      plot.element.remove();
      this.#plots.delete(name);
    }
    for (const [name, values] of Object.entries(sensors)) {
      const plot = this.#plots.get(name) ?? this.#add(name);
      if (isNew) plot.push(tick, values);
      plot.draw(this.theme.colors);
    }
  }

  #add(name) {
    const plot = new Plot(name);
    this.#plots.set(name, plot);
    this.element.append(plot.element);
    return plot;
  }
}

class Plot {
  #samples = [];

  constructor(name) {
    this.canvas = make("canvas", { "aria-hidden": "true" });
    this.span = make("span", { class: "range" });
    this.values = make("div", { class: "values" });
    this.element = make(
      "div",
      { class: "plot", "data-sensor": name },
      make("div", { class: "name" }, make("span", { text: name }), this.span),
      this.canvas,
      this.values,
    );
  }

  clear() {
    this.#samples = [];
  }

  push(tick, values) {
    this.#samples.push({ tick, values });
    if (this.#samples.length > SAMPLES) this.#samples.shift();
  }

  draw(colors) {
    const width = this.canvas.clientWidth;
    const last = this.#samples.at(-1)?.values;
    if (!width || !last) return;
    const context = fitted(this.canvas, width, HEIGHT);
    const isWide = last.length > LINES;
    const [low, high] = isWide ? limitsOf([{ values: last }]) : limitsOf(this.#samples);
    const yOf = (value) => HEIGHT - 3 - ((value - low) / (high - low || 1)) * (HEIGHT - 6);
    this.#drawFrame(context, colors, width);
    if (isWide) drawProfile(context, last, width, yOf);
    else this.#drawLines(context, last.length, width, yOf);
    setText(this.span, `${short(low)} … ${short(high)}`);
    this.#tell(last, isWide);
  }

  #drawFrame(context, colors, width) {
    context.clearRect(0, 0, width, HEIGHT);
    context.fillStyle = colors.line;
    context.fillRect(0, HEIGHT - 1, width, 1);
  }

  #drawLines(context, count, width, yOf) {
    const samples = this.#samples;
    const step = width / SAMPLES;
    context.lineWidth = 1.3;
    context.lineJoin = "round";
    for (let line = 0; line < count; line++) {
      context.strokeStyle = COLORS[line % COLORS.length];
      context.beginPath();
      for (let at = 0; at < samples.length; at++) {
        const value = samples[at].values[line];
        if (Number.isFinite(value)) context.lineTo(width - (samples.length - 1 - at) * step - 2, yOf(value));
      }
      context.stroke();
      const y = yOf(samples.at(-1).values[line]);
      context.fillStyle = COLORS[line % COLORS.length];
      context.fillRect(width - 4, y - 1.5, 4, 3);
    }
  }

  #tell(values, isWide) {
    if (isWide) return setText(this.values, `${values.length} values`);
    if (this.values.childElementCount !== values.length) {
      const cells = values.map((_, index) => make("span"));
      cells.forEach((cell, index) => cell.style.setProperty("--swatch", COLORS[index % COLORS.length]));
      this.values.replaceChildren(...cells);
    }
    values.forEach((value, index) => setText(this.values.children[index], short(value)));
  }
}

function drawProfile(context, values, width, yOf) {
  const step = width / values.length;
  context.fillStyle = COLORS[0];
  for (let index = 0; index < values.length; index++) {
    if (!Number.isFinite(values[index])) continue;
    const y = yOf(values[index]);
    context.fillRect(index * step, y, Math.max(1, step - 0.5), HEIGHT - 1 - y);
  }
}

function limitsOf(samples) {
  let low = Infinity;
  let high = -Infinity;
  for (const { values } of samples) {
    for (const value of values) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  if (!(low <= high)) return [0, 1];
  if (high === 0 && low === 0) return [0, 1];
  return low >= 0 && low < 0.5 * high ? [0, high] : low === high ? [low - 0.5, high + 0.5] : [low, high];
}

export function fitted(canvas, width, height) {
  const w = Math.round(width * devicePixelRatio);
  const h = Math.round(height * devicePixelRatio);
  if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  const context = canvas.getContext("2d");
  context.setTransform(w / width, 0, 0, h / height, 0, 0);
  return context;
}

/** A number in few letters: four digits that count. */
export function short(value) {
  if (value === null || value === undefined) return "nil";
  if (!Number.isFinite(value)) return String(value);
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
}
