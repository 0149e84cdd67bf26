// What CodeMirror is told for each kind of file.

import {
  Compartment, EditorState, EditorView, StreamLanguage, autocompletion, bracketMatching, closeBrackets,
  closeBracketsKeymap, completionKeymap, defaultKeymap, drawSelection, dropCursor, highlightActiveLine,
  highlightActiveLineGutter, highlightSelectionMatches, highlightSpecialChars, history, historyKeymap, indentOnInput,
  indentUnit, indentWithTab, keymap, lineNumbers, lintGutter, nextDiagnostic, previousDiagnostic, python, searchKeymap,
  xml, yaml,
} from "../vendor/codemirror.js";
import { appearance } from "./appearance.js";
import { buzzLanguage } from "./buzz_language.js";
import { buzzCompletion, buzzHover } from "./completion.js";

const BY_SUFFIX = { py: python, yaml, yml: yaml, argos: xml, xml };
const CHECKED = new Set(["bzz", "yaml", "yml", "argos"]);
const language = new Compartment();

function suffixOf(name) {
  return name.slice(name.lastIndexOf(".") + 1).toLowerCase();
}

/** Whether the server knows what is wrong with such files. */
export function isChecked(name) {
  return CHECKED.has(suffixOf(name));
}

export function isScript(name) {
  return suffixOf(name) === "bzz";
}

function languageOf(name, hostNames) {
  if (isScript(name)) return buzzLanguage(hostNames.map((host) => host.name).filter((host) => !host.includes(".")));
  const mode = BY_SUFFIX[suffixOf(name)];
  return mode ? StreamLanguage.define(mode) : [];
}

/** The change after which a file's host names are coloured anew. */
export function withLanguage(name, hostNames) {
  return { effects: language.reconfigure(languageOf(name, hostNames)) };
}

/**
 * @param {object} needs
 * @param {string} needs.name  of the file
 * @param {() => object[]} needs.hostNames
 * @param {() => string[]} needs.texts  of the open scripts
 * @param {object[]} needs.keys  bindings that go before all others
 * @param {object[]} needs.parts  further extensions
 * @param {boolean} needs.readOnly
 */
export function newTextState(text, { name, hostNames, texts, keys, parts, readOnly }) {
  const script = isScript(name);
  return EditorState.create({
    doc: text,
    extensions: [
      keymap.of([...keys, { key: "Alt-F8", run: nextDiagnostic }, { key: "Shift-Alt-F8", run: previousDiagnostic }]),
      parts, lineNumbers(), lintGutter(), highlightSpecialChars(), history(), drawSelection(), dropCursor(), indentOnInput(),
      indentUnit.of(suffixOf(name) === "py" ? "    " : "  "), bracketMatching(), closeBrackets(), highlightActiveLine(),
      highlightActiveLineGutter(), highlightSelectionMatches(), appearance, language.of(languageOf(name, hostNames())),
      autocompletion(script ? { override: [buzzCompletion(hostNames, texts)] } : {}), script ? buzzHover(hostNames) : [],
      EditorState.readOnly.of(readOnly),
      EditorView.contentAttributes.of({ "aria-label": `Text of ${name}; Escape, then Tab leaves it` }),
      keymap.of([
        ...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab,
      ]),
    ],
  });
}
