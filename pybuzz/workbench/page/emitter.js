/** Who wants to know of what. Handlers run in the order in which they were added. */
export class Emitter {
  #handlers = new Map();

  /** @param {string} names  one or several, separated by blanks */
  on(names, handler) {
    for (const name of names.split(" ")) {
      if (!this.#handlers.has(name)) this.#handlers.set(name, []);
      this.#handlers.get(name).push(handler);
    }
  }

  emit(name, value) {
    for (const handler of this.#handlers.get(name) ?? []) handler(value);
  }
}
