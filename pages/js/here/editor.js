// The editor of a cell: CodeMirror, loaded when a reader opens the first one. It stands in a shadow root, whose
// sheets are adopted: a strict policy refuses <style>.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentUnit, LanguageSupport, syntaxHighlighting } from "@codemirror/language";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, keymap, tooltips } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The colours that the page's code has, in light and in dark. */
const COLORS = HighlightStyle.define(
  [
    [[tags.comment], "#515151", "#ffd900"],
    [[tags.keyword, tags.operatorKeyword, tags.bool, tags.null], "#6730c5", "#dcc6e0"],
    [[tags.number, tags.meta, tags.self], "#7f4707", "#ffd900"],
    [[tags.string], "#00622f", "#abe338"],
    [[tags.definition(tags.className), tags.function(tags.definition(tags.variableName))], "#005b82", "#00e0e0"],
  ].map(([tag, light, dark]) => ({ tag, color: `light-dark(${light}, ${dark})` })),
);

const LOOK = EditorView.theme({
  "&": { font: "var(--code-size) / 1.55 var(--code)", background: "var(--tint)", borderRadius: "6px" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "2px" },
  ".cm-scroller": { font: "inherit", lineHeight: "inherit" },
  ".cm-content": { padding: ".8rem 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 1rem" },
  ".cm-marked": { background: "color-mix(in srgb, var(--accent) 18%, transparent)" },
  "&.cm-focused .cm-matchingBracket": { background: "none", outline: "1px solid var(--quiet)" },
});

/** @type {import("@codemirror/state").StateEffectType<number | null>} */
const mark = StateEffect.define();
const line = Decoration.line({ class: "cm-marked" });
/** The line that an error names, until the code is changed. */
const marked = StateField.define({
  create: () => Decoration.none,
  update(found, { effects, docChanged, state }) {
    for (const { value } of effects.filter((effect) => effect.is(mark)))
      return value && value <= state.doc.lines
        ? Decoration.set(line.range(state.doc.line(value).from))
        : Decoration.none;
    return docChanged ? Decoration.none : found;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/**
 * An editor in a place, which must have none yet.
 * @param {HTMLElement} place
 * @param {{ text: string, label: string, help: string, run: () => void, changed: () => void }} options
 */
function editor(place, { text, label, help, run, changed }) {
  const root = place.attachShadow({ mode: "open" });
  const view = new EditorView({
    root,
    parent: root,
    doc: text,
    extensions: [
      keymap.of([
        {
          key: "Ctrl-Enter",
          mac: "Cmd-Enter",
          run: () => {
            run();
            return true;
          },
        },
        ...defaultKeymap,
        ...historyKeymap,
      ]),
      history(),
      indentUnit.of("    "),
      EditorState.tabSize.of(4),
      new LanguageSupport(pythonLanguage),
      syntaxHighlighting(COLORS),
      bracketMatching(),
      tooltips({ parent: root }),
      marked,
      LOOK,
      EditorView.contentAttributes.of({ "aria-label": label, "aria-description": help }),
      EditorView.updateListener.of(({ docChanged }) => docChanged && changed()),
    ],
  });
  return {
    get text() {
      return view.state.doc.toString();
    },
    set text(insert) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } });
    },
    /** @param {number | null} number of a line, from 1 */
    mark: (number) => view.dispatch({ effects: mark.of(number) }),
    focus: () => view.focus(),
  };
}

/** @type {any} */ (globalThis).attentionEditor = editor;
