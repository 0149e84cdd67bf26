// Buzz for CodeMirror: tokens and indentation. The names that the host gives to scripts are coloured as its own.

import { StreamLanguage } from "../vendor/codemirror.js";

export const KEYWORDS = ["var", "if", "else", "function", "return", "for", "while", "and", "or", "not", "nil", "include"];

const BLANK = /^\s+/;
const COMMENT = /^#.*/;
const NUMBER = /^[0-9][0-9.]*/;
const WORD = /^[A-Za-z_][A-Za-z0-9_]*/;
const OPERATOR = /^(?:<<|>>|[<>=!]=|[=+\-*/%^&|!<>])/;
const OPENING = /^[{([]/;
const CLOSING = /^[})\]]/;

/** Reads on to the end of a string, which may be lines away. */
function restOfString(stream, state) {
  for (let character = stream.next(); character !== undefined; character = stream.next()) {
    if (character === "\\") stream.next();
    else if (character === state.quote) {
      state.quote = "";
      break;
    }
  }
  return "string";
}

/** What a word is, from itself and from the token before it. */
function kindOfWord(word, before, stream, hostNames) {
  if (before === ".") return stream.match(/^\s*\(/, false) ? "propertyName.function" : "propertyName";
  if (word === "nil") return "atom";
  if (KEYWORDS.includes(word)) return "keyword";
  if (before === "function") return "variableName.function.definition";
  if (hostNames.has(word)) return "variableName.standard";
  return stream.match(/^\s*\(/, false) ? "variableName.function" : "variableName";
}

function nextToken(stream, state, hostNames) {
  if (state.quote) return restOfString(stream, state);
  if (stream.match(BLANK)) return null;
  if (stream.match(COMMENT)) return "lineComment";
  const before = state.before;
  const word = stream.match(WORD);
  if (word) {
    state.before = word[0];
    return kindOfWord(word[0], before, stream, hostNames);
  }
  state.before = stream.peek();
  if (stream.match(NUMBER)) return "number";
  if (stream.match(/^["']/)) {
    state.quote = stream.current();
    return restOfString(stream, state);
  }
  if (stream.match(OPERATOR)) return "operator";
  if (stream.match(OPENING)) state.depth += 1;
  else if (stream.match(CLOSING)) state.depth = Math.max(0, state.depth - 1);
  else stream.next();
  return "punctuation";
}

/**
 * @param {Iterable<string>} hostNames  globals that the host defines: `neighbors`, `set_wheels`
 */
export function buzzLanguage(hostNames) {
  const known = new Set(hostNames);
  return StreamLanguage.define({
    name: "buzz",
    startState: () => ({ quote: "", before: "", depth: 0 }),
    copyState: (state) => ({ ...state }),
    token: (stream, state) => nextToken(stream, state, known),
    indent: (state, textAfter, context) => {
      if (state.quote) return null;
      return (state.depth - (CLOSING.test(textAfter) ? 1 : 0)) * context.unit;
    },
    languageData: {
      commentTokens: { line: "#" },
      indentOnInput: /^\s*[})\]]$/,
      closeBrackets: { brackets: ["(", "[", "{", '"', "'"] },
    },
  });
}
