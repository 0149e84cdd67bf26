// What the page knows: the server's messages as they came, and what the person looks at. Parts listen to its changes.

import { Emitter } from "./emitter.js";
import { decodeFrame, emptyFrame } from "./frames.js";

const LOG_LINES_KEPT = 20000;

/**
 * @typedef {{name: string, kind: string, text: string, children?: TreeNode[], more?: number}} TreeNode
 * @typedef {{tick: number, robot: string | null, text: string, error: boolean, file: string | null, line: number | null}} LogLine
 * @typedef {{tick: number, kind: "error" | "added" | "stop", text: string}} Mark
 */

/** Emits: connection, welcome, scene, state, frame, log, inspection, overlay, problems, stopped, refused, failed, floor, selection, view, marks. */
export class Model extends Emitter {
  connection = "connecting";
  welcome = null;
  scene = { revision: -1, arena: null, floor: null, robots: [], objects: [], lights: [] };
  run = { playing: false, factor: 1, tick: 0, ticks: null, ended: false, reason: "", rate: 0, busy: "" };
  frame = emptyFrame();
  /** @type {LogLine[]} */
  log = [];
  /** Lines are numbered from the start of the run; this is the number of the first one kept. */
  firstLine = 0;
  inspection = null;
  overlay = null;
  stopped = null;
  /** Why the experiment did not load. @type {string | null} */
  fault = null;
  /** The robot selected; objects are selected on the page alone. @type {string | null} */
  selected = null;
  /** @type {string | null} */
  selectedObject = null;
  /** The tick looked at, or null for the newest. @type {number | null} */
  shownTick = null;
  /** @type {Mark[]} */
  marks = [];

  get live() {
    return this.shownTick === null;
  }

  get recording() {
    return this.welcome?.mode === "recording";
  }

  get tickSeconds() {
    return this.welcome?.tick_seconds ?? 0.1;
  }

  /** The tick on the screen. */
  get tick() {
    return this.shownTick ?? this.frame.tick;
  }

  /** The last tick there is: frames come more often than states. */
  get newest() {
    if (this.recording) return this.run.ticks ?? this.run.tick;
    return this.live ? Math.max(this.run.tick, this.frame.tick) : this.run.tick;
  }

  robotIndex(name) {
    return this.scene.robots.findIndex((robot) => robot.name === name);
  }

  objectIndex(name) {
    return this.scene.objects.findIndex((object) => object.name === name);
  }

  /** A reset was asked for: what ended or did not load before stands in the way of nothing. */
  beginAnew() {
    this.fault = null;
    this.run = { ...this.run, playing: false, ended: false, reason: "" };
    this.emit("state", this.run);
  }

  setConnection(state) {
    this.connection = state;
    this.emit("connection", state);
  }

  select(name) {
    if (name === this.selected && this.selectedObject === null) return;
    this.selected = name;
    this.selectedObject = null;
    this.inspection = null;
    this.emit("selection");
  }

  selectObject(name) {
    this.selected = null;
    this.selectedObject = name;
    this.inspection = null;
    this.emit("selection");
  }

  look(tick) {
    this.shownTick = tick;
    this.emit("view");
  }

  receiveFrame(buffer) {
    this.frame = decodeFrame(buffer);
    this.emit("frame", this.frame);
  }

  receive(message) {
    const take = this[`_${message.type}`];
    if (take) take.call(this, message);
    this.emit(message.type, message);
  }

  _welcome(message) {
    this.welcome = message;
    this.marks = [];
    this.fault = null;
    if (this.stopped) this._resumed();
    this.emit("marks");
  }

  _failed(message) {
    this.fault = message.text;
    if (this.stopped) this._resumed();
  }

  _scene(message) {
    const known = new Set(this.scene.robots.map((robot) => robot.name));
    const added = this.scene.revision >= 0 ? message.robots.filter((robot) => !known.has(robot.name)) : [];
    this.scene = message;
    if (added.length && this.run.tick > 0)
      this._mark(this.run.tick, "added", `${added.map((robot) => robot.name).join(", ")} added`);
    const gone =
      (this.selected && this.robotIndex(this.selected) < 0) ||
      (this.selectedObject && !this._hasThing(this.selectedObject));
    if (gone) this.select(null);
  }

  _hasThing(name) {
    return this.objectIndex(name) >= 0 || this.scene.lights.some((light) => light.name === name);
  }

  _state(message) {
    if (message.busy) this.fault = null;
    if (message.tick < this.run.tick) this._forgetAfter(message.tick);
    this.run = message;
    if (this.shownTick !== null && this.shownTick > message.tick && !this.recording) this.look(null);
  }

  /** A run that was set back has no future any more. */
  _forgetAfter(tick) {
    if (this.recording) return;
    this.marks = this.marks.filter((mark) => mark.tick <= tick);
    this.emit("marks");
  }

  _log(message) {
    if (message.from_start) {
      this.log = [];
      this.firstLine = 0;
      this.marks = this.marks.filter((mark) => mark.kind !== "error");
    }
    for (const line of message.lines) {
      this.log.push(line);
      if (line.error) this._mark(line.tick, "error", `${line.robot ?? ""}: ${line.text.split("\n", 1)[0]}`);
    }
    const surplus = this.log.length - LOG_LINES_KEPT;
    if (surplus > LOG_LINES_KEPT / 10) {
      this.log.splice(0, surplus);
      this.firstLine += surplus;
    }
  }

  _inspection(message) {
    this.inspection = message;
  }

  _overlay(message) {
    this.overlay = message;
  }

  _stopped(message) {
    this.stopped = message;
    this.select(message.robot);
    this._mark(this.run.tick, "stop", `${message.robot} stopped at ${message.file}:${message.line}`);
  }

  _resumed() {
    this.stopped = null;
    this.emit("stopped", null);
  }

  _mark(tick, kind, text) {
    const last = this.marks.at(-1);
    if (last && last.tick === tick && last.kind === kind) return;
    this.marks.push({ tick, kind, text });
    this.emit("marks");
  }
}
