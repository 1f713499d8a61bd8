import { freshId, h, refill } from "../core/dom";
import { icon } from "./icons";

export interface MenuItem {
  label: string;
  /** What it gives, or what it costs; a function is asked when the menu opens. */
  hint?: string | (() => string);
  choose: () => void;
  enabled?: () => boolean;
}

/** A box under a button: closes on Escape, on a click elsewhere, and when the focus leaves. */
export function popup(opener: HTMLElement, content: HTMLElement, alignment: "left" | "right" = "left"): HTMLElement {
  content.id ||= freshId("popup");
  content.setAttribute("popover", "auto");
  content.classList.add("popup");
  opener.setAttribute("popovertarget", content.id);
  opener.setAttribute("aria-expanded", "false");
  opener.setAttribute("aria-controls", content.id);
  content.addEventListener("toggle", (event) => {
    const open = event.newState === "open";
    opener.setAttribute("aria-expanded", String(open));
    if (open) place(opener, content, alignment);
  });
  return h("div", { class: "popup-holder" }, opener, content);
}

function place(opener: HTMLElement, content: HTMLElement, alignment: "left" | "right"): void {
  const box = opener.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = content;
  const left = alignment === "left" ? box.left : box.right - width;
  const below = box.bottom + 4;
  const top = below + height > window.innerHeight ? Math.max(8, box.top - height - 4) : below;
  content.style.left = `${Math.max(8, Math.min(left, window.innerWidth - width - 8))}px`;
  content.style.top = `${top}px`;
}

/** A button with a menu of commands; arrow keys walk through it. */
export function menu(label: string, items: MenuItem[], symbol: string | null, style = "button"): HTMLElement {
  const list = h("div", { role: "menu", "aria-label": label });
  const opener = h("button", { type: "button", class: style, "aria-haspopup": "menu" }, symbol ? icon(symbol) : null, h("span", {}, label), icon("chevron"));
  const buttons = items.map((item) => menuButton(item, list));
  list.append(...buttons);
  list.addEventListener("beforetoggle", () => {
    items.forEach((item, i) => {
      buttons[i].disabled = item.enabled ? !item.enabled() : false;
      if (typeof item.hint === "function") refill(buttons[i].lastElementChild as HTMLElement, item.hint());
    });
  });
  list.addEventListener("toggle", (event) => {
    if (event.newState === "open") buttons.find((one) => !one.disabled)?.focus();
  });
  list.addEventListener("keydown", (event) => {
    walk(event, buttons.filter((one) => !one.disabled));
  });
  return popup(opener, list, "right");
}

function menuButton(item: MenuItem, list: HTMLElement): HTMLButtonElement {
  return h(
    "button",
    {
      type: "button",
      role: "menuitem",
      class: "menu-item",
      onclick: () => {
        list.hidePopover();
        item.choose();
      },
    },
    h("span", {}, item.label),
    item.hint ? h("small", {}, typeof item.hint === "string" ? item.hint : "") : null,
  );
}

/** One tab stop for many elements: the arrows up and down walk through them. */
export function oneStop<E extends HTMLElement>(holder: E, elements: HTMLElement[]): E {
  let stop = elements[0];
  for (const element of elements) element.tabIndex = element === stop ? 0 : -1;
  holder.addEventListener("focusin", ({ target }) => {
    const next = elements.find((element) => element === target);
    if (!next) return;
    stop.tabIndex = -1;
    next.tabIndex = 0;
    stop = next;
  });
  holder.addEventListener("keydown", (event) => {
    const alone = !event.ctrlKey && !event.altKey && !event.metaKey && !event.shiftKey;
    if (alone && ["ArrowUp", "ArrowDown"].includes(event.key)) walk(event, elements);
  });
  return holder;
}

/** Moves the focus among elements with the arrow keys, Home and End. */
export function walk(event: KeyboardEvent, elements: HTMLElement[]): HTMLElement | null {
  const at = elements.indexOf(document.activeElement as HTMLElement);
  const wanted = {
    ArrowDown: at + 1,
    ArrowRight: at + 1,
    ArrowUp: at - 1,
    ArrowLeft: at - 1,
    Home: 0,
    End: elements.length - 1,
  }[event.key];
  if (wanted === undefined || elements.length === 0) return null;
  event.preventDefault();
  const element = elements[(wanted + elements.length) % elements.length];
  element.focus();
  return element;
}
