// What lies still: floor, grid, edge of the arena, lights, the scale bar.

import { stepAtLeast } from "./steps.js";
import { OKABE_ITO } from "./theme.js";

const LEAST_MAJOR_PIXELS = 70;
const LEAST_MINOR_PIXELS = 9;

/** Lengths on the screen are rounded: one that falls short by a trifle is long enough. */
function niceLength(length) {
  return stepAtLeast(length * 0.999);
}

export class Ground {
  #floor = null;
  #fetched = 0;

  /** @param {() => void} changed  called when the picture of the floor has come */
  constructor(changed) {
    this.changed = changed;
  }

  setScene(scene) {
    this.scene = scene;
    if (!scene.floor) this.#floor = null;
    else this.fetchFloor();
  }

  /** Fetches the floor's picture; the number keeps an older one from the browser's cache away. */
  fetchFloor() {
    const picture = new Image();
    const number = ++this.#fetched;
    const take = (floor) => {
      if (number !== this.#fetched) return;
      this.#floor = floor;
      this.changed();
    };
    picture.onload = () => take(picture);
    picture.onerror = () => take(null);
    picture.src = `floor.png?${number}`;
  }

  draw(context, camera, colors) {
    const { arena } = this.scene;
    context.fillStyle = arena ? colors.arenaOutside : colors.arenaInside;
    context.fillRect(0, 0, camera.width, camera.height);
    if (arena) this.#fillBox(context, camera, arena, colors.arenaInside);
    if (this.#floor) this.#drawFloor(context, camera);
    this.#drawGrid(context, camera, colors);
    if (arena) this.#strokeBox(context, camera, arena, colors.arenaEdge);
    this.#fillCells(context, camera, colors.fixed);
  }

  /** The occupied parts of a map, as one shape without seams. */
  #fillCells(context, camera, color) {
    context.fillStyle = color;
    context.beginPath();
    for (const [x, y, width, depth] of this.scene.cells ?? []) {
      const left = Math.floor(camera.toScreenX(x - width / 2));
      const top = Math.floor(camera.toScreenY(y + depth / 2));
      context.rect(
        left,
        top,
        Math.ceil(camera.toScreenX(x + width / 2)) - left,
        Math.ceil(camera.toScreenY(y - depth / 2)) - top,
      );
    }
    context.fill();
  }

  #box(camera, { size, center }) {
    const width = size[0] * camera.scale;
    const height = size[1] * camera.scale;
    return [camera.toScreenX(center[0]) - width / 2, camera.toScreenY(center[1]) - height / 2, width, height];
  }

  #fillBox(context, camera, box, color) {
    context.fillStyle = color;
    context.fillRect(...this.#box(camera, box));
  }

  #strokeBox(context, camera, box, color) {
    context.strokeStyle = color;
    context.lineWidth = 1.5;
    context.strokeRect(...this.#box(camera, box));
  }

  #drawFloor(context, camera) {
    context.imageSmoothingEnabled = camera.scale * this.scene.floor.size[0] < this.#floor.width * 4;
    context.drawImage(this.#floor, ...this.#box(camera, this.scene.floor));
    context.imageSmoothingEnabled = true;
  }

  #drawGrid(context, camera, colors) {
    const major = niceLength(LEAST_MAJOR_PIXELS / camera.scale);
    const minor = major / 5;
    context.lineWidth = 1;
    context.globalAlpha = this.#floor ? 0.35 : 1;
    if (minor * camera.scale >= LEAST_MINOR_PIXELS) this.#drawLines(context, camera, minor, colors.arenaMinor);
    this.#drawLines(context, camera, major, colors.arenaMajor);
    context.globalAlpha = this.#floor ? 0.5 : 1;
    this.#drawAxes(context, camera, colors.arenaAxis);
    context.globalAlpha = 1;
  }

  /** Grid lines within the arena, or all over where there is none. */
  #drawLines(context, camera, spacing, color) {
    const [left, top, right, bottom] = this.#extent(camera);
    context.beginPath();
    for (
      let n = Math.ceil(camera.toArenaX(left) / spacing - 1e-6);
      camera.toScreenX(n * spacing) <= right + 0.01;
      n++
    ) {
      const x = Math.round(camera.toScreenX(n * spacing)) + 0.5;
      context.moveTo(x, top);
      context.lineTo(x, bottom);
    }
    for (
      let n = Math.ceil(camera.toArenaY(bottom) / spacing - 1e-6);
      camera.toScreenY(n * spacing) >= top - 0.01;
      n++
    ) {
      const y = Math.round(camera.toScreenY(n * spacing)) + 0.5;
      context.moveTo(left, y);
      context.lineTo(right, y);
    }
    context.strokeStyle = color;
    context.stroke();
  }

  #extent(camera) {
    if (!this.scene.arena) return [0, 0, camera.width, camera.height];
    const [x, y, width, height] = this.#box(camera, this.scene.arena);
    return [Math.max(0, x), Math.max(0, y), Math.min(camera.width, x + width), Math.min(camera.height, y + height)];
  }

  #drawAxes(context, camera, color) {
    const [left, top, right, bottom] = this.#extent(camera);
    const x = Math.round(camera.toScreenX(0)) + 0.5;
    const y = Math.round(camera.toScreenY(0)) + 0.5;
    context.beginPath();
    if (x > left && x < right) {
      context.moveTo(x, top);
      context.lineTo(x, bottom);
    }
    if (y > top && y < bottom) {
      context.moveTo(left, y);
      context.lineTo(right, y);
    }
    context.strokeStyle = color;
    context.stroke();
  }
}

/** The length that the bar in the corner stands for. */
export function drawScaleBar(context, camera, colors) {
  context.font = "11px system-ui, sans-serif";
  const length = niceLength(60 / camera.scale);
  const pixels = length * camera.scale;
  const text = length >= 1 ? `${length} m` : `${Math.round(length * 1000) / 10} cm`;
  const x = 14.5;
  const y = Math.round(camera.height) - 14.5;
  for (const [color, width] of [
    [colors.halo, 4],
    [colors.text, 1.5],
  ]) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(x, y - 5);
    context.lineTo(x, y);
    context.lineTo(x + pixels, y);
    context.lineTo(x + pixels, y - 5);
    context.stroke();
  }
  writeText(context, text, x + pixels / 2, y - 6, colors.text, colors.halo, "center");
}

/** Text that is read on any ground: letters on a halo. */
export function writeText(context, text, x, y, color, halo, align = "left") {
  context.textAlign = align;
  context.strokeStyle = halo;
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.strokeText(text, x, y);
  context.fillStyle = color;
  context.fillText(text, x, y);
}

/** Lights: yellow with a dark edge, so that they show on both grounds. */
export function drawLights(context, camera, lights) {
  context.fillStyle = OKABE_ITO.yellow;
  context.strokeStyle = "#2a2600";
  context.lineWidth = 1.2;
  for (const light of lights) {
    const x = camera.toScreenX(light.x);
    const y = camera.toScreenY(light.y);
    context.beginPath();
    for (let ray = 0; ray < 16; ray++) {
      const radius = ray % 2 ? 5 : 9;
      context.lineTo(x + radius * Math.cos((ray * Math.PI) / 8), y + radius * Math.sin((ray * Math.PI) / 8));
    }
    context.closePath();
    context.fill();
    context.stroke();
  }
}
