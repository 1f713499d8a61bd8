/** Building elements: `h("button", { class: "primary", onclick }, "Run")`. */
type Child = Node | string | number | null | undefined | false;
type Value = string | number | boolean | null | undefined | ((event: never) => void);
export type Attributes = Record<string, Value>;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  append(element, children.flat());
  return element;
}

function setAttribute(element: HTMLElement, name: string, value: Value): void {
  if (value === null || value === undefined || value === false) return;
  if (typeof value === "function") {
    element.addEventListener(name.slice(2), value as EventListener);
  } else {
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

function append(element: HTMLElement, children: Child[]): void {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(typeof child === "number" ? String(child) : child);
    }
  }
}

/** Puts a text into an element that has no other: one that is there already is not laid out again. */
export function say(element: Element, text: string): void {
  const there = element.firstChild;
  if (!(there instanceof Text)) element.textContent = text;
  else if (there.data !== text) there.data = text;
}

/** Puts other children in place of those an element has. */
export function refill(element: HTMLElement, ...children: (Child | Child[])[]): void {
  element.replaceChildren();
  append(element, children.flat());
}

/** The same of children that only show something: those that look the same stay. */
export function refresh(element: HTMLElement, children: HTMLElement[]): void {
  const same = children.length === element.children.length && children.every((child, i) => child.isEqualNode(element.children[i]));
  if (!same) element.replaceChildren(...children);
}

/** An `<svg>` or a part of one. */
export function svg(tag: string, attributes: Record<string, string | number> = {}, ...children: SVGElement[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

let counted = 0;
/** An id that no other element has, for labels and descriptions. */
export function freshId(stem: string): string {
  counted += 1;
  return `${stem}-${counted}`;
}

/** Whether keys that are typed belong to a field, not to the page. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button"].includes(target.type);
}
