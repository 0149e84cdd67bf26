// What a person can do, as messages to the server. Nothing here draws.

/** Times real time; null is as fast as it goes. */
export const SPEEDS = [0.25, 0.5, 1, 2, 5, 10, 20, null];
const SHOW_PATIENCE_MS = 250;
const REPLAY_MS = 33;
const REPLAY_FACTOR = 20;

export class Actions {
  /** Asked of the server: parts of the overlay. @type {Set<string>} */
  layers = new Set();
  #replay = 0;
  #asked = null;
  #wanted = null;
  #askedAt = 0;
  #wasAway = true;

  /**
   * @param {import("./model.js").Model} model
   * @param {(message: object) => boolean} send
   * @param {(text: string, kind?: string) => void} notice
   */
  constructor(model, send, notice) {
    this.model = model;
    this.send = send;
    this.notice = notice;
    model.on("connection", (state) => (this.#wasAway ||= state !== "connected"));
    model.on("welcome", () => this.#restore());
    model.on("frame", (frame) => this.#arrived(frame.tick));
    model.on("selection", () => this.send({ type: "select", robot: model.selected }));
  }

  /** What this page had asked for, told to a server that does not know it (yet or any more). After a reset there is no past. */
  #restore() {
    const isBack = this.#wasAway;
    this.#wasAway = false;
    if (!isBack && !this.model.live) this.model.look(null);
    if (this.model.selected) this.send({ type: "select", robot: this.model.selected });
    if (this.layers.size) this.send({ type: "layers", names: [...this.layers] });
    if (!this.model.live) this.send({ type: "show", tick: this.model.shownTick });
  }

  get playing() {
    return this.model.live ? this.model.run.playing : this.#replay !== 0;
  }

  togglePlay() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Where the past is looked at, and when the run has ended, what was is shown once more. */
  play() {
    const { model } = this;
    if (model.fault)
      this.notice("There is nothing to play: mend what does not load, then run it (Ctrl+Enter) or reset (r).");
    else if (model.recording) this.#playRecording();
    else if (model.live && !model.run.ended) this.send({ type: "play" });
    else {
      if (model.live) this.show(0);
      this.#startReplay();
    }
  }

  /** The server plays it, from the tick that it showed last. */
  #playRecording() {
    this.#wanted = this.#asked = null;
    this.model.look(null);
    this.send({ type: "play" });
  }

  pause() {
    if (this.#replay) return this.#stopReplay();
    this.send({ type: "pause" });
  }

  /** In the past a step shows the next tick; at the newest it makes one. */
  step(ticks = 1) {
    if (this.model.live) this.send({ type: "step", ticks });
    else this.show(this.model.tick + ticks);
  }

  back(ticks = 1) {
    this.show(this.model.tick - ticks);
  }

  speed(factor) {
    this.send({ type: "speed", factor });
  }

  changeSpeed(by) {
    const now = SPEEDS.indexOf(this.model.run.factor);
    const next = Math.max(0, Math.min(SPEEDS.length - 1, (now < 0 ? 2 : now) + by));
    this.speed(SPEEDS[next]);
  }

  reset() {
    this.live();
    this.model.beginAnew();
    this.send({ type: "reset" });
  }

  continueFrom(tick = this.model.tick) {
    if (this.model.recording)
      return this.notice("A recording cannot be continued; open its experiment to run it again.");
    this.#stopReplay();
    this.send({ type: "continue_from", tick });
    this.live();
  }

  live() {
    if (this.model.recording) return this.show(this.model.newest);
    this.#stopReplay();
    if (this.model.live) return;
    this.#wanted = this.#asked = null;
    this.model.look(null);
    this.send({ type: "show", tick: null });
  }

  /** Looks at a tick. While one is on its way, only the last one wanted is asked for next. */
  show(tick) {
    const wanted = Math.max(0, Math.min(this.model.newest, Math.round(tick)));
    if (wanted === this.model.newest && !this.model.recording && tick > this.model.newest) return this.live();
    this.model.look(wanted);
    this.#wanted = wanted;
    this.#ask();
  }

  #ask() {
    const waiting = this.#asked !== null && performance.now() - this.#askedAt < SHOW_PATIENCE_MS;
    if (this.#wanted === null || waiting) return;
    this.#asked = this.#wanted;
    this.#wanted = null;
    this.#askedAt = performance.now();
    this.send({ type: "show", tick: this.#asked });
    setTimeout(() => this.#ask(), SHOW_PATIENCE_MS + 10);
  }

  #arrived(tick) {
    if (tick !== this.#asked) return;
    this.#asked = null;
    this.#ask();
  }

  /** Shows tick after tick at the speed chosen, until the newest is reached. */
  #startReplay() {
    const { model } = this;
    let before = performance.now();
    let position = model.tick;
    const turn = () => {
      const now = performance.now();
      position += ((now - before) / 1000 / model.tickSeconds) * (model.run.factor ?? REPLAY_FACTOR);
      before = now;
      if (position >= this.model.newest) return this.live();
      if (Math.floor(position) !== model.tick) this.show(Math.floor(position));
      this.#replay = setTimeout(turn, REPLAY_MS);
    };
    this.#replay = setTimeout(turn, REPLAY_MS);
    model.emit("state", model.run);
  }

  #stopReplay() {
    if (!this.#replay) return;
    clearTimeout(this.#replay);
    this.#replay = 0;
    this.model.emit("state", this.model.run);
  }

  setLayer(name, wanted) {
    if (wanted) this.layers.add(name);
    else this.layers.delete(name);
    this.send({ type: "layers", names: [...this.layers] });
  }

  select(robot) {
    this.model.select(robot);
  }

  selectNext(by) {
    const robots = this.model.scene.robots;
    if (!robots.length) return;
    const now = this.model.robotIndex(this.model.selected);
    this.select(robots[now < 0 ? (by > 0 ? 0 : robots.length - 1) : (now + by + robots.length) % robots.length].name);
  }

  /** @returns {boolean} whether the arena may be changed now; says why not */
  mayChange() {
    if (this.model.recording)
      this.notice("A recording is what happened: nothing in it can be moved, added or removed.");
    else if (!this.model.live)
      this.notice("This is the past. Continue from here (c) or go back to the newest tick (l), then change it.");
    else return true;
    return false;
  }

  move(name, x, y, yaw) {
    if (this.mayChange()) this.send({ type: "move", name, x, y, yaw });
  }

  add(item) {
    if (this.mayChange()) this.send({ type: "add", item });
  }

  remove(name) {
    if (this.mayChange()) this.send({ type: "remove", name });
  }

  /** value: its kind in Buzz, and the value. */
  set(robot, name, { kind, value }) {
    if (this.mayChange()) this.send({ type: "set", robot, name, value, value_kind: kind });
  }

  debug(action) {
    if (this.model.stopped) this.send({ type: "debug", action });
  }
}
