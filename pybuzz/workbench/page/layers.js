// What may be laid over the arena. The first ones the page knows by itself, the others the server sends as `overlay` when asked.

import { OKABE_ITO } from "./theme.js";
import { writeText } from "./ground.js";

/** asked: of the server. recorded: false for what no recording has. @type {{name: string, label: string, key: string, help: string, asked: boolean, recorded?: boolean, on?: boolean}[]} */
export const LAYERS = [
  { name: "trails", label: "Trails", key: "t", help: "where robots have been", asked: false },
  { name: "ids", label: "Names", key: "i", help: "names of robots, when there is room", asked: false, on: true },
  { name: "rays", label: "Rays", key: "y", help: "proximity, ultrasound and lidar rays", asked: true, recorded: false },
  { name: "links", label: "Links", key: "k", help: "who hears whom", asked: true },
  { name: "messages", label: "Messages", key: "m", help: "messages of this tick; lost ones dashed", asked: true },
  { name: "notes", label: "Notes", key: "n", help: "text and rays drawn by scripts (debug)", asked: true },
  {
    name: "commands",
    label: "Commands",
    key: "v",
    help: "where the commanded wheel speeds lead in a second",
    asked: true,
    recorded: false,
  },
];

const WHEEL_DISTANCE_M = 0.1054;
const ARC_POINTS = 8;

/**
 * @typedef {object} Drawing
 * @property {CanvasRenderingContext2D} context
 * @property {import("./camera.js").Camera} camera
 * @property {Record<string, string>} colors
 * @property {import("./arena.js").Bodies} bodies
 * @property {(name: string) => number} indexOf  of a robot by its name
 */

const DRAWN = [
  ["links", drawLinks],
  ["rays", drawRays],
  ["messages", drawMessages],
  ["commands", drawCommands],
  ["notes", drawNotes],
];

/**
 * The layers that are on; the server may send more, for another page.
 * @param {Drawing} drawing @param {object} overlay  the server's message @param {Set<string>} layers
 */
export function drawOverlay(drawing, overlay, layers) {
  for (const [name, draw] of DRAWN) if (layers.has(name) && overlay[name]) draw(drawing, overlay[name]);
}

function lineTo(path, camera, x0, y0, x1, y1) {
  path.moveTo(camera.toScreenX(x0), camera.toScreenY(y0));
  path.lineTo(camera.toScreenX(x1), camera.toScreenY(y1));
}

const RAY_LOOKS = {
  lidar: { color: OKABE_ITO.green, free: 0.12, hit: 0.3 },
  ultrasound: { color: OKABE_ITO.sky, free: 0.25, hit: 0.7 },
  proximity: { color: OKABE_ITO.orange, free: 0.3, hit: 0.9 },
};

/** A colour for each kind of sensor; what meets something is stronger, and its end is marked. */
function drawRays(drawing, groups) {
  for (const [sensor, look] of Object.entries(RAY_LOOKS)) {
    drawSensor(
      drawing,
      groups.filter((group) => group.sensor === sensor),
      look,
    );
  }
}

function drawSensor({ context, camera }, groups, look) {
  const free = new Path2D();
  const hits = new Path2D();
  const ends = new Path2D();
  for (const { lines } of groups) {
    for (const [x0, y0, x1, y1, hit] of lines) {
      lineTo(hit ? hits : free, camera, x0, y0, x1, y1);
      if (hit) ends.rect(camera.toScreenX(x1) - 1.5, camera.toScreenY(y1) - 1.5, 3, 3);
    }
  }
  context.lineWidth = 1;
  strokeWith(context, free, look.color, look.free);
  strokeWith(context, hits, look.color, look.hit);
  context.fillStyle = look.color;
  context.fill(ends);
}

function strokeWith(context, path, color, alpha, dash = []) {
  context.globalAlpha = alpha;
  context.strokeStyle = color;
  context.setLineDash(dash);
  context.stroke(path);
  context.setLineDash([]);
  context.globalAlpha = 1;
}

function drawLinks({ context, camera, bodies, colors }, links) {
  const path = new Path2D();
  const { poses, robots } = bodies;
  for (const [i, j] of links) {
    if (i < robots && j < robots) lineTo(path, camera, poses[3 * i], poses[3 * i + 1], poses[3 * j], poses[3 * j + 1]);
  }
  context.lineWidth = 1;
  strokeWith(context, path, colors.good, links.length > 4000 ? 0.15 : 0.5);
}

/** From sender to receiver, bent a little so that both ways are seen; an arrow head near the receiver. */
function drawMessages({ context, camera, bodies, indexOf }, messages) {
  const received = new Path2D();
  const lost = new Path2D();
  for (const message of messages) {
    const from = 3 * indexOf(message.from);
    const to = 3 * indexOf(message.to);
    if (from < 0 || to < 0) continue;
    const { poses } = bodies;
    const ends = [
      camera.toScreenX(poses[from]),
      camera.toScreenY(poses[from + 1]),
      camera.toScreenX(poses[to]),
      camera.toScreenY(poses[to + 1]),
    ];
    addArrow(message.lost ? lost : received, ends);
  }
  context.lineWidth = 1.3;
  strokeWith(context, received, OKABE_ITO.purple, 0.8);
  strokeWith(context, lost, OKABE_ITO.vermillion, 0.9, [4, 3]);
}

function addArrow(path, [x0, y0, x1, y1]) {
  const dx = x1 - x0;
  const dy = y1 - y0;
  const length = Math.hypot(dx, dy);
  if (length < 1) return;
  const bend = 0.12;
  path.moveTo(x0, y0);
  path.quadraticCurveTo((x0 + x1) / 2 - bend * dy, (y0 + y1) / 2 + bend * dx, x1, y1);
  const at = 0.72;
  const x = x0 + at * dx - 2 * at * (1 - at) * bend * dy;
  const y = y0 + at * dy + 2 * at * (1 - at) * bend * dx;
  const head = Math.min(6, length / 4) / length;
  path.moveTo(x - head * (dx - 0.6 * dy), y - head * (dy + 0.6 * dx));
  path.lineTo(x, y);
  path.lineTo(x - head * (dx + 0.6 * dy), y - head * (dy - 0.6 * dx));
}

/** The way of the next second if the wheels turn as commanded. */
function drawCommands({ context, camera, bodies, colors }, commands) {
  const path = new Path2D();
  for (let robot = 0; robot < Math.min(commands.length, bodies.robots); robot++) {
    if (!commands[robot]) continue;
    const [left, right] = commands[robot];
    const speed = (left + right) / 2;
    const turn = (right - left) / WHEEL_DISTANCE_M / ARC_POINTS;
    let x = bodies.poses[3 * robot];
    let y = bodies.poses[3 * robot + 1];
    let yaw = bodies.poses[3 * robot + 2];
    path.moveTo(camera.toScreenX(x), camera.toScreenY(y));
    for (let point = 0; point < ARC_POINTS; point++) {
      yaw += turn / 2;
      x += (Math.cos(yaw) * speed) / ARC_POINTS;
      y += (Math.sin(yaw) * speed) / ARC_POINTS;
      yaw += turn / 2;
      path.lineTo(camera.toScreenX(x), camera.toScreenY(y));
    }
  }
  context.lineJoin = "round";
  context.lineWidth = 4;
  strokeWith(context, path, colors.halo, 0.8);
  context.lineWidth = 2;
  strokeWith(context, path, OKABE_ITO.orange, 1);
}

function drawNotes(drawing, notes) {
  for (const note of notes) drawNoteLines(drawing, note);
  for (const note of notes) drawNoteText(drawing, note);
}

function drawNoteLines({ context, camera }, note) {
  context.lineWidth = 1.2;
  for (const { color, line } of note.rays) {
    const path = new Path2D();
    lineTo(path, camera, ...line);
    strokeWith(context, path, colorOf(color), 0.9);
  }
  if (note.trail.length < 2) return;
  const path = new Path2D();
  for (const [x, y] of note.trail) path.lineTo(camera.toScreenX(x), camera.toScreenY(y));
  strokeWith(context, path, colorOf(note.trail_color), 0.9);
}

function drawNoteText({ context, camera, bodies, colors, indexOf }, note) {
  const robot = indexOf(note.robot);
  if (!note.text || robot < 0) return;
  const x = camera.toScreenX(bodies.poses[3 * robot]) + 8;
  let y = camera.toScreenY(bodies.poses[3 * robot + 1]) - 8;
  context.font = "11px ui-monospace, Menlo, Consolas, monospace";
  for (const line of note.text.split("\n").slice(0, 6).reverse()) {
    writeText(context, line.slice(0, 80), x, y, colors.text, colors.halo);
    y -= 13;
  }
}

function colorOf([red, green, blue]) {
  return `rgb(${red} ${green} ${blue})`;
}
