// The arena from above: two canvases on each other. What lies still is drawn when the view or the scene changes, what moves with every
// frame. Nothing is drawn when nothing changed.

import { RobotPainter, drawObjects } from "./bodies.js";
import { Camera } from "./camera.js";
import { make } from "./dom.js";
import { Ground, drawLights, drawScaleBar } from "./ground.js";
import { LAYERS, drawOverlay } from "./layers.js";
import { drawGhost, drawHandle, drawNames, drawRing } from "./marks.js";
import { Motion } from "./motion.js";
import { Places } from "./places.js";
import { Trails } from "./trails.js";

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

  /**
   * @param {HTMLElement} element
   * @param {import("./model.js").Model} model
   * @param {import("./theme.js").Theme} theme
   */
  constructor(element, model, theme) {
    this.model = model;
    this.theme = theme;
    this.element = element;
    this.trails = new Trails();
    this.motion = new Motion(model);
    this.places = new Places(model, this.camera, this.motion);
    this.back = make("canvas", { class: "back", "aria-hidden": "true" });
    this.front = make("canvas", {
      class: "front",
      tabindex: 0,
      role: "application",
      "data-test": "canvas",
      "aria-label": "Arena from above",
    });
    element.append(this.back, this.front);
    this.#ground.setScene(model.scene);
    new ResizeObserver(() => this.#resize()).observe(element);
    model.on("scene", () => this.#sceneChanged());
    model.on("floor", () => this.#ground.fetchFloor());
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

  #sceneChanged() {
    const { scene } = this.model;
    this.#ground.setScene(scene);
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
    return this.places.indexOf(this.model.selected ?? this.model.selectedObject ?? "");
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
      drawOverlay(
        { context, camera, colors, bodies, indexOf: (robot) => this.places.indexOf(robot) },
        model.overlay,
        this.layers,
      );
    }
    this.#drawMarks({ context, colors, places: this.places });
    drawScaleBar(context, camera, colors);
  }

  /** An overlay of another tick than the one shown would lie beside the robots. */
  #overlayFits() {
    return Math.abs(this.model.overlay.tick - this.motion.tick) <= (this.model.live && this.model.run.playing ? 40 : 0);
  }

  #drawTrails(context, colors) {
    const { tick } = this.motion;
    this.trails.draw(context, this.camera, tick, colors.trail, this.bodies.robots);
    const at = this.model.selected ? this.places.indexOf(this.model.selected) : -1;
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

  /** @param {import("./marks.js").Pen} pen */
  #drawMarks(pen) {
    const { hovered, ghost } = this;
    const selected = this.model.selected ?? this.model.selectedObject;
    if (hovered && hovered !== selected) drawRing(pen, hovered, pen.colors.soft, 1.2, 3.5);
    if (selected) drawRing(pen, selected, pen.colors.accent, 2, 4.5);
    if (selected && !ghost && this.showsHandle) drawHandle(pen, selected);
    if (ghost) drawGhost(pen, ghost);
    if (this.layers.has("ids")) drawNames(pen, new Set([selected, hovered]));
  }

  get showsHandle() {
    return this.model.live && !this.model.recording && this.#selectedAt() >= 0;
  }
}

function boxAround({ size, center }) {
  return {
    left: center[0] - size[0] / 2,
    right: center[0] + size[0] / 2,
    bottom: center[1] - size[1] / 2,
    top: center[1] + size[1] / 2,
  };
}
