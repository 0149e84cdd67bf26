// The pointer over the arena: hover, select, follow, pan, zoom; moving and turning what is there.

import { make, setText } from "./dom.js";
import { blueOf, greenOf, redOf } from "./frames.js";
import { degrees } from "./places.js";

const CLICK_PIXELS = 4;
const HANDLE_PIXELS = 9;
const WHEEL_ZOOM = 0.0016;

export class Pointer {
  #drag = null;
  #over = null;

  /**
   * @param {import("./arena.js").Arena} arena
   * @param {import("./actions.js").Actions} actions
   * @param {(name: string | null, kind: string) => void} select
   */
  constructor(arena, actions, select) {
    this.arena = arena;
    this.actions = actions;
    this.select = select;
    this.tip = make("div", { class: "tip", hidden: true });
    arena.element.append(this.tip);
    const canvas = arena.front;
    canvas.addEventListener("pointerdown", (event) => this.#down(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", (event) => this.#up(event));
    canvas.addEventListener("pointercancel", () => this.cancel());
    canvas.addEventListener("pointerleave", () => this.#hover(null));
    canvas.addEventListener("dblclick", (event) => this.#follow(event));
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  /** The point of the arena under the pointer, or else in the middle of what is seen. */
  get place() {
    const { camera } = this.arena;
    return this.#over
      ? { x: camera.toArenaX(this.#over.x), y: camera.toArenaY(this.#over.y) }
      : { x: camera.x, y: camera.y };
  }

  get isDragging() {
    return this.#drag !== null;
  }

  /** Lets go of what is being moved, and leaves it where it was. */
  cancel() {
    this.#drag = null;
    this.arena.ghost = null;
    this.arena.invalidate();
  }

  #at(event) {
    const box = this.arena.front.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  #down(event) {
    if (event.button > 1) return;
    const point = this.#at(event);
    this.arena.front.setPointerCapture(event.pointerId);
    this.arena.front.focus({ focusVisible: false });
    this.#hover(null);
    const { model } = this.arena;
    const selected = model.selected ?? model.selectedObject;
    const onHandle = event.button === 0 && selected !== null && this.#isOnHandle(selected, point);
    const thing = onHandle
      ? { name: selected, kind: "handle" }
      : event.button === 0
        ? this.arena.places.thingAt(point.x, point.y)
        : null;
    const pose = thing ? this.arena.places.poseOf(thing.name) : null;
    this.#drag = { start: point, last: point, thing, pose, turns: onHandle || event.shiftKey, moved: false };
  }

  #isOnHandle(name, point) {
    if (!this.arena.showsHandle) return false;
    const knob = this.arena.places.handleOf(name);
    return knob !== null && Math.hypot(knob.x - point.x, knob.y - point.y) < HANDLE_PIXELS;
  }

  #move(event) {
    const point = this.#at(event);
    const drag = this.#drag;
    if (!drag) return this.#hover(point);
    if (!drag.moved && Math.hypot(point.x - drag.start.x, point.y - drag.start.y) < CLICK_PIXELS) return;
    if (!drag.moved && !this.#begin(drag)) return;
    if (drag.pans) this.arena.pan(point.x - drag.last.x, point.y - drag.last.y);
    else this.#carry(drag, point);
    drag.last = point;
  }

  /** The pointer went far enough to mean it. */
  #begin(drag) {
    drag.moved = true;
    drag.pans = !drag.pose;
    if (drag.pans) return true;
    if (!this.actions.mayChange()) {
      this.cancel();
      return false;
    }
    if (drag.thing.kind !== "handle") this.select(drag.thing.name, drag.thing.kind);
    return true;
  }

  #carry(drag, point) {
    const { camera } = this.arena;
    const x = camera.toArenaX(point.x);
    const y = camera.toArenaY(point.y);
    const { pose } = drag;
    this.arena.ghost = drag.turns
      ? { name: drag.thing.name, x: pose.x, y: pose.y, yaw: Math.atan2(y - pose.y, x - pose.x) }
      : {
          name: drag.thing.name,
          x: pose.x + x - camera.toArenaX(drag.start.x),
          y: pose.y + y - camera.toArenaY(drag.start.y),
          yaw: pose.yaw,
        };
    this.arena.invalidate();
  }

  #up(event) {
    const drag = this.#drag;
    const { ghost } = this.arena;
    this.cancel();
    if (!drag) return;
    if (ghost) this.actions.move(ghost.name, ghost.x, ghost.y, ghost.yaw);
    else if (!drag.moved && event.button === 0 && drag.thing?.kind !== "handle") this.#choose(drag.thing);
  }

  #choose(thing) {
    if (thing) this.select(thing.name, thing.kind);
    else this.select(null, "robot");
  }

  #follow(event) {
    const point = this.#at(event);
    const thing = this.arena.places.thingAt(point.x, point.y);
    if (!thing || thing.kind === "light") return;
    this.select(thing.name, thing.kind);
    this.arena.follow(true);
  }

  #wheel(event) {
    event.preventDefault();
    const point = this.#at(event);
    const lines = event.deltaMode === 1 ? 16 : 1;
    this.arena.zoom(Math.exp(-event.deltaY * lines * WHEEL_ZOOM * (event.ctrlKey ? 4 : 1)), point.x, point.y);
  }

  #hover(point) {
    this.#over = point;
    const { arena } = this;
    const thing = point && arena.places.thingAt(point.x, point.y);
    const selected = arena.model.selected ?? arena.model.selectedObject;
    const onHandle = point && selected !== null && this.#isOnHandle(selected, point);
    arena.front.style.cursor = onHandle ? "grab" : thing ? "pointer" : "default";
    const name = thing?.name ?? null;
    if (name !== arena.hovered) {
      arena.hovered = name;
      arena.invalidate();
    }
    this.tip.hidden = !thing;
    if (thing) this.#showTip(thing, point);
  }

  #showTip(thing, point) {
    setText(this.tip, this.#describe(thing));
    const { width, height } = this.arena.camera;
    this.tip.style.left = `${Math.min(point.x + 14, width - this.tip.offsetWidth - 4)}px`;
    this.tip.style.top = `${Math.min(point.y + 16, height - this.tip.offsetHeight - 4)}px`;
  }

  #describe({ name, kind }) {
    const { model } = this.arena;
    const pose = this.arena.places.poseOf(name) ?? model.scene.lights.find((light) => light.name === name);
    const place = `${pose.x.toFixed(3)}, ${pose.y.toFixed(3)} m`;
    if (kind === "light") return `${name}   light\n${place}`;
    const index = model.robotIndex(name);
    const yaw = `${degrees(pose.yaw)}°`;
    if (index < 0)
      return `${name}   ${model.scene.objects[model.objectIndex(name)].movable ? "movable" : "fixed"}\n${place}   ${yaw}`;
    const look = this.arena.bodies.looks[index];
    return `${name}   ${model.scene.robots[index].kind}\n${place}   ${yaw}\nLEDs ${redOf(look)}, ${greenOf(look)}, ${blueOf(look)}`;
  }
}
