import { h } from "../core/dom";

const LONGEST = 20_000; // letters of LaTeX that are still worth typesetting

/** A formula as people read it; the typesetter comes with the first one. */
export async function typeset(latex: string): Promise<HTMLElement> {
  const holder = h("div", { class: "formula", tabindex: 0, role: "math", "aria-label": latex });
  if (latex.length > LONGEST) {
    holder.append(h("p", { class: "hint" }, `${latex.length} letters of LaTeX: too long to read; export it instead.`));
    return holder;
  }
  const { default: katex } = await import("katex");
  // Nodes instead of HTML text: styles are set one by one, as the page's policy wants it.
  katex.render(latex, holder, { displayMode: true, throwOnError: false, strict: "ignore", maxExpand: 10_000, output: "html" });
  return holder;
}
