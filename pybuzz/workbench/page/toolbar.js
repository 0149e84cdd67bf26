// Title, transport, readings, connection.

import { SPEEDS } from "./actions.js";
import { icon, iconButton, make, setAttribute, setText } from "./dom.js";

/**
 * @param {HTMLElement} element
 * @param {import("./model.js").Model} model
 * @param {import("./actions.js").Actions} actions
 * @param {{help: () => void, theme: () => void, reconnect: () => void}} more
 */
export function createToolbar(element, model, actions, more) {
  const title = make("span", { class: "title", "data-test": "title" });
  const play = iconButton("play", "Play", {
    key: "Space",
    class: "main",
    test: "play",
    press: () => actions.togglePlay(),
  });
  const back = iconButton("back", "One tick back", { key: ",", test: "back", press: () => actions.back() });
  const step = iconButton("step", "One tick on", { key: ".", test: "step", press: () => actions.step() });
  const reset = iconButton("reset", "Reset to the start", { key: "r", test: "reset", press: () => actions.reset() });
  const speed = createSpeed(actions);
  const readings = createReadings();
  const state = make("span", { class: "badge", "data-test": "state", hidden: true });
  const connection = make("span", { class: "badge", role: "status", "data-test": "connection" });
  const reconnect = make("button", {
    type: "button",
    class: "outlined",
    text: "Try now",
    hidden: true,
    on: { click: more.reconnect },
  });
  element.append(
    make("div", { class: "brand" }, make("img", { src: "page/icon.svg", alt: "pybuzz" }), title),
    make("div", { class: "group" }, reset, back, play, step),
    speed,
    make("span", { class: "rule" }),
    readings.tick,
    readings.rate,
    state,
    make("span", { class: "space" }),
    connection,
    reconnect,
    iconButton("theme", "Dark or light", { key: "d", test: "theme", press: more.theme }),
    iconButton("help", "Keyboard", { key: "?", test: "help-button", press: more.help }),
  );

  const showPlay = () => {
    const isPlaying = actions.playing;
    setAttribute(play, "aria-label", isPlaying ? "Pause" : "Play");
    setAttribute(play, "title", isPlaying ? "Pause (Space)" : "Play (Space)");
    if (play.dataset.shows !== String(isPlaying)) {
      play.dataset.shows = String(isPlaying);
      play.replaceChildren(icon(isPlaying ? "pause" : "play"));
    }
    speed.value = String(model.run.factor);
    reset.hidden = model.recording;
    showState(state, model);
    readings.show(model);
  };
  model.on("state view frame stopped failed", showPlay);
  model.on("welcome", (welcome) => {
    setText(title, welcome.title);
    title.title = welcome.title + (welcome.seed === null || welcome.seed === undefined ? "" : `, seed ${welcome.seed}`);
    document.title = `${welcome.title} · pybuzz`;
  });
  model.on("connection welcome", () => showConnection(connection, reconnect, model));
  showPlay();
  showConnection(connection, reconnect, model);
}

function createSpeed(actions) {
  const select = make("select", {
    "aria-label": "Speed",
    title: "Speed: slower (<), faster (>)",
    "data-test": "speed",
  });
  for (const factor of SPEEDS)
    select.append(make("option", { value: String(factor), text: factor === null ? "fastest" : `${factor} ×` }));
  select.style.width = "72px";
  select.addEventListener("change", () => actions.speed(select.value === "null" ? null : Number(select.value)));
  return select;
}

function createReadings() {
  const tickNumber = make("b", { "data-test": "tick" });
  const seconds = make("b");
  const rate = make("b");
  const tick = make("span", { class: "reading" }, make("span", { text: "tick" }), tickNumber, seconds);
  const rates = make("span", { class: "reading" }, rate, make("span", { text: "ticks/s" }));
  tickNumber.style.minWidth = "5ch";
  seconds.style.minWidth = "9ch";
  return {
    tick,
    rate: rates,
    show(model) {
      setText(tickNumber, String(model.tick));
      setText(seconds, `${(model.tick * model.tickSeconds).toFixed(1)} s`);
      setText(rate, model.run.rate >= 100 ? model.run.rate.toFixed(0) : model.run.rate.toFixed(1));
      rates.hidden = !model.run.playing;
    },
  };
}

function showState(badge, model) {
  const [text, kind] = stateOf(model);
  badge.hidden = !text;
  badge.className = `badge ${kind}`;
  setText(badge, text);
  badge.title = model.run.busy || text;
}

/** What stands out just now, and how it is coloured. */
function stateOf({ run, stopped, live, recording, fault }) {
  if (run.busy) return [run.busy.split(/[:;]/, 1)[0], "warn"];
  if (fault) return ["does not load", "bad"];
  if (stopped) return [`${stopped.robot} stopped`, "warn"];
  if (!live && !recording) return ["looking at the past", "warn"];
  if (run.ended) return [run.reason ? `ended: ${run.reason}` : "ended", "plain"];
  return ["", ""];
}

function showConnection(badge, reconnect, model) {
  const texts = { connecting: "connecting", connected: "connected", waiting: "no connection" };
  badge.className = `badge ${model.connection === "connected" ? "good" : model.connection === "waiting" ? "bad" : "warn"}`;
  setText(badge, model.connection === "connected" && model.recording ? "recording" : texts[model.connection]);
  reconnect.hidden = model.connection !== "waiting";
}
