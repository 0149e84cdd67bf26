// From frame to frame. While the run plays slower than the screen, bodies glide from their last place to the present one in
// about the time between two frames; otherwise, and whenever it stands, exactly the frame is shown.

import { emptyFrame } from "./frames.js";

const LEAST_INTERVAL_MS = 25;
const GREATEST_INTERVAL_MS = 450;
const STEPS_THAT_GLIDE = 2;
const FAR_M = 0.5;

export class Motion {
  /** @type {import("./arena.js").Bodies} */
  bodies = { robots: 0, objects: 0, poses: new Float32Array(0), looks: new Uint32Array(0) };
  #from = emptyFrame();
  #to = emptyFrame();
  #came = 0;
  #interval = 0;
  #calm = matchMedia("(prefers-reduced-motion: reduce)");

  /** @param {import("./model.js").Model} model */
  constructor(model) {
    this.model = model;
  }

  /** The tick of the newest frame taken. */
  get tick() {
    return this.#to.tick;
  }

  /** @param {import("./frames.js").Frame} frame */
  take(frame, now) {
    const gap = Math.min(GREATEST_INTERVAL_MS, now - this.#came);
    this.#interval = this.#interval ? 0.7 * this.#interval + 0.3 * gap : gap;
    this.#came = now;
    this.#from = this.#to;
    this.#to = frame;
    if (this.bodies.poses.length !== frame.poses.length) this.bodies.poses = new Float32Array(frame.poses.length);
    this.bodies.robots = frame.robots;
    this.bodies.objects = frame.objects;
    this.bodies.looks = frame.looks;
  }

  /** Brings `bodies` to where they are at this moment. @returns {boolean} whether they still glide */
  advance(now) {
    const share = this.#glides() ? Math.min(1, (now - this.#came) / this.#interval) : 1;
    if (share >= 1) this.bodies.poses.set(this.#to.poses);
    else blend(this.#from.poses, this.#to.poses, Math.max(0, share), this.bodies.poses);
    return share < 1;
  }

  #glides() {
    const { model } = this;
    const steps = this.#to.tick - this.#from.tick;
    return (
      (model.run.playing || !model.live) &&
      !this.#calm.matches &&
      steps > 0 &&
      steps <= STEPS_THAT_GLIDE &&
      this.#from.revision === this.#to.revision &&
      this.#from.poses.length === this.#to.poses.length &&
      this.#interval > LEAST_INTERVAL_MS
    );
  }
}

/** A share of the way between two rows of poses; what was put far away jumps. */
function blend(from, to, share, result) {
  for (let at = 0; at < to.length; at += 3) {
    const dx = to[at] - from[at];
    const dy = to[at + 1] - from[at + 1];
    const far = dx > FAR_M || dx < -FAR_M || dy > FAR_M || dy < -FAR_M;
    const part = far ? 1 : share;
    const turn = to[at + 2] - from[at + 2];
    const shortest = turn - 2 * Math.PI * Math.round(turn / (2 * Math.PI));
    result[at] = from[at] + part * dx;
    result[at + 1] = from[at + 1] + part * dy;
    result[at + 2] = from[at + 2] + part * shortest;
  }
}
