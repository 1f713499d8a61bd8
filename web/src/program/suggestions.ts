import { freshId, h } from "../core/dom";
import type { Suggestion } from "../messages";
import { button } from "../page/controls";
import { menu } from "../page/menu";

export interface SuggestionRow {
  element: HTMLElement;
  /** Whether they can be chosen: they speak of lines of the text that was run. */
  allow: (allowed: boolean) => void;
}

/** The suggestion that costs least at hand, the others one click away; beside each what it costs. */
export function suggestionRow(list: Suggestion[], apply: (suggestion: Suggestion) => void): SuggestionRow | null {
  const [first, ...others] = list as [Suggestion?, ...Suggestion[]];
  if (!first) return null;
  const id = freshId("cost");
  const items = others.map((suggestion) => ({ label: suggestion.label, hint: suggestion.cost, choose: () => apply(suggestion) }));
  const cost = h("p", { class: "cost", id }, first.cost);
  const element = h(
    "fieldset",
    { class: "suggestions", "aria-label": "Suggestions" },
    button(first.label, () => apply(first), { class: "button small accent", "aria-describedby": id }),
    cost,
    items.length ? menu("Other ways", items, null, "button small") : null,
  );
  const allow = (allowed: boolean) => {
    element.disabled = !allowed;
    cost.textContent = allowed ? first.cost : "Run again first: these are for the program as it was run.";
  };
  return { element, allow };
}
