import { freshId, h, say } from "../core/dom";

const ROWS = ".triple, .joint, .field, .pair";

/** Says below the row of a field what is wrong with it; null takes that back. */
export function complainAt(input: HTMLInputElement, sentence: string | null): void {
  const said = sentenceAt(input);
  if (sentence === null) {
    input.removeAttribute("aria-invalid");
    input.removeAttribute("aria-errormessage");
    said?.remove();
    return;
  }
  const element = said ?? h("p", { class: "field-complaint", role: "alert", id: freshId("complaint") });
  say(element, sentence);
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-errormessage", element.id);
  if (!said) rowOf(input).after(element);
}

function sentenceAt(input: HTMLInputElement): HTMLElement | null {
  const id = input.getAttribute("aria-errormessage");
  return id === null ? null : document.getElementById(id);
}

/** The outermost row of fields: a sentence inside would push them apart. */
function rowOf(input: HTMLInputElement): HTMLElement {
  let row: HTMLElement = input;
  for (let above = input.closest<HTMLElement>(ROWS); above; above = above.parentElement?.closest<HTMLElement>(ROWS) ?? null) row = above;
  return row;
}

export interface Typed {
  value: string;
  badInput: boolean;
  min: string;
  max: string;
  optional: boolean;
}

/** What is wrong with a number as it is typed; null where nothing is. */
export function wrongNumber(label: string, { value, badInput, min, max, optional }: Typed): string | null {
  const name = label.replace(/ \[.*\]$/, "");
  if (badInput || (value === "" && !optional)) return `${name}: expected a number; what is typed is not taken.`;
  const range = [min === "" ? null : `${min} or more`, max === "" ? null : `${max} or less`].filter((part) => part !== null).join(", ");
  const beyond = value !== "" && ((min !== "" && Number(value) < Number(min)) || (max !== "" && Number(value) > Number(max)));
  return beyond ? `${name} is ${value.replace("-", "−")}, expected ${range}; it is not taken.` : null;
}
