// Where things are: on the arena, on the screen, and what lies under a point of it.

import { reachOf } from "./bodies.js";

const SLACK_PIXELS = 4;
const LIGHT_PIXELS = 9;
const HANDLE_PIXELS = 20;

/** @typedef {{name: string, kind: "robot" | "object" | "light"}} Thing */

export class Places {
  #numbers = new Map();

  /**
   * @param {import("./model.js").Model} model
   * @param {import("./camera.js").Camera} camera
   * @param {import("./motion.js").Motion} motion
   */
  constructor(model, camera, motion) {
    this.model = model;
    this.camera = camera;
    this.motion = motion;
    model.on(
      "scene",
      ({ robots, objects }) =>
        (this.#numbers = new Map([...robots, ...objects].map((thing, index) => [thing.name, index]))),
    );
  }

  /** The row of a robot or object among all poses; -1 if there is none of that name. */
  indexOf(name) {
    const { robots, objects } = this.motion.bodies;
    const at = this.#numbers.get(name) ?? -1;
    return at < robots + objects ? at : -1;
  }

  /** @returns {{x: number, y: number, yaw: number} | null} of a robot or object, in the arena */
  poseOf(name) {
    const at = 3 * this.indexOf(name);
    const { poses } = this.motion.bodies;
    return at < 0 ? null : { x: poses[at], y: poses[at + 1], yaw: poses[at + 2] };
  }

  /** @returns {{x: number, y: number} | null} of a robot, object or light, on the canvas */
  onScreen(name) {
    const place = this.poseOf(name) ?? this.model.scene.lights.find((light) => light.name === name);
    return place ? { x: this.camera.toScreenX(place.x), y: this.camera.toScreenY(place.y) } : null;
  }

  /** The radius within which something lies, in pixels. */
  reachOnScreen(name) {
    const { scene } = this.model;
    const thing = scene.robots[this.model.robotIndex(name)] ?? scene.objects[this.model.objectIndex(name)];
    return thing ? reachOf(thing) * this.camera.scale : 0;
  }

  /** Where on the canvas the knob is by which something is turned. */
  handleOf(name) {
    const pose = this.poseOf(name);
    if (!pose) return null;
    const { x, y } = this.onScreen(name);
    const reach = this.reachOnScreen(name) + HANDLE_PIXELS;
    return { x: x + reach * Math.cos(pose.yaw), y: y - reach * Math.sin(pose.yaw) };
  }

  /** @returns {Thing | null} what lies under a point of the canvas */
  thingAt(sx, sy) {
    const x = this.camera.toArenaX(sx);
    const y = this.camera.toArenaY(sy);
    const slack = SLACK_PIXELS / this.camera.scale;
    return this.#robotAt(x, y, slack) ?? this.#lightAt(sx, sy) ?? this.#objectAt(x, y, slack);
  }

  #robotAt(x, y, slack) {
    const { robots, poses } = this.motion.bodies;
    let best = null;
    let least = Infinity;
    for (let index = 0; index < robots; index++) {
      const distance = Math.hypot(poses[3 * index] - x, poses[3 * index + 1] - y);
      const robot = this.model.scene.robots[index];
      if (!robot || distance > robot.radius + slack || distance >= least) continue;
      least = distance;
      best = { name: robot.name, kind: "robot" };
    }
    return best;
  }

  #lightAt(sx, sy) {
    const { camera, model } = this;
    const hit = model.scene.lights.find(
      ({ x, y }) => Math.hypot(camera.toScreenX(x) - sx, camera.toScreenY(y) - sy) < LIGHT_PIXELS,
    );
    return hit ? { name: hit.name, kind: "light" } : null;
  }

  #objectAt(x, y, slack) {
    const { robots, objects, poses } = this.motion.bodies;
    for (let index = objects - 1; index >= 0; index--) {
      const object = this.model.scene.objects[index];
      const at = 3 * (robots + index);
      if (object && isInside(object, x - poses[at], y - poses[at + 1], poses[at + 2], slack))
        return { name: object.name, kind: "object" };
    }
    return null;
  }
}

function isInside(object, dx, dy, yaw, slack) {
  if (object.shape === "cylinder") return Math.hypot(dx, dy) <= object.size[0] / 2 + slack;
  const along = dx * Math.cos(yaw) + dy * Math.sin(yaw);
  const across = dy * Math.cos(yaw) - dx * Math.sin(yaw);
  return Math.abs(along) <= object.size[0] / 2 + slack && Math.abs(across) <= object.size[1] / 2 + slack;
}

/** A heading in whole degrees from -180 to 179. */
export const degrees = (yaw) => Math.round((((((yaw * 180) / Math.PI) % 360) + 540) % 360) - 180);
