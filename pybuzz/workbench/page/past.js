// Trails reach into ticks that this page has not seen: before it was opened, or before a tick that was jumped to. Their frames are fetched.

import { decodeFrame, frameBytes } from "./frames.js";

const CALM_MS = 150;

/**
 * @param {import("./model.js").Model} model
 * @param {import("./arena.js").Arena} arena
 */
export function fetchPastForTrails(model, arena) {
  const { trails } = arena;
  let timer = 0;
  let isFetching = false;
  let asked = ""; // a span that gives nothing, or more than trails keep, is not asked for over and over

  const look = async () => {
    const gap = arena.layers.has("trails") && !isFetching ? trails.gapBefore(model.tick) : null;
    const span = gap?.join("-") ?? "";
    if (!gap || span === asked) return;
    asked = span;
    isFetching = true;
    const frames = await fetchFrames(span, model.scene.robots.length).catch(() => []);
    isFetching = false;
    for (const frame of frames) trails.add(frame, false);
    arena.invalidate();
    later();
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(look, CALM_MS);
  };
  model.on("frame view", () => (model.live && model.run.playing && !model.recording ? null : later()));
  model.on("welcome scene", () => (asked = ""));
  return later;
}

/** The frames with so many robots: of others it is not known whose places they hold. */
async function fetchFrames(span, robots) {
  const answer = await fetch(`frames/${span}`);
  if (!answer.ok) return [];
  const buffer = await answer.arrayBuffer();
  const frames = [];
  for (let at = 0; at < buffer.byteLength; at += frameBytes(buffer, at))
    frames.push(decodeFrame(buffer.slice(at, at + frameBytes(buffer, at))));
  return frames.filter((frame) => frame.robots === robots);
}
