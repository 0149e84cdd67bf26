// What editor modules take from CodeMirror; bundled into codemirror.js by `npm ci && npm run build`.
export { Compartment, EditorState, MapMode, RangeSet, StateEffect, StateField } from "@codemirror/state";
export {
  Decoration, EditorView, GutterMarker, drawSelection, dropCursor, gutter, highlightActiveLine, highlightActiveLineGutter,
  highlightSpecialChars, hoverTooltip, keymap, lineNumbers,
} from "@codemirror/view";
export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
export {
  HighlightStyle, StreamLanguage, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting, syntaxTree,
} from "@codemirror/language";
export { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, snippetCompletion } from "@codemirror/autocomplete";
export { lintGutter, nextDiagnostic, previousDiagnostic, setDiagnostics } from "@codemirror/lint";
export { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
export { tags } from "@lezer/highlight";
export { python } from "@codemirror/legacy-modes/mode/python";
export { xml } from "@codemirror/legacy-modes/mode/xml";
export { yaml } from "@codemirror/legacy-modes/mode/yaml";

// CodeMirror writes its styles into a style element, which the page's content security policy forbids; a sheet that the
// document adopts is not concerned by it.
import { StyleModule } from "style-mod";

const mountInto = StyleModule.mount;
const adopting = {
  ownerDocument: document,
  get adoptedStyleSheets() {
    return document.adoptedStyleSheets;
  },
  set adoptedStyleSheets(sheets) {
    document.adoptedStyleSheets = sheets;
  },
};
StyleModule.mount = (_root, modules) => mountInto.call(StyleModule, adopting, modules);
