import type { Attributes } from "../core/dom";
import { freshId, h } from "../core/dom";
import { complainAt, wrongNumber } from "./field_complaint";
import { icon } from "./icons";

/** A button with an icon and no text; its name is its tooltip too. */
export function iconButton(name: string, label: string, onclick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return h("button", { type: "button", class: "icon-button", "aria-label": label, title: label, onclick, ...attributes }, icon(name));
}

export function button(label: string, onclick: () => void, attributes: Attributes = {}, symbol?: string): HTMLButtonElement {
  return h("button", { type: "button", class: "button", onclick, ...attributes }, symbol ? icon(symbol) : null, h("span", {}, label));
}

/** A labelled field: the label stands above or beside its input. */
export function field(label: string, input: HTMLElement, attributes: Attributes = {}): HTMLElement {
  input.id ||= freshId("field");
  return h("div", { class: "field", ...attributes }, h("label", { for: input.id }, label), input);
}

export function select<K extends string>(options: [K, string][], value: K, onchange: (value: K) => void, attributes: Attributes = {}): HTMLSelectElement {
  const element = h(
    "select",
    attributes,
    options.map(([key, text]) => h("option", { value: key }, text)),
  );
  element.value = value;
  element.addEventListener("change", () => {
    onchange(element.value as K);
  });
  return element;
}

/** A field for a number that is taken when it is complete (Enter, or leaving it); what is none is marked. Only one with a placeholder may be empty. */
export function numberField(label: string, onvalue: (value: number) => void, attributes: Attributes = {}): HTMLInputElement {
  const input = h("input", { type: "number", step: "any", "aria-label": label, ...attributes });
  input.addEventListener("change", () => {
    const { value, min, max, validity } = input;
    const wrong = wrongNumber(label, { value, min, max, badInput: validity.badInput, optional: input.placeholder !== "" });
    complainAt(input, wrong);
    if (wrong === null && value !== "") onvalue(input.valueAsNumber);
  });
  return input;
}

/** Shows a number in its field, unless someone is typing there. */
export function showNumber(input: HTMLInputElement, text: string): void {
  if (document.activeElement === input) return;
  input.value = text;
  complainAt(input, null);
}

/** Fields of one quantity in a row, its unit behind. */
export function triple(label: string, fields: HTMLElement[], unit: string): HTMLElement {
  return h("div", { class: "triple", role: "group", "aria-label": label }, h("span", {}, label), fields, h("span", { class: "unit" }, unit));
}

export function checkbox(label: string, checked: boolean, onchange: (checked: boolean) => void): HTMLLabelElement {
  const input = h("input", { type: "checkbox", checked });
  input.addEventListener("change", () => {
    onchange(input.checked);
  });
  return h("label", { class: "check" }, input, h("span", {}, label));
}

/** A button that is pressed or not. */
export function toggle(label: string, pressed: boolean, onchange: (pressed: boolean) => void, attributes: Attributes = {}): HTMLButtonElement {
  const element = h("button", { type: "button", class: "chip", "aria-pressed": String(pressed), ...attributes }, label);
  element.addEventListener("click", () => {
    const now = element.getAttribute("aria-pressed") !== "true";
    element.setAttribute("aria-pressed", String(now));
    onchange(now);
  });
  return element;
}

/** A section with a heading, as all panels have them. */
export function section(title: string, ...children: (Node | null)[]): HTMLElement {
  const id = freshId("section");
  return h("section", { class: "section", "aria-labelledby": id }, h("h3", { id }, title), ...children);
}
