import { h } from "../core/dom";
import type { Studio } from "../core/studio";
import { tabs } from "../page/tabs";
import { derivedEquations } from "./equations";
import { loadStudies } from "./loads";

/** The tab of what is known about a robot beyond one state: loads, and equations. */
export function studiesPanel(studio: Studio): HTMLElement {
  const { element, show } = tabs(
    "Studies",
    [
      { key: "loads", label: "Loads", content: loadStudies(studio) },
      { key: "equations", label: "Equations", content: derivedEquations(studio) },
    ],
    (key) => show(key),
  );
  show("loads");
  element.classList.add("minor");
  return h("div", { class: "panel scroll studies-panel" }, element);
}
