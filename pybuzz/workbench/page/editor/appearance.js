// How the text looks. All colours are variables of the page's style sheet, so that they follow its theme.

import { EditorView, HighlightStyle, syntaxHighlighting, tags } from "../vendor/codemirror.js";

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--code-keyword)", fontWeight: "600" },
  { tag: [tags.atom, tags.bool, tags.number], color: "var(--code-number)" },
  { tag: [tags.string, tags.special(tags.string), tags.attributeValue], color: "var(--code-string)" },
  { tag: [tags.comment, tags.lineComment, tags.meta], color: "var(--code-comment)", fontStyle: "italic" },
  { tag: tags.standard(tags.variableName), color: "var(--code-builtin)" },
  { tag: [tags.definition(tags.function(tags.variableName)), tags.tagName], color: "var(--code-name)", fontWeight: "600" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: "var(--code-name)" },
  { tag: [tags.propertyName, tags.attributeName], color: "var(--code-name)" },
  { tag: [tags.operator, tags.punctuation], color: "var(--code-operator)" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--panel)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", fontSize: "var(--text-size)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--text)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-ground)",
  },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--faint)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--flash)", color: "inherit" },
  ".cm-selectionMatch, .cm-searchMatch": { backgroundColor: "var(--flash)" },
  ".cm-searchMatch-selected": { outline: "1px solid var(--accent)" },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--line-strong)",
    borderRadius: "4px",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionDetail": { fontStyle: "normal", opacity: "0.75" },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--text)" },
  ".cm-panels-bottom": { borderTop: "1px solid var(--line-strong)" },
  ".cm-panel input, .cm-panel button": {
    background: "var(--panel)", color: "inherit", border: "1px solid var(--line-strong)", borderRadius: "3px",
  },
  ".cm-lintRange-error": {
    backgroundImage: "none", textDecoration: "underline wavy var(--bad)", textDecorationSkipInk: "none",
  },
  ".cm-lintRange-warning": {
    backgroundImage: "none", textDecoration: "underline wavy var(--warn)", textDecorationSkipInk: "none",
  },
  ".cm-diagnostic": { whiteSpace: "pre-wrap", maxWidth: "36em" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warn)" },
  ".cm-gutter-lint": { width: "1em" },
  ".cm-lint-marker": { content: "normal", width: "8px", height: "8px", margin: "5px 0 0 3px" },
  ".cm-lint-marker-error": { content: "normal", backgroundColor: "var(--bad)", clipPath: "polygon(20% 0, 50% 30%, 80% 0, 100% 20%, 70% 50%, 100% 80%, 80% 100%, 50% 70%, 20% 100%, 0 80%, 30% 50%, 0 20%)" },
  ".cm-lint-marker-warning": { content: "normal", backgroundColor: "var(--warn)", clipPath: "polygon(50% 0, 100% 100%, 0 100%)" },
});

export const appearance = [theme, syntaxHighlighting(colours)];
