import { autocompletion, closeBrackets, closeBracketsKeymap, completeFromList, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, redo, undo } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { type Diagnostic, linter, lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorSelection, EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { h } from "../core/dom";
import type { Problem } from "../messages";
import { robotLanguage, VOCABULARY } from "./language";
import { editorTheme } from "./editor_theme";

const DELAY = 250; // milliseconds without a key before a text is checked

/** Lines with a mark of their own: where the run is, what is wrong where. */
export interface LineMarks {
  now: number | null;
  bad: readonly number[];
}

const setMarks = StateEffect.define<LineMarks>();
const marksField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) return decorate(transaction.state, effect.value);
    }
    return marks.map(transaction.changes);
  },
  provide: (value) => EditorView.decorations.from(value),
});

function decorate(state: EditorState, { now, bad }: LineMarks): DecorationSet {
  const lines = new Map<number, string>();
  for (const line of bad) lines.set(line, "cm-bad-line");
  if (now !== null) lines.set(now, `${lines.get(now) ?? ""} cm-now-line`.trim());
  const valid = [...lines].filter(([line]) => line >= 1 && line <= state.doc.lines);
  return Decoration.set(valid.map(([line, name]) => Decoration.line({ class: name }).range(state.doc.line(line).from)), true);
}

/** The text of a program: colours, problems underlined as one types, undo. */
export class Editor {
  readonly element = h("div", { class: "editor" });
  private readonly view: EditorView;

  constructor(check: (text: string) => Promise<Problem[]>, changed: () => void, keys: Extension) {
    // In a shadow root the editor's styles are adopted sheets: the page's policy allows no style elements.
    const root = this.element.attachShadow({ mode: "open" });
    this.view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({ extensions: extensions(check, changed, keys) }),
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Puts another text in place: undo brings the one before back. */
  replace(text: string): void {
    const { doc } = this.view.state;
    this.view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
  }

  /** Opens another document: what was undone before is forgotten. */
  open(text: string, check: (text: string) => Promise<Problem[]>, changed: () => void, keys: Extension): void {
    this.view.setState(EditorState.create({ doc: text, extensions: extensions(check, changed, keys) }));
  }

  undo(): void {
    undo(this.view);
  }

  redo(): void {
    redo(this.view);
  }

  mark(marks: LineMarks): void {
    this.view.dispatch({ effects: setMarks.of(marks) });
  }

  /** Puts the cursor at a line and shows it. */
  jump(line: number, column = 1): void {
    const { doc } = this.view.state;
    const place = doc.line(Math.min(Math.max(1, line), doc.lines));
    const at = Math.min(place.to, place.from + column - 1);
    this.view.dispatch({ selection: EditorSelection.cursor(at), effects: EditorView.scrollIntoView(at, { y: "center" }) });
  }

  /** Shows a line if it is out of sight. */
  reveal(line: number): void {
    const { doc } = this.view.state;
    if (line > doc.lines) return;
    this.view.dispatch({ effects: EditorView.scrollIntoView(doc.line(line).from, { y: "nearest", yMargin: 40 }) });
  }

  focus(): void {
    this.view.focus();
  }
}

function extensions(check: (text: string) => Promise<Problem[]>, changed: () => void, keys: Extension): Extension[] {
  return [
    lineNumbers(),
    lintGutter(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    history(),
    drawSelection(),
    bracketMatching(),
    closeBrackets(),
    highlightSelectionMatches(),
    autocompletion({ override: [completeFromList(VOCABULARY)] }),
    robotLanguage(),
    marksField,
    linter(async (view) => (await check(view.state.doc.toString())).map((problem) => diagnostic(view.state, problem)), { delay: DELAY }),
    EditorView.contentAttributes.of({ "aria-label": "Program text", spellcheck: "false" }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) changed();
    }),
    keys,
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
    editorTheme,
  ];
}

/** A problem as the editor underlines it: the word at its place. */
export function diagnostic(state: EditorState, problem: Problem): Diagnostic {
  const line = state.doc.line(Math.min(Math.max(1, problem.line), state.doc.lines));
  const from = Math.min(line.to, line.from + Math.max(0, problem.column - 1));
  const word = /^(\w+|"[^"]*"?|\S)/.exec(line.text.slice(from - line.from));
  const to = Math.min(line.to, from + (word ? word[0].length : 1));
  return { from, to: Math.max(from, to), severity: "error", message: problem.message };
}
