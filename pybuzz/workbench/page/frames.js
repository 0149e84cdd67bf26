// Frames as they come over the socket; the layout is in docs/workbench-protocol.md.

const HEADER_BYTES = 16;
export const FAILED = 1;
export const STOPPED = 2;

/**
 * @typedef {object} Frame
 * @property {number} tick
 * @property {number} revision  of the scene that names robots and objects
 * @property {number} robots  how many
 * @property {number} objects  how many
 * @property {Float32Array} poses  x, y in m, yaw in rad: of all robots, then of all objects
 * @property {Uint32Array} looks  red, green, blue and flags of each robot in one number (red lowest)
 */

/**
 * The arrays are views of the buffer, nothing is copied.
 * @param {ArrayBuffer} buffer
 * @returns {Frame}
 */
export function decodeFrame(buffer) {
  const [tick, revision, robots, objects] = new Uint32Array(buffer, 0, 4);
  const bodies = robots + objects;
  return {
    tick,
    revision,
    robots,
    objects,
    poses: new Float32Array(buffer, HEADER_BYTES, 3 * bodies),
    looks: new Uint32Array(buffer, HEADER_BYTES + 12 * bodies, robots),
  };
}

/** How many bytes the frame has that begins at a place of a buffer. */
export function frameBytes(buffer, at) {
  const [, , robots, objects] = new Uint32Array(buffer, at, 4);
  return HEADER_BYTES + 12 * (robots + objects) + 4 * robots;
}

/** @returns {Frame} */
export function emptyFrame() {
  return { tick: 0, revision: -1, robots: 0, objects: 0, poses: new Float32Array(0), looks: new Uint32Array(0) };
}

export const redOf = (look) => look & 255;
export const greenOf = (look) => (look >> 8) & 255;
export const blueOf = (look) => (look >> 16) & 255;
export const flagsOf = (look) => look >>> 24;
