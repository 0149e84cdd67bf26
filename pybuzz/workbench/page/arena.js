// The arena from above: three canvases on each other. What lies still is drawn when the view or the scene changes, what moves with every
// frame. Nothing is drawn when nothing changed.

import { Camera } from "./camera.js";
import { RobotPainter, drawObject, drawObjects, reachOf } from "./bodies.js";
import { Ground, drawLights, drawScaleBar, writeText } from "./ground.js";
import { LAYERS, drawOverlay } from "./layers.js";
import { Motion } from "./motion.js";
import { Trails } from "./trails.js";
import { make } from "./dom.js";

const NAME_RADIUS_PIXELS = 6;
const MEASURED_DRAWS = 240;

/**
 * What is drawn just now, which may lie between two frames.
 * @typedef {{robots: number, objects: number, poses: Float32Array, looks: Uint32Array}} Bodies
 */

export class Arena {
  camera = new Camera();
  /** @type {Set<string>} */
  layers = new Set(LAYERS.filter((layer) => layer.on).map((layer) => layer.name));
  following = false;
  /** What is being moved: drawn where the pointer is. @type {{name: string, x: number, y: number, yaw: number} | null} */
  ghost = null;
  /** @type {string | null} */
  hovered = null;
  #due = 0;
  #stale = { ground: true, front: true };
  #drawnView = -1;
  #fitted = false;
  #times = new Float64Array(MEASURED_DRAWS);
  #costs = new Float64Array(MEASURED_DRAWS);
  #draws = 0;
  #painter = new RobotPainter();
  #ground = new Ground(() => this.invalidate(true));
  #numbers = new Map();

  /**
   * @param {HTMLElement} element
   * @param {import("./model.js").Model} model
   * @param {import("./theme.js").Theme} theme
   */
  constructor(element, model, theme) {
    this.model = model;
    this.theme = theme;
    this.element = element;
    this.trails = new Trails(model);
    this.motion = new Motion(model);
    this.back = make("canvas", { class: "back", "aria-hidden": "true" });
    this.front = make("canvas", { class: "front", tabindex: 0, role: "application", "data-test": "canvas", "aria-label": "Arena from above" });
    element.append(this.back, this.front);
    this.#ground.setScene(model.scene);
    new ResizeObserver(() => this.#resize()).observe(element);
    model.on("scene", () => this.#sceneChanged());
    model.on("frame", (frame) => this.#frameCame(frame));
    model.on("overlay selection stopped view state", () => this.invalidate());
    theme.on("change", () => this.invalidate(true));
  }

  /** @returns {Bodies} */
  get bodies() {
    return this.motion.bodies;
  }

  invalidate(ground = false) {
    this.#stale.front = true;
    if (ground) this.#stale.ground = true;
    this.#due ||= requestAnimationFrame((now) => this.#draw(now));
  }

  setLayer(name, shown) {
    if (shown) this.layers.add(name);
    else this.layers.delete(name);
    this.invalidate();
  }

  /** Everything into view. */
  fit() {
    this.following = false;
    this.camera.fit(this.#extent());
    this.invalidate();
  }

  zoom(factor, sx = this.camera.width / 2, sy = this.camera.height / 2) {
    this.camera.zoomAt(sx, sy, factor);
    this.invalidate();
  }

  pan(pixelsX, pixelsY) {
    this.following = false;
    this.camera.panBy(pixelsX, pixelsY);
    this.invalidate();
  }

  follow(wanted = !this.following) {
    this.following = wanted && this.#selectedAt() >= 0;
    this.invalidate();
    return this.following;
  }

  /** How often and at what cost frames were drawn in the last second. */
  measure() {
    const since = performance.now() - 1000;
    let draws = 0;
    let cost = 0;
    for (let index = 0; index < MEASURED_DRAWS; index++) {
      if (this.#times[index] <= since) continue;
      draws++;
      cost += this.#costs[index];
    }
    return { fps: draws, drawMs: draws ? cost / draws : 0 };
  }

  /** The place of a robot or object on the screen, relative to the canvas; null if there is none of that name. */
  placeOf(name) {
    const at = this.indexOf(name);
    if (at < 0) return null;
    return { x: this.camera.toScreenX(this.bodies.poses[3 * at]), y: this.camera.toScreenY(this.bodies.poses[3 * at + 1]) };
  }

  /** Among all poses: robots, then objects. */
  indexOf(name) {
    const { robots, objects } = this.bodies;
    const at = this.#numbers.get(name) ?? -1;
    return at < robots + objects ? at : -1;
  }

  /** @returns {{name: string, kind: "robot" | "object" | "light"} | null} what lies under a point of the canvas */
  thingAt(sx, sy) {
    const x = this.camera.toArenaX(sx);
    const y = this.camera.toArenaY(sy);
    const slack = 4 / this.camera.scale;
    return this.#robotAt(x, y, slack) ?? this.#lightAt(sx, sy) ?? this.#objectAt(x, y, slack);
  }

  #robotAt(x, y, slack) {
    const { robots, poses } = this.bodies;
    let best = null;
    let least = Infinity;
    for (let index = 0; index < robots; index++) {
      const distance = Math.hypot(poses[3 * index] - x, poses[3 * index + 1] - y);
      const robot = this.model.scene.robots[index];
      if (robot && distance < robot.radius + slack && distance < least) {
        least = distance;
        best = { name: robot.name, kind: "robot" };
      }
    }
    return best;
  }

  #objectAt(x, y, slack) {
    const { robots, objects, poses } = this.bodies;
    for (let index = objects - 1; index >= 0; index--) {
      const object = this.model.scene.objects[index];
      const at = 3 * (robots + index);
      if (object && isInside(object, x - poses[at], y - poses[at + 1], poses[at + 2], slack)) return { name: object.name, kind: "object" };
    }
    return null;
  }

  #lightAt(sx, sy) {
    const hit = this.model.scene.lights.find(({ x, y }) => Math.hypot(this.camera.toScreenX(x) - sx, this.camera.toScreenY(y) - sy) < 9);
    return hit ? { name: hit.name, kind: "light" } : null;
  }

  #sceneChanged() {
    const { scene } = this.model;
    this.#ground.setScene(scene);
    this.#numbers = new Map([...scene.robots, ...scene.objects].map((thing, index) => [thing.name, index]));
    this.trails.setRobots(scene.robots.map((robot) => robot.name));
    this.invalidate(true);
  }

  #frameCame(frame) {
    if (frame.revision !== this.model.scene.revision) return;
    this.motion.take(frame, performance.now());
    this.trails.add(frame, this.model.live && !this.model.recording);
    if (!this.#fitted && this.camera.width > 1) {
      this.#fitted = true;
      this.fit();
    }
    this.invalidate();
  }

  #resize() {
    const { clientWidth, clientHeight } = this.element;
    if (!clientWidth || !clientHeight) return;
    for (const canvas of [this.back, this.front]) {
      canvas.width = Math.round(clientWidth * devicePixelRatio);
      canvas.height = Math.round(clientHeight * devicePixelRatio);
    }
    this.camera.resize(clientWidth, clientHeight);
    this.#stale.ground = true;
    this.#drawNow();
  }

  /** A canvas is empty after its size changed; drawn at once it does not flicker. */
  #drawNow() {
    cancelAnimationFrame(this.#due);
    this.#draw(performance.now());
  }

  #extent() {
    const { arena } = this.model.scene;
    if (arena) return boxAround(arena);
    const { robots, objects, poses } = this.bodies;
    const box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
    for (let index = 0; index < robots + objects; index++) {
      box.left = Math.min(box.left, poses[3 * index] - 0.5);
      box.right = Math.max(box.right, poses[3 * index] + 0.5);
      box.bottom = Math.min(box.bottom, poses[3 * index + 1] - 0.5);
      box.top = Math.max(box.top, poses[3 * index + 1] + 0.5);
    }
    return robots + objects ? box : { left: -2, right: 2, bottom: -2, top: 2 };
  }

  #selectedAt() {
    return this.indexOf(this.model.selected ?? this.model.selectedObject ?? "");
  }

  #draw(now) {
    this.#due = 0;
    const begin = performance.now();
    const goesOn = this.motion.advance(now);
    if (this.following) this.#followSelected();
    if (this.#stale.ground || this.#drawnView !== this.camera.version) this.#drawGround();
    this.#drawFront();
    this.#drawnView = this.camera.version;
    this.#stale.front = this.#stale.ground = false;
    const end = performance.now();
    this.#times[this.#draws % MEASURED_DRAWS] = end;
    this.#costs[this.#draws++ % MEASURED_DRAWS] = end - begin;
    if (goesOn) this.invalidate();
  }

  #followSelected() {
    const at = this.#selectedAt();
    if (at < 0) this.following = false;
    else this.camera.centerOn(this.bodies.poses[3 * at], this.bodies.poses[3 * at + 1]);
  }

  #begin(canvas) {
    const context = canvas.getContext("2d");
    context.setTransform(canvas.width / this.camera.width, 0, 0, canvas.height / this.camera.height, 0, 0);
    return context;
  }

  #drawGround() {
    const context = this.#begin(this.back);
    const { colors } = this.theme;
    this.#ground.draw(context, this.camera, colors);
    drawLights(context, this.camera, this.model.scene.lights);
    context.font = "11px system-ui, sans-serif";
    drawScaleBar(context, this.camera, colors);
  }

  #drawFront() {
    const context = this.#begin(this.front);
    const { camera, bodies, model } = this;
    const { colors } = this.theme;
    context.clearRect(0, 0, camera.width, camera.height);
    if (this.layers.has("trails")) this.#drawTrails(context, colors);
    drawObjects(context, camera, colors, model.scene, bodies);
    this.#painter.draw(context, camera, colors, devicePixelRatio, model.scene, bodies);
    if (model.overlay && this.#overlayFits()) {
      drawOverlay({ context, camera, colors, bodies, indexOf: (robot) => this.#robotIndex(robot) }, model.overlay);
    }
    this.#drawMarks(context, colors);
    if (this.layers.has("ids")) this.#drawNames(context, colors);
  }

  /** An overlay of another tick than the one shown would lie beside the robots. */
  #overlayFits() {
    return Math.abs(this.model.overlay.tick - this.motion.tick) <= (this.model.live && this.model.run.playing ? 40 : 0);
  }

  #robotIndex(robot) {
    return typeof robot === "number" ? robot : (this.#numbers.get(robot) ?? -1);
  }

  #drawTrails(context, colors) {
    const { tick } = this.motion;
    this.trails.draw(context, this.camera, tick, colors.trail);
    const at = this.model.selected ? this.indexOf(this.model.selected) : -1;
    if (at < 0) return;
    context.beginPath();
    this.trails.walk(at, tick, (x, y, jump) => {
      if (jump) context.moveTo(this.camera.toScreenX(x), this.camera.toScreenY(y));
      else context.lineTo(this.camera.toScreenX(x), this.camera.toScreenY(y));
    });
    context.strokeStyle = colors.accent;
    context.lineWidth = 2;
    context.lineJoin = "round";
    context.stroke();
  }

  /** What is pointed at, selected and moved. */
  #drawMarks(context, colors) {
    const selected = this.model.selected ?? this.model.selectedObject;
    if (this.hovered && this.hovered !== selected) this.#ring(context, this.hovered, colors.soft, 1.2, 3.5);
    if (selected) this.#ring(context, selected, colors.accent, 2, 4.5);
    if (selected && !this.ghost && this.showsHandle) this.#drawHandle(context, selected, colors);
    if (this.ghost) this.#drawGhost(context, colors);
  }

  get showsHandle() {
    return this.model.live && !this.model.recording && this.#selectedAt() >= 0;
  }

  /** Where the knob by which the selected thing is turned lies on the canvas. */
  handleOf(name) {
    const at = this.indexOf(name);
    if (at < 0) return null;
    const { poses } = this.bodies;
    const reach = this.reachOf(name) * this.camera.scale + 20;
    const yaw = poses[3 * at + 2];
    const place = this.placeOf(name);
    return { x: place.x + reach * Math.cos(yaw), y: place.y - reach * Math.sin(yaw) };
  }

  reachOf(name) {
    const { scene } = this.model;
    const robot = scene.robots[this.model.robotIndex(name)];
    if (robot) return robot.radius;
    const object = scene.objects[this.model.objectIndex(name)];
    return object ? reachOf(object) : 0;
  }

  #ring(context, name, color, width, gap) {
    const place = this.placeOf(name) ?? this.#placeOfLight(name);
    if (!place) return;
    context.strokeStyle = color;
    context.lineWidth = width;
    context.beginPath();
    context.arc(place.x, place.y, Math.max(4, this.reachOf(name) * this.camera.scale) + gap, 0, 2 * Math.PI);
    context.stroke();
  }

  #placeOfLight(name) {
    const light = this.model.scene.lights.find((other) => other.name === name);
    return light && { x: this.camera.toScreenX(light.x), y: this.camera.toScreenY(light.y) };
  }

  #drawHandle(context, name, colors) {
    const knob = this.handleOf(name);
    const place = this.placeOf(name);
    const reach = Math.hypot(knob.x - place.x, knob.y - place.y);
    const inner = (reach - 15) / reach;
    context.beginPath();
    context.moveTo(place.x + inner * (knob.x - place.x), place.y + inner * (knob.y - place.y));
    context.lineTo(knob.x, knob.y);
    context.strokeStyle = colors.accent;
    context.lineWidth = 1.2;
    context.stroke();
    context.beginPath();
    context.arc(knob.x, knob.y, 4, 0, 2 * Math.PI);
    context.fillStyle = colors.halo;
    context.fill();
    context.lineWidth = 1.8;
    context.stroke();
  }

  #drawGhost(context, colors) {
    const { name, x, y, yaw } = this.ghost;
    const { camera, model } = this;
    const object = model.scene.objects[model.objectIndex(name)];
    const radius = Math.max(3, this.reachOf(name) * camera.scale);
    const sx = camera.toScreenX(x);
    const sy = camera.toScreenY(y);
    context.globalAlpha = 0.75;
    if (object) drawObject(context, camera, colors, object, x, y, yaw);
    context.strokeStyle = colors.accent;
    context.lineWidth = 2;
    context.setLineDash([4, 3]);
    context.beginPath();
    context.arc(sx, sy, radius, 0, 2 * Math.PI);
    context.moveTo(sx, sy);
    context.lineTo(sx + (radius + 14) * Math.cos(yaw), sy - (radius + 14) * Math.sin(yaw));
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
    context.font = "11px system-ui, sans-serif";
    writeText(context, `${x.toFixed(3)}, ${y.toFixed(3)} m  ${degrees(yaw)}°`, sx + radius + 10, sy - radius - 6, colors.text, colors.halo);
  }

  #drawNames(context, colors) {
    const { robots, poses } = this.bodies;
    const { camera } = this;
    context.font = "11px system-ui, sans-serif";
    for (let index = 0; index < robots; index++) {
      const robot = this.model.scene.robots[index];
      const radius = (robot?.radius ?? 0) * camera.scale;
      const sx = camera.toScreenX(poses[3 * index]);
      const sy = camera.toScreenY(poses[3 * index + 1]);
      const isMarked = robot && (robot.name === this.model.selected || robot.name === this.hovered);
      if (!isMarked && (radius < NAME_RADIUS_PIXELS || sx < -50 || sy < -50 || sx > camera.width + 50 || sy > camera.height + 50)) continue;
      writeText(context, robot.name, sx, sy + radius + 14, isMarked ? colors.text : colors.soft, colors.halo, "center");
    }
  }
}

export const degrees = (yaw) => Math.round((((yaw * 180) / Math.PI) % 360 + 540) % 360 - 180);

function boxAround({ size, center }) {
  return {
    left: center[0] - size[0] / 2, right: center[0] + size[0] / 2, bottom: center[1] - size[1] / 2, top: center[1] + size[1] / 2,
  };
}

function isInside(object, dx, dy, yaw, slack) {
  if (object.shape === "cylinder") return Math.hypot(dx, dy) <= object.size[0] / 2 + slack;
  const along = dx * Math.cos(yaw) + dy * Math.sin(yaw);
  const across = dy * Math.cos(yaw) - dx * Math.sin(yaw);
  return Math.abs(along) <= object.size[0] / 2 + slack && Math.abs(across) <= object.size[1] / 2 + slack;
}
