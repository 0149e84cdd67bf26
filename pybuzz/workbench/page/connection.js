// The socket to the server: opened, watched, and opened again when it breaks.

const WAITS_MS = [250, 500, 1000, 2000, 4000];
const PROTOCOL_VERSION = 1;

/** @typedef {"connecting" | "connected" | "waiting"} ConnectionState */

export class Connection {
  /** @type {ConnectionState} */
  state = "connecting";
  #socket = null;
  #attempts = 0;
  #timer = 0;
  #handlers;

  /** @param {{message: (message: object) => void, frame: (buffer: ArrayBuffer) => void, state: (state: ConnectionState) => void}} handlers */
  constructor(handlers) {
    this.#handlers = handlers;
  }

  open() {
    clearTimeout(this.#timer);
    this.#become("connecting");
    const url = new URL("socket", document.baseURI);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this.send({ type: "hello", version: PROTOCOL_VERSION });
    socket.onmessage = (event) => this.#receive(event.data);
    socket.onclose = () => this.#closed(socket);
    this.#socket = socket;
  }

  /** @returns {boolean} whether there is a connection to send it over */
  send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  #receive(data) {
    if (typeof data !== "string") return this.#handlers.frame(data);
    const message = JSON.parse(data);
    if (message.type === "welcome") {
      this.#attempts = 0;
      this.#become("connected");
    }
    this.#handlers.message(message);
  }

  #closed(socket) {
    if (socket !== this.#socket) return;
    this.#become("waiting");
    const wait = WAITS_MS[Math.min(this.#attempts++, WAITS_MS.length - 1)];
    this.#timer = setTimeout(() => this.open(), wait);
  }

  #become(state) {
    this.state = state;
    this.#handlers.state(state);
  }
}
