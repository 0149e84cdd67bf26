// The editor of the experiment's files. createEditor is all that the rest of the page knows of it.

import { EditorView } from "./vendor/codemirror.js";
import { breakpoints, breakpointsOf, withBreakpoints, withStopped } from "./editor/breakpoints.js";
import { OpenFile } from "./editor/open_file.js";
import { listProblems, positionOf, summaryOf, withProblems } from "./editor/problems.js";
import { Question } from "./editor/question.js";
import { Tabs } from "./editor/tabs.js";
import { Conflict } from "./editor/text_files.js";
import { isChecked, isScript, newTextState, withLanguage } from "./editor/text_view.js";

const CHECK_DELAY_MS = 300;

const FRAME = `
  <div class="editor-head">
    <div class="editor-tabs"></div>
    <button type="button" class="editor-save" data-test="save" title="Save (Ctrl+S)">Save</button>
    <button type="button" class="editor-run" data-test="run" title="Save all files and run from the start (Ctrl+Enter)">Run</button>
  </div>
  <div class="editor-question" data-test="editor-question"></div>
  <div class="editor-text" id="editor-text" role="tabpanel" data-test="editor-text"></div>
  <div class="editor-foot">
    <div class="editor-status"><span class="editor-summary" role="status" data-test="problem-count"></span><span class="editor-cursor"></span></div>
    <ol class="editor-problems" data-test="problems" aria-label="Problems"></ol>
  </div>`;

/**
 * @typedef {object} EditorNeeds
 * @property {(file: string, text: string) => void} onCheck  asks the server; the answer goes to showProblems
 * @property {(lines: {file: string, line: number}[]) => void} onBreakpoints  all of them, whenever they change
 * @property {() => void} onRun  all files are saved: reset and play
 */

/**
 * Fills `element`, and stays empty until `setExperiment`.
 * @param {HTMLElement} element
 * @param {EditorNeeds} needs
 */
export function createEditor(element, needs) {
  return new Editor(element, needs);
}

class Editor {
  #needs;
  #parts;
  #tabs;
  #question;
  #view;
  #files = new Map(); // name -> OpenFile, as far as they are open
  #reading = new Map(); // name -> promise of an OpenFile
  #active = null; // OpenFile
  #wanted = ""; // the name of the file that is to be shown, once it is read
  #chosen = false; // whether that was asked for, rather than shown for a beginning
  #experiment = { files: [], scripts: [], names: [], readOnly: false };
  #stopped = null; // {file, line}
  #laterBreakpoints = new Map(); // file -> lines, of files not open yet
  #awaited = null; // the breakpoints told that were not confirmed yet
  #checks = new Map(); // file -> timer

  constructor(element, needs) {
    this.#needs = needs;
    element.classList.add("editor");
    element.innerHTML = FRAME;
    this.#parts = (name) => element.querySelector(`.editor-${name}`);
    this.#tabs = new Tabs(this.#parts("tabs"), (name) => this.open(name));
    this.#question = new Question(this.#parts("question"), () => this.focus());
    this.#parts("save").addEventListener("click", () => this.save());
    this.#parts("run").addEventListener("click", () => this.run());
    document.addEventListener("keydown", (event) => this.#keyAnywhere(event));
    window.addEventListener("focus", () => this.refresh());
    window.addEventListener("beforeunload", (event) => this.unsaved.length && event.preventDefault());
    this.#arrange();
  }

  /** What `welcome` says. Open files and what is typed into them stay; the first script is shown for a beginning. */
  setExperiment({ files, scripts = [], names = [], readOnly = false }) {
    this.#experiment = { files, scripts, names, readOnly };
    this.#awaited = null;
    const first = scripts.find((name) => files.includes(name));
    if (first && !this.#chosen) this.#begin(first);
    for (const file of this.#files.values()) {
      this.#apply(file, withLanguage(file.name, names));
      if (!isChecked(file.name)) this.showProblems(file.name, []); // it was loaded, so these are mended
    }
    this.#arrange();
    if (this.#active) this.#check(this.#active);
  }

  /** The names of the files with unsaved text. */
  get unsaved() {
    return [...this.#files.values()].filter((file) => file.unsaved).map((file) => file.name);
  }

  get activeFile() {
    return this.#active?.name ?? null;
  }

  /** All breakpoints: list of {file, line}. */
  get breakpoints() {
    const lines = new Map(this.#laterBreakpoints);
    for (const file of this.#files.values()) lines.set(file.name, breakpointsOf(file.state));
    return [...lines].flatMap(([file, numbers]) => numbers.map((line) => ({ file, line })));
  }

  focus() {
    this.#view?.focus();
  }

  /** Shows a file. */
  open(name) {
    this.#chosen = true;
    return this.#open(name);
  }

  async #open(name) {
    this.#wanted = name;
    try {
      const file = await this.#opened(name);
      if (this.#wanted === name) this.#show(file);
      return file;
    } catch (error) {
      this.#question.tell(error.message);
      return null;
    }
  }

  /** Shows a place, lines and columns counted from 1, and puts the cursor there. */
  async goTo(name, line, column = 1) {
    const file = await this.open(name);
    if (!file || file !== this.#active) return;
    const position = positionOf(file.state.doc, line, column);
    this.#view.dispatch({ selection: { anchor: position }, effects: EditorView.scrollIntoView(position, { y: "center" }) });
    this.focus();
  }

  /** The answer to onCheck, or what is wrong with files that could not be loaded. */
  showProblems(name, problems) {
    const file = this.#files.get(name);
    if (!file) return void (problems.length && this.#openFaulty(name, problems));
    file.problems = problems;
    this.#apply(file, withProblems(file.state, problems));
    if (file === this.#active) this.#listProblems();
    this.#describe();
  }

  /**
   * Shows the breakpoints of all pages, where they hold: list of {file, line, at}, `at` null where nothing can stop.
   * What is being edited stays.
   */
  showBreakpoints(places) {
    if (this.#awaited !== null && this.#awaited !== inShort(places)) return; // said before the last change made here
    this.#awaited = null;
    this.#laterBreakpoints = linesByFile(places.filter((place) => !this.#files.has(place.file)));
    for (const file of this.#files.values()) {
      if (file.unsaved) continue;
      const own = places.filter((place) => place.file === file.name);
      const idle = own.filter((place) => place.at === null).map((place) => place.line);
      this.#apply(file, withBreakpoints(own.map((place) => place.at ?? place.line), idle));
    }
  }

  /** Shows the line at which the selected robot stopped. */
  async showStopped(name, line) {
    this.#leaveStopped();
    this.#stopped = { file: name, line };
    const file = await this.open(name);
    if (!file || this.#stopped?.file !== name || this.#stopped.line !== line) return;
    this.#apply(file, withStopped(line));
    const position = positionOf(file.state.doc, line, 1);
    this.#apply(file, { effects: EditorView.scrollIntoView(position, { y: "center" }) });
  }

  /** The robot goes on. */
  clearStopped() {
    this.#leaveStopped();
    this.#stopped = null;
  }

  /** Saves the file that is shown. @returns {Promise<boolean>} whether nothing of it is unsaved now */
  save() {
    return this.#active ? this.#save(this.#active) : Promise.resolve(true);
  }

  /** @returns {Promise<boolean>} whether all could be saved */
  async saveAll() {
    for (const file of this.#files.values()) {
      if (file.unsaved && !(await this.#save(file))) return false;
    }
    return true;
  }

  /** Saves all files, and runs them from the start if that went well. */
  async run() {
    if (!(await this.saveAll())) return;
    this.#tellBreakpoints();
    this.#needs.onRun();
  }

  /** Takes over what another program saved, where nothing was typed here. */
  async refresh() {
    for (const file of this.#files.values()) {
      if (file.unsaved) continue;
      const change = await file.changeOnDisk().catch(() => null);
      if (change) this.#apply(file, change);
    }
  }

  /** Shows a file that nobody asked for, in place of another such one. */
  #begin(name) {
    for (const other of this.#files.keys()) {
      if (other === name || this.unsaved.includes(other)) continue;
      this.#files.delete(other);
      this.#reading.delete(other);
    }
    return this.#open(name);
  }

  async #openFaulty(name, problems) {
    if (this.#chosen || !this.#experiment.files.includes(name)) return;
    const file = await this.#begin(name);
    if (file) this.showProblems(name, problems);
  }

  /** Keys that the text itself takes when it has the focus. */
  #keyAnywhere(event) {
    const act = { s: () => this.saveAll(), Enter: () => this.run() }[event.key];
    const isMeant = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && !event.defaultPrevented;
    if (!act || !isMeant || !this.#active || this.#experiment.readOnly) return;
    event.preventDefault();
    act();
  }

  #opened(name) {
    if (!this.#reading.has(name)) {
      const reading = OpenFile.read(name, (text) => this.#newState(text, name)).then((file) => this.#added(file));
      this.#reading.set(name, reading);
      reading.catch(() => this.#reading.delete(name));
    }
    return this.#reading.get(name);
  }

  #added(file) {
    this.#files.set(file.name, file);
    this.#apply(file, withBreakpoints(this.#laterBreakpoints.get(file.name) ?? []));
    this.#laterBreakpoints.delete(file.name);
    this.#arrange();
    return file;
  }

  #newState(text, name) {
    const dots = breakpoints(() => this.#tellBreakpoints());
    return newTextState(text, {
      name,
      hostNames: () => this.#experiment.names,
      texts: () => [...this.#files.values()].filter((file) => isScript(file.name)).map((file) => file.text),
      readOnly: this.#experiment.readOnly,
      keys: [
        { key: "Mod-s", run: () => Boolean(this.save()) },
        { key: "Mod-Enter", run: () => Boolean(this.run()) },
        ...(isScript(name) ? dots.keys : []),
      ],
      parts: [isScript(name) ? dots.extension : [], EditorView.updateListener.of((update) => this.#updated(update))],
    });
  }

  #show(file) {
    if (this.#active === file) return this.#check(file);
    if (this.#active) this.#active.scroll = this.#view.scrollSnapshot();
    this.#active = file;
    this.#view ??= new EditorView({ parent: this.#parts("text") });
    this.#view.setState(file.state);
    if (file.scroll) this.#view.dispatch({ effects: file.scroll });
    this.#listProblems();
    this.#describe();
    this.#check(file);
  }

  /** Changes a file's text or marks, whether it is shown or not. */
  #apply(file, change) {
    if (file === this.#active) this.#view.dispatch(change);
    else file.state = file.state.update(change).state;
  }

  #updated(update) {
    const file = this.#active;
    file.state = update.state;
    if (update.docChanged) this.#checkSoon(file);
    if (update.docChanged || update.selectionSet) this.#describe();
  }

  #checkSoon(file) {
    clearTimeout(this.#checks.get(file.name));
    this.#checks.set(file.name, setTimeout(() => this.#check(file), CHECK_DELAY_MS));
  }

  #check(file) {
    if (isChecked(file.name)) this.#needs.onCheck(file.name, file.text);
  }

  async #save(file) {
    if (!file.unsaved) return true;
    try {
      await file.save();
      this.#question.withdraw();
    } catch (error) {
      if (error instanceof Conflict) this.#askAbout(file, error);
      else this.#question.tell(error.message);
    }
    this.#describe();
    return !file.unsaved;
  }

  #askAbout(file, conflict) {
    const mine = () => {
      file.etag = conflict.content?.etag ?? null;
      this.#save(file);
    };
    const theirs = () => this.#apply(file, file.adoption(conflict.content));
    const answers = conflict.content ? [["Take the one on disk", theirs], ["Save mine over it", mine]] : [["Save it anew", mine]];
    this.#question.ask(`${conflict.message}.`, answers);
  }

  #tellBreakpoints() {
    const all = this.breakpoints;
    this.#awaited = inShort(all);
    this.#needs.onBreakpoints(all);
  }

  #leaveStopped() {
    const file = this.#files.get(this.#stopped?.file);
    if (file) this.#apply(file, withStopped(null));
  }

  #arrange() {
    const { files, scripts } = this.#experiment;
    const included = [...this.#files.values()].flatMap((file) => file.included.filter((name) => files.includes(name)));
    const shown = [...new Set([...scripts, ...included, ...this.#files.keys()])];
    this.#tabs.arrange(shown, files.filter((name) => !shown.includes(name)));
    this.#describe();
  }

  #listProblems() {
    const { name, problems } = this.#active;
    this.#parts("summary").textContent = isChecked(name) || problems.length ? summaryOf(problems) : "";
    listProblems(this.#parts("problems"), problems, (problem) => this.goTo(name, problem.line, problem.column));
  }

  /** Brings what stands around the text up to date. */
  #describe() {
    for (const file of this.#files.values()) {
      const errors = file.problems.filter((problem) => problem.severity === "error").length;
      this.#tabs.mark(file.name, { active: file === this.#active, unsaved: file.unsaved, errors });
    }
    const file = this.#active;
    this.#parts("save").disabled = !file?.unsaved;
    this.#parts("run").disabled = !this.#experiment.files.length || this.#experiment.readOnly;
    if (!file) return;
    const { head } = file.state.selection.main;
    const line = file.state.doc.lineAt(head);
    this.#parts("cursor").textContent = `Line ${line.number}, column ${head - line.from + 1}`;
  }
}

/** @param {{file: string, line: number, at: number | null}[]} places */
function linesByFile(places) {
  const lines = new Map();
  for (const { file, line, at } of places) lines.set(file, [...(lines.get(file) ?? []), at ?? line]);
  return lines;
}

/** The same text for the same breakpoints. */
function inShort(places) {
  return JSON.stringify(places.map(({ file, line }) => `${line} ${file}`).sort());
}
