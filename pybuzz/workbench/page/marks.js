// What a person does with the arena: pointed at, selected, turned, moved; and names.

import { drawObject } from "./bodies.js";
import { writeText } from "./ground.js";
import { degrees } from "./places.js";

const NAME_RADIUS_PIXELS = 6;
const FONT = "11px system-ui, sans-serif";

/** @typedef {{context: CanvasRenderingContext2D, colors: Record<string, string>, places: import("./places.js").Places}} Pen */

/** @param {Pen} pen */
export function drawRing({ context, places }, name, color, width, gap) {
  const place = places.onScreen(name);
  if (!place) return;
  context.strokeStyle = color;
  context.lineWidth = width;
  context.beginPath();
  context.arc(place.x, place.y, Math.max(4, places.reachOnScreen(name)) + gap, 0, 2 * Math.PI);
  context.stroke();
}

/** The knob by which something is turned. @param {Pen} pen */
export function drawHandle({ context, colors, places }, name) {
  const knob = places.handleOf(name);
  const place = places.onScreen(name);
  const reach = Math.hypot(knob.x - place.x, knob.y - place.y);
  const inner = (reach - 15) / reach;
  context.strokeStyle = colors.accent;
  context.lineWidth = 1.2;
  context.beginPath();
  context.moveTo(place.x + inner * (knob.x - place.x), place.y + inner * (knob.y - place.y));
  context.lineTo(knob.x, knob.y);
  context.stroke();
  context.fillStyle = colors.halo;
  context.lineWidth = 1.8;
  context.beginPath();
  context.arc(knob.x, knob.y, 4, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
}

/** Where something will be when it is let go. @param {Pen} pen */
export function drawGhost(pen, { name, x, y, yaw }) {
  const { context, colors, places } = pen;
  const { camera, model } = places;
  const object = model.scene.objects[model.objectIndex(name)];
  const radius = Math.max(3, places.reachOnScreen(name));
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
  context.font = FONT;
  writeText(
    context,
    `${x.toFixed(3)}, ${y.toFixed(3)} m  ${degrees(yaw)}°`,
    sx + radius + 10,
    sy - radius - 6,
    colors.text,
    colors.halo,
  );
}

/** The names of robots that are large enough, and of those marked. @param {Pen} pen @param {Set<string>} marked */
export function drawNames({ context, colors, places }, marked) {
  const { camera, model } = places;
  const { robots, poses } = places.motion.bodies;
  context.font = FONT;
  for (let index = 0; index < robots; index++) {
    const robot = model.scene.robots[index];
    if (!robot) return;
    const radius = robot.radius * camera.scale;
    const isMarked = marked.has(robot.name);
    const sx = camera.toScreenX(poses[3 * index]);
    const sy = camera.toScreenY(poses[3 * index + 1]);
    if ((!isMarked && radius < NAME_RADIUS_PIXELS) || !camera.sees(sx, sy)) continue;
    writeText(context, robot.name, sx, sy + radius + 14, isMarked ? colors.text : colors.soft, colors.halo, "center");
  }
}
