// Robots and objects. A robot's look at the present scale is painted once per colour of its LEDs (a sprite) and then copied, which is
// what makes a thousand of them cheap; headings are one path for all.

import { FAILED, STOPPED, blueOf, flagsOf, greenOf, redOf } from "./frames.js";
import { OKABE_ITO } from "./theme.js";

const SPRITES_KEPT = 512;
const DETAIL_PIXELS = 4;
const LEAST_RADIUS_PIXELS = 2.4;

export class RobotPainter {
  #sprites = new Map();
  #made = "";

  /** @param {import("./arena.js").Bodies} bodies */
  draw(context, camera, colors, ratio, scene, bodies) {
    this.#forgetStale(camera.scale, colors, ratio);
    const { robots } = scene;
    for (let robot = 0; robot < bodies.robots; robot++) {
      const x = camera.toScreenX(bodies.poses[3 * robot]);
      const y = camera.toScreenY(bodies.poses[3 * robot + 1]);
      if (!camera.sees(x, y)) continue;
      const sprite = this.#spriteOf(bodies.looks[robot], robots[robot]?.radius ?? 0.07, camera.scale, colors, ratio);
      context.drawImage(sprite.canvas, x - sprite.half, y - sprite.half, 2 * sprite.half, 2 * sprite.half);
    }
    this.#drawHeadings(context, camera, colors, robots, bodies);
  }

  #forgetStale(scale, colors, ratio) {
    const made = `${scale} ${ratio} ${colors.body} ${colors.bodyEdge}`;
    if (made === this.#made && this.#sprites.size < SPRITES_KEPT) return;
    this.#sprites.clear();
    this.#made = made;
  }

  #spriteOf(look, radius, scale, colors, ratio) {
    let looks = this.#sprites.get(radius);
    if (!looks) this.#sprites.set(radius, (looks = new Map()));
    let sprite = looks.get(look);
    if (!sprite)
      looks.set(look, (sprite = this.#paint(look, Math.max(LEAST_RADIUS_PIXELS, radius * scale), colors, ratio)));
    return sprite;
  }

  #paint(look, radius, colors, ratio) {
    const half = Math.ceil(radius + 4);
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = Math.ceil(2 * half * ratio);
    const context = canvas.getContext("2d");
    context.setTransform(
      canvas.width / (2 * half),
      0,
      0,
      canvas.height / (2 * half),
      canvas.width / 2,
      canvas.height / 2,
    );
    if (radius < DETAIL_PIXELS) this.#paintSmall(context, look, radius, colors);
    else this.#paintLarge(context, look, radius, colors);
    this.#paintFlags(context, flagsOf(look), radius, colors);
    return { canvas, half };
  }

  #paintSmall(context, look, radius, colors) {
    disc(context, radius + 0.6, colors.bodyEdge);
    disc(context, radius - 0.1, isLit(look) ? ledColor(look) : colors.body);
  }

  #paintLarge(context, look, radius, colors) {
    const edge = Math.min(1.4, radius / 6);
    disc(context, radius, colors.bodyEdge);
    disc(context, radius - edge, colors.body);
    const led = radius * 0.56;
    if (isLit(look)) {
      disc(context, led + 1, "#14171b");
      disc(context, led, ledColor(look));
    } else {
      context.strokeStyle = colors.bodyEdge;
      context.globalAlpha = 0.45;
      context.lineWidth = Math.min(1, radius / 8);
      circle(context, led);
      context.globalAlpha = 1;
    }
  }

  #paintFlags(context, flags, radius, colors) {
    if (flags & FAILED) {
      context.strokeStyle = OKABE_ITO.vermillion;
      context.lineWidth = Math.max(1.5, radius / 6);
      circle(context, radius + 1);
      const arm = radius * 0.6;
      context.beginPath();
      context.moveTo(-arm, -arm);
      context.lineTo(arm, arm);
      context.moveTo(arm, -arm);
      context.lineTo(-arm, arm);
      context.stroke();
    }
    if (flags & STOPPED) {
      context.strokeStyle = OKABE_ITO.orange;
      context.lineWidth = 2.5;
      context.setLineDash([5, 3]);
      circle(context, radius + 2.2);
    }
  }

  #drawHeadings(context, camera, colors, robots, bodies) {
    const path = new Path2D();
    let width = 2;
    for (let robot = 0; robot < bodies.robots; robot++) {
      const radius = (robots[robot]?.radius ?? 0.07) * camera.scale;
      if (radius < 2.5) continue;
      const x = camera.toScreenX(bodies.poses[3 * robot]);
      const y = camera.toScreenY(bodies.poses[3 * robot + 1]);
      if (!camera.sees(x, y)) continue;
      const dx = Math.cos(bodies.poses[3 * robot + 2]) * radius;
      const dy = -Math.sin(bodies.poses[3 * robot + 2]) * radius;
      path.moveTo(x + 0.62 * dx, y + 0.62 * dy);
      path.lineTo(x + 1.12 * dx, y + 1.12 * dy);
      width = Math.max(1.2, Math.min(4, radius / 5));
    }
    context.strokeStyle = colors.heading;
    context.lineWidth = width;
    context.lineCap = "round";
    context.stroke(path);
    context.lineCap = "butt";
  }
}

function disc(context, radius, color) {
  context.fillStyle = color;
  context.beginPath();
  context.arc(0, 0, Math.max(0, radius), 0, 2 * Math.PI);
  context.fill();
}

function circle(context, radius) {
  context.beginPath();
  context.arc(0, 0, Math.max(0, radius), 0, 2 * Math.PI);
  context.stroke();
}

export const isLit = (look) => (look & 0xffffff) !== 0;
export const ledColor = (look) => `rgb(${redOf(look)} ${greenOf(look)} ${blueOf(look)})`;

/** The radius within which a robot or an object lies, m. */
export function reachOf({ radius, shape, size }) {
  if (radius !== undefined) return radius;
  return shape === "cylinder" ? size[0] / 2 : Math.hypot(size[0], size[1]) / 2;
}

/** Boxes and cylinders: what moves is amber with a thin edge inside, what stands is slate. */
export function drawObjects(context, camera, colors, scene, bodies) {
  for (let index = 0; index < bodies.objects; index++) {
    const object = scene.objects[index];
    if (!object) break;
    const at = 3 * (bodies.robots + index);
    drawObject(context, camera, colors, object, bodies.poses[at], bodies.poses[at + 1], bodies.poses[at + 2]);
  }
}

export function drawObject(context, camera, colors, object, x, y, yaw) {
  const { scale } = camera;
  context.save();
  context.translate(camera.toScreenX(x), camera.toScreenY(y));
  context.rotate(-yaw);
  context.fillStyle = object.movable ? colors.movable : colors.fixed;
  context.strokeStyle = object.movable ? colors.movableEdge : colors.fixedEdge;
  context.lineWidth = object.movable ? 1.5 : 1;
  context.beginPath();
  if (object.shape === "cylinder") context.arc(0, 0, Math.max(1, (object.size[0] * scale) / 2), 0, 2 * Math.PI);
  else outlineBox(context, object.size[0] * scale, object.size[1] * scale);
  context.fill();
  context.stroke();
  context.restore();
}

/** Thin walls stay visible when far away. */
function outlineBox(context, width, height) {
  const w = Math.max(1.5, width);
  const h = Math.max(1.5, height);
  context.rect(-w / 2, -h / 2, w, h);
}
