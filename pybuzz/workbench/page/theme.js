// Dark and light: the system's wish until a person chooses; the choice is kept.

import { Emitter } from "./emitter.js";

const KEY = "pybuzz.theme";
const NAMES = [
  "arena-outside",
  "arena-inside",
  "arena-minor",
  "arena-major",
  "arena-edge",
  "arena-axis",
  "body",
  "body-edge",
  "heading",
  "fixed",
  "fixed-edge",
  "movable",
  "movable-edge",
  "trail",
  "halo",
  "accent",
  "text",
  "soft",
  "faint",
  "line",
  "line-strong",
  "bad",
  "warn",
  "good",
  "panel",
  "raised",
];

/** Okabe and Ito's colours, which are told apart with any kind of colour vision. */
export const OKABE_ITO = {
  orange: "#e69f00",
  sky: "#56b4e9",
  green: "#009e73",
  yellow: "#f0e442",
  blue: "#0072b2",
  vermillion: "#d55e00",
  purple: "#cc79a7",
};

export class Theme extends Emitter {
  /** The colours of the style sheet, for canvases: camelCase names. @type {Record<string, string>} */
  colors = {};

  constructor() {
    super();
    this.#read();
    matchMedia("(prefers-color-scheme: light)").addEventListener("change", (event) => {
      if (localStorage.getItem(KEY) === null) this.#become(event.matches ? "light" : "dark");
    });
  }

  get name() {
    return document.documentElement.dataset.theme;
  }

  toggle() {
    const name = this.name === "dark" ? "light" : "dark";
    localStorage.setItem(KEY, name);
    this.#become(name);
  }

  #become(name) {
    document.documentElement.dataset.theme = name;
    this.#read();
    this.emit("change", name);
  }

  #read() {
    const style = getComputedStyle(document.documentElement);
    for (const name of NAMES) {
      const camel = name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
      this.colors[camel] = style.getPropertyValue(`--${name}`).trim();
    }
  }
}

/** @param {string} hex  #rrggbb @returns {[number, number, number]} */
export function channels(hex) {
  const value = parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
