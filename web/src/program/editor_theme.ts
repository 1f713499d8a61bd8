import { EditorView } from "@codemirror/view";

/** The editor in the page's colours: custom properties reach into the shadow root. */
export const editorTheme = EditorView.theme({
  "&": { height: "100%", fontSize: "12.5px", color: "var(--text)", backgroundColor: "var(--field)" },
  "&.cm-focused": { outline: "none" },
  "&.cm-focused::after": { content: '""', position: "absolute", inset: "0", border: "2px solid var(--accent)", pointerEvents: "none", zIndex: "300" }, // over the gutter, which is above an outline
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55", overflow: "auto" },
  ".cm-content": { padding: "6px 0", caretColor: "var(--accent)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)" },
  ".cm-gutters": { backgroundColor: "var(--field)", color: "var(--faint)", border: "none" },
  ".cm-activeLine": { backgroundColor: "var(--line-active)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--line-active)", color: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "var(--selection)" },
  ".cm-selectionMatch": { backgroundColor: "var(--selection)" },
  ".cm-bad-line": { boxShadow: "inset 3px 0 0 var(--bad)", backgroundColor: "var(--bad-soft)" },
  ".cm-now-line": { boxShadow: "inset 3px 0 0 var(--accent)", backgroundColor: "var(--accent-soft)" },
  ".cm-bad-line.cm-now-line": { boxShadow: "inset 3px 0 0 var(--bad), inset 6px 0 0 var(--accent)" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--text)", border: "1px solid var(--border)", borderRadius: "6px", boxShadow: "var(--shadow)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-diagnostic": { fontFamily: "var(--sans)", fontSize: "12px", padding: "5px 9px" },
  ".cm-diagnostic-error": { borderLeft: "4px solid var(--bad)" },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--text)", borderColor: "var(--border)" },
  ".cm-panel.cm-search": { display: "flex", flexWrap: "wrap", alignItems: "center", gap: "4px 6px", padding: "7px 28px 7px 10px", fontFamily: "var(--sans)", fontSize: "12px" },
  ".cm-panel.cm-search br": { flexBasis: "100%", content: '""' },
  ".cm-panel.cm-search label": { display: "inline-flex", alignItems: "center", gap: "4px", fontSize: "12px" },
  ".cm-panel .cm-textfield, .cm-panel .cm-button": { margin: "0", height: "26px", padding: "0 9px", font: "inherit", backgroundImage: "none", backgroundColor: "var(--field)", color: "var(--text)", border: "1px solid var(--border-strong)", borderRadius: "var(--radius)" },
  ".cm-panel .cm-button": { backgroundColor: "var(--panel)", cursor: "pointer" },
  ".cm-panel .cm-button:hover": { backgroundColor: "var(--raised)" },
  ".cm-panel input[type=checkbox]": { accentColor: "var(--accent)", margin: "0" },
  ".cm-panel.cm-search [name=close]": { top: "8px", right: "8px", color: "var(--muted)", fontSize: "16px", cursor: "pointer" },
  ".cm-panel :focus-visible": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--selection)", outline: "none" },
});
