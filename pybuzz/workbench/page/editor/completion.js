// What may be written at the cursor: keywords, the host's names with their fields, and the words of the open files.

import { hoverTooltip, snippetCompletion, syntaxTree } from "../vendor/codemirror.js";
import { KEYWORDS } from "./buzz_language.js";

/** @typedef {{name: string, kind: string, detail: string, info: string}} HostName  as in the message `welcome` */

const PATH = /(?:[A-Za-z][A-Za-z0-9_]*\.)*[A-Za-z]?[A-Za-z0-9_]*$/;
const WHOLE_PATH = /(?:[A-Za-z][A-Za-z0-9_]*\.)*[A-Za-z][A-Za-z0-9_]*/g;
const WORD_AND_BEFORE = /(\.?)\b([A-Za-z][A-Za-z0-9_]{2,})/g;
const ICONS = { function: "function", table: "namespace", value: "variable" };
const SNIPPETS = [
  snippetCompletion("function ${name}(${}) {\n  ${}\n}", { label: "function", detail: "name(...) { }", type: "keyword" }),
  snippetCompletion("if(${condition}) {\n  ${}\n}", { label: "if", detail: "(...) { }", type: "keyword" }),
  snippetCompletion("while(${condition}) {\n  ${}\n}", { label: "while", detail: "(...) { }", type: "keyword" }),
  snippetCompletion("for(${i} = 0, ${i} < ${count}, ${i} = ${i} + 1) {\n  ${}\n}", {
    label: "for", detail: "(from, while, next) { }", type: "keyword",
  }),
  snippetCompletion("foreach(${table}, function(key, value) {\n  ${}\n})", {
    label: "foreach", detail: "(table, function(key, value))", type: "function",
  }),
  snippetCompletion("neighbors.foreach(function(rid, data) {\n  ${}\n})", {
    label: "neighbors.foreach", detail: "(function(rid, data))", type: "function",
  }),
];
const PLAIN_KEYWORDS = KEYWORDS.filter((word) => !SNIPPETS.some((snippet) => snippet.label === word));

function inTextOrComment(state, position) {
  return ["string", "lineComment"].includes(syntaxTree(state).resolveInner(position, -1).name);
}

/** The host's names right below `owner` ("" for globals; "math." for math's fields), each once. */
function namesBelow(names, owner) {
  const found = new Map();
  for (const { name, kind, detail, info } of names) {
    if (!name.startsWith(owner)) continue;
    const [label, ...deeper] = name.slice(owner.length).split(".");
    if (!deeper.length) found.set(label, { label, type: ICONS[kind] ?? "variable", detail, info: info || undefined });
    else if (!found.has(label)) found.set(label, { label, type: "namespace" });
  }
  return [...found.values()];
}

/** Words that stand in the texts as names (`dotted` false) or as fields (true). */
function wordsOf(texts, dotted) {
  const words = new Set();
  for (const text of texts) {
    for (const [, dot, word] of text.replace(/#.*/g, "").matchAll(WORD_AND_BEFORE)) {
      if (Boolean(dot) === dotted) words.add(word);
    }
  }
  return words;
}

function optionsFor(owner, begun, names, texts) {
  const options = namesBelow(names, owner);
  const known = new Set([begun, ...options.map((option) => option.label)]);
  if (owner && options.length) return options;
  if (!owner) {
    for (const word of PLAIN_KEYWORDS) options.push({ label: word, type: "keyword" });
    for (const snippet of SNIPPETS) options.push({ ...snippet, boost: -1 });
    for (const word of KEYWORDS) known.add(word);
  }
  for (const word of wordsOf(texts, Boolean(owner))) {
    if (!known.has(word)) options.push({ label: word, type: "text", boost: -2 });
  }
  return options;
}

/**
 * @param {() => HostName[]} names
 * @param {() => string[]} texts  of the open scripts
 */
export function buzzCompletion(names, texts) {
  return (context) => {
    const before = context.matchBefore(PATH);
    if (!before || (!before.text && !context.explicit) || inTextOrComment(context.state, context.pos)) return null;
    const owner = before.text.slice(0, before.text.lastIndexOf(".") + 1);
    const from = before.from + owner.length;
    return { from, options: optionsFor(owner, before.text.slice(owner.length), names(), texts()), validFor: /^[A-Za-z0-9_]*$/ };
  };
}

/** The host's name at a position, with its place: `math.sqrt` of `math.sqrt(x)`, `math` if the pointer is there. */
function nameAt(view, position, names) {
  const line = view.state.doc.lineAt(position);
  for (const match of line.text.matchAll(WHOLE_PATH)) {
    const from = line.from + match.index;
    if (position < from || position > from + match[0].length) continue;
    const rest = match[0].slice(position - from).indexOf(".");
    const path = rest < 0 ? match[0] : match[0].slice(0, position - from + rest);
    const name = names.find((candidate) => candidate.name === path);
    return name && !inTextOrComment(view.state, position) ? { name, from, to: from + path.length } : null;
  }
  return null;
}

/** A name of the host explains itself under the pointer. */
export function buzzHover(names) {
  return hoverTooltip((view, position) => {
    const found = nameAt(view, position, names());
    if (!found) return null;
    const create = () => {
      const dom = document.createElement("div");
      dom.className = "editor-hover";
      const head = dom.appendChild(document.createElement("code"));
      head.textContent = found.name.name + found.name.detail;
      if (found.name.info) dom.appendChild(document.createElement("div")).textContent = found.name.info;
      return { dom };
    };
    return { pos: found.from, end: found.to, above: true, create };
  });
}
