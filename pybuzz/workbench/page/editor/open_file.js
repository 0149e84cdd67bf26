// One file of the experiment as it is being edited: its text with history and breakpoints, and what was last saved.

import { readFile, writeFile } from "./text_files.js";

const INCLUDE = /^[ \t]*include[ \t]+["']([^"'\n]+)["']/gm;
const BREAK = /\r\n?|\n/;

export class OpenFile {
  /**
   * @param {string} name
   * @param {{text: string, etag: string}} content
   * @param {(text: string, name: string) => import("../vendor/codemirror.js").EditorState} newState
   */
  constructor(name, content, newState) {
    this.name = name;
    this.problems = [];
    this.scroll = null; // where the view stood when another file was opened
    this.state = newState(content.text, name);
    this.#saved(content);
  }

  static async read(name, newState) {
    return new OpenFile(name, await readFile(name), newState);
  }

  get text() {
    return this.state.doc.toString();
  }

  /** The names of the files that it includes from its own folder or one below. */
  get included() {
    const folder = this.name.slice(0, this.name.lastIndexOf("/") + 1);
    return [...this.text.matchAll(INCLUDE)].map(([, path]) => folder + path.replace(/^\.\//, ""));
  }

  get unsaved() {
    return !this.state.doc.eq(this.savedText);
  }

  /** Raises Conflict if somebody else changed the file meanwhile. */
  async save() {
    const { doc } = this.state;
    this.etag = await writeFile(this.name, doc.toJSON().join(this.lineBreak), this.etag);
    this.savedText = doc;
  }

  /** The change that makes the text what the file holds by now; nothing if it has not changed on disk. */
  async changeOnDisk() {
    const content = await readFile(this.name);
    return content.etag === this.etag ? null : this.adoption(content);
  }

  /** The change that makes the text `content`; to be applied to the state at once. */
  adoption(content) {
    this.#saved(content);
    const { doc } = this.state;
    const old = doc.toString();
    const text = this.savedText.toString();
    let start = 0;
    while (start < old.length && start < text.length && old[start] === text[start]) start += 1;
    let end = 0;
    const most = Math.min(old.length, text.length) - start;
    while (end < most && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1;
    return { changes: { from: start, to: old.length - end, insert: text.slice(start, text.length - end) } };
  }

  #saved({ text, etag }) {
    this.etag = etag;
    this.lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
    this.savedText = this.state.toText(text.split(BREAK).join("\n"));
  }
}
