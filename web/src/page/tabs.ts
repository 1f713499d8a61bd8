import { freshId, h } from "../core/dom";
import { walk } from "./menu";

export interface TabPanel<K extends string> {
  key: K;
  label: string;
  content: HTMLElement;
}

/** Tabs and their panels; `show` brings one to the front. */
export function tabs<K extends string>(label: string, panels: TabPanel<K>[], chosen: (key: K) => void): { element: HTMLElement; show: (key: K) => void } {
  const buttons = panels.map((panel) => {
    panel.content.id ||= freshId("panel");
    const id = freshId("tab");
    panel.content.setAttribute("role", "tabpanel");
    panel.content.setAttribute("aria-labelledby", id);
    return h("button", { type: "button", role: "tab", id, "aria-controls": panel.content.id, onclick: () => chosen(panel.key) }, panel.label);
  });
  const list = h("div", { role: "tablist", "aria-label": label, class: "tabs" }, buttons);
  list.addEventListener("keydown", (event) => {
    const moved = walk(event, buttons);
    if (moved) chosen(panels[buttons.indexOf(moved as HTMLButtonElement)].key);
  });
  const holder = h("div", { class: "tab-panels" }, panels.map((panel) => panel.content));
  const show = (key: K) => {
    holder.scrollTop = 0; // the place in another panel means nothing here
    panels.forEach((panel, i) => {
      const front = panel.key === key;
      buttons[i].setAttribute("aria-selected", String(front));
      buttons[i].tabIndex = front ? 0 : -1;
      panel.content.hidden = !front;
    });
  };
  const element = h("div", { class: "tabbed" }, list, holder);
  return { element, show };
}
