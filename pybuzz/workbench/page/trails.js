// Where robots have been. Each pixel holds the tick of the last passage and how much of it was covered; a frame adds one
// short line a robot, and fading is a look into a table of opacities by age. So a picture costs one pass over the pixels,
// however long the trails are. Only when the view changes are all of them plotted anew from the ticks kept.

import { channels } from "./theme.js";

const NEVER = -0x40000000;
const TICKS_KEPT = 2000;
const BYTES_KEPT = 48 * 1024 * 1024;
const STRIDE = 3;
const LEAST_JUMP_M = 0.15;
const FASTER = 3;
const LEAST_GAP = 8;

/** @typedef {{tick: number, poses: Float32Array, robots: number}} Passage */

export class Trails {
  /** Ticks that a trail is long. */
  length = 200;
  /** @type {Passage[]} in the order of ticks */
  #passages = [];
  #canvas = document.createElement("canvas");
  #context = this.#canvas.getContext("2d", { willReadFrequently: true });
  #image = null;
  #pixels = new Uint32Array(0);
  #stamps = new Int32Array(0);
  #cover = new Uint8Array(0);
  #drawn = { view: -1, tick: NEVER, color: "" };
  #names = [];

  /** Robots that were there keep their trails; when some went, numbers change and all trails end. */
  setRobots(names) {
    if (this.#names.some((name, index) => name !== names[index])) this.clear();
    this.#names = names;
  }

  clear() {
    this.#passages = [];
    this.replot();
  }

  replot() {
    this.#drawn.view = -1;
  }

  /** @param {import("./frames.js").Frame} frame */
  add(frame, live) {
    const passages = this.#passages;
    if (live) while (passages.length && passages.at(-1).tick >= frame.tick) passages.pop();
    const place = this.#placeOf(frame.tick);
    if (passages[place]?.tick === frame.tick) return;
    passages.splice(place, 0, { tick: frame.tick, poses: frame.poses, robots: frame.robots });
    if (place < passages.length - 1) this.replot();
    const kept = Math.min(TICKS_KEPT, Math.max(50, Math.floor(BYTES_KEPT / (12 * frame.robots + 200))));
    if (passages.length > kept) passages.shift();
  }

  /** The first and last tick of a gap within the trails that end at a tick; null if there is none. */
  gapBefore(tick) {
    const passages = this.#passages;
    const first = Math.max(0, tick - this.length);
    let upper = tick + 1;
    for (let index = this.#placeOf(upper) - 1; upper > first; index--) {
      const lower = passages[index]?.tick ?? first - 1;
      if (upper - lower > LEAST_GAP) return [Math.max(first, lower + 1), upper - 1];
      upper = lower;
    }
    return null;
  }

  /** The index of the first passage that is not before the tick. */
  #placeOf(tick) {
    let low = 0;
    let high = this.#passages.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#passages[middle].tick < tick) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Draws the trails as they were at a tick. */
  draw(context, camera, tick, color, robots) {
    this.#fit(camera);
    const drawn = this.#drawn;
    if (drawn.view !== camera.version || drawn.tick !== tick || drawn.color !== color) {
      if (drawn.view !== camera.version || tick < drawn.tick) this.#plotAll(camera, tick);
      else this.#plotFrom(drawn.tick, camera, tick);
      this.#paint(tick, color, strengthFor(robots));
      this.#drawn = { view: camera.version, tick, color };
    }
    context.drawImage(this.#canvas, 0, 0, camera.width, camera.height);
  }

  /** The places of one robot in the last ticks, for a line of its own: calls visit(x, y, jump). */
  walk(robot, tick, visit) {
    const passages = this.#passages;
    const first = this.#placeOf(tick - this.length);
    for (let index = first; index < passages.length && passages[index].tick <= tick; index++) {
      const { poses, robots } = passages[index];
      if (robot >= robots) continue;
      const isStart = index === first || robot >= passages[index - 1].robots;
      visit(
        poses[STRIDE * robot],
        poses[STRIDE * robot + 1],
        isStart || isJump(passages[index - 2], passages[index - 1], passages[index], robot),
      );
    }
  }

  #fit(camera) {
    const width = Math.max(1, Math.round(camera.width));
    const height = Math.max(1, Math.round(camera.height));
    if (this.#image && this.#image.width === width && this.#image.height === height) return;
    this.#canvas.width = width;
    this.#canvas.height = height;
    this.#image = new ImageData(width, height);
    this.#pixels = new Uint32Array(this.#image.data.buffer);
    this.#stamps = new Int32Array(width * height);
    this.#cover = new Uint8Array(width * height);
    this.replot();
  }

  #plotAll(camera, tick) {
    this.#stamps.fill(NEVER);
    this.#plotFrom(tick - this.length, camera, tick);
  }

  #plotFrom(after, camera, tick) {
    const passages = this.#passages;
    const first = Math.max(1, this.#placeOf(Math.max(after, tick - this.length) + 1));
    for (let index = first; index < passages.length && passages[index].tick <= tick; index++) {
      this.#plotPassage(passages[index - 2], passages[index - 1], passages[index], camera);
    }
  }

  #plotPassage(earlier, from, to, camera) {
    const { scale, width, height } = camera;
    const offsetX = width / 2 - camera.x * scale;
    const offsetY = height / 2 + camera.y * scale;
    const count = Math.min(from.robots, to.robots);
    const before = from.poses;
    const after = to.poses;
    for (let robot = 0, at = 0; robot < count; robot++, at += STRIDE) {
      const x = before[at] * scale + offsetX;
      const y = offsetY - before[at + 1] * scale;
      const dx = (after[at] - before[at]) * scale;
      const dy = (before[at + 1] - after[at + 1]) * scale;
      if ((dx !== 0 || dy !== 0) && !isJump(earlier, from, to, robot)) this.#plotLine(x, y, dx, dy, to.tick);
    }
  }

  #plotLine(x, y, dx, dy, tick) {
    const points = Math.min(2000, Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)) * 1.25));
    for (let point = 1; point <= points; point++)
      this.#plotPoint(x + (dx * point) / points, y + (dy * point) / points, tick);
  }

  /** A point spread over the four pixels around it by how much it covers of each. */
  #plotPoint(x, y, tick) {
    const left = Math.floor(x - 0.5);
    const top = Math.floor(y - 0.5);
    const width = this.#image.width;
    if (left < 0 || top < 0 || left >= width - 1 || top >= this.#image.height - 1) return;
    const right = (x - 0.5 - left) * 1.35;
    const lower = (y - 0.5 - top) * 255;
    const at = top * width + left;
    const rest = Math.max(0, 1.35 - right);
    this.#touch(at, rest * (255 - lower), tick);
    this.#touch(at + 1, right * (255 - lower), tick);
    this.#touch(at + width, rest * lower, tick);
    this.#touch(at + width + 1, right * lower, tick);
  }

  #touch(at, cover, tick) {
    const whole = cover > 255 ? 255 : cover;
    if (tick - this.#stamps[at] > this.length || whole > this.#cover[at]) this.#cover[at] = whole;
    this.#stamps[at] = tick;
  }

  #paint(tick, color, opacity) {
    const [red, green, blue] = channels(color);
    const tint = (blue << 16) | (green << 8) | red;
    const { length } = this;
    const pixels = this.#pixels;
    const stamps = this.#stamps;
    const cover = this.#cover;
    const strength = opacity / length;
    for (let at = 0; at < pixels.length; at++) {
      const left = length - tick + stamps[at];
      pixels[at] = left > 0 ? tint | ((cover[at] * left * strength) << 24) : 0;
    }
    this.#context.putImageData(this.#image, 0, 0);
  }
}

/** Of many robots each trail is fainter, so that the robots still stand out. */
function strengthFor(robots) {
  return 0.35 + 0.45 / (1 + robots / 150);
}

/** Much further in a tick than just before: put there by hand. */
function isJump(earlier, from, to, robot) {
  const before =
    earlier === undefined || robot >= earlier.robots ? 0 : distance(earlier, from, robot) / (from.tick - earlier.tick);
  return !(distance(from, to, robot) <= (LEAST_JUMP_M + FASTER * before) * (to.tick - from.tick));
}

function distance(from, to, robot) {
  const at = STRIDE * robot;
  return Math.hypot(to.poses[at] - from.poses[at], to.poses[at + 1] - from.poses[at + 1]);
}
