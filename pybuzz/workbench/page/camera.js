// From the arena (m, y upwards) to the canvas (CSS pixels, y downwards) and back.

const LEAST_SCALE = 0.2;
const GREATEST_SCALE = 20000;
const NEAR_PIXELS = 60;

export class Camera {
  /** The point of the arena in the middle of the canvas, m. */
  x = 0;
  y = 0;
  /** Pixels a metre. */
  scale = 100;
  width = 1;
  height = 1;
  /** Changes with every change of the view. */
  version = 0;

  toScreenX(x) {
    return (x - this.x) * this.scale + this.width / 2;
  }

  toScreenY(y) {
    return this.height / 2 - (y - this.y) * this.scale;
  }

  toArenaX(sx) {
    return (sx - this.width / 2) / this.scale + this.x;
  }

  toArenaY(sy) {
    return (this.height / 2 - sy) / this.scale + this.y;
  }

  /** Whether a point of the screen is on the canvas or close to it. */
  sees(sx, sy) {
    return sx > -NEAR_PIXELS && sy > -NEAR_PIXELS && sx < this.width + NEAR_PIXELS && sy < this.height + NEAR_PIXELS;
  }

  resize(width, height) {
    this.width = width;
    this.height = height;
    this.version++;
  }

  centerOn(x, y) {
    if (x === this.x && y === this.y) return;
    this.x = x;
    this.y = y;
    this.version++;
  }

  panBy(pixelsX, pixelsY) {
    this.centerOn(this.x - pixelsX / this.scale, this.y + pixelsY / this.scale);
  }

  /** Zooms so that what is under the point of the screen stays there. */
  zoomAt(sx, sy, factor) {
    const x = this.toArenaX(sx);
    const y = this.toArenaY(sy);
    this.scale = Math.max(LEAST_SCALE, Math.min(GREATEST_SCALE, this.scale * factor));
    this.x = x - (sx - this.width / 2) / this.scale;
    this.y = y - (this.height / 2 - sy) / this.scale;
    this.version++;
  }

  /** @param {{left: number, right: number, bottom: number, top: number}} box  in m */
  fit(box, margin = 28) {
    const width = Math.max(box.right - box.left, 0.1);
    const height = Math.max(box.top - box.bottom, 0.1);
    this.scale = Math.max(
      LEAST_SCALE,
      Math.min((this.width - 2 * margin) / width, (this.height - 2 * margin) / height, GREATEST_SCALE),
    );
    this.x = (box.left + box.right) / 2;
    this.y = (box.bottom + box.top) / 2;
    this.version++;
  }
}
