import { freshId, h } from "../core/dom";
import type { Suggestion } from "../messages";
import { button } from "../page/controls";
import { menu } from "../page/menu";

/** The suggestion that costs least at hand, the others one click away; beside each what it costs. */
export function suggestionRow(list: Suggestion[], apply: (suggestion: Suggestion) => void): HTMLElement | null {
  const [first, ...others] = list as [Suggestion?, ...Suggestion[]];
  if (!first) return null;
  const id = freshId("cost");
  const items = others.map((suggestion) => ({ label: suggestion.label, hint: suggestion.cost, choose: () => apply(suggestion) }));
  return h(
    "div",
    { class: "suggestions", role: "group", "aria-label": "Suggestions" },
    button(first.label, () => apply(first), { class: "button small accent", "aria-describedby": id }),
    items.length ? menu("Other ways", items, null, "button small") : null,
    h("p", { class: "cost", id }, first.cost),
  );
}
