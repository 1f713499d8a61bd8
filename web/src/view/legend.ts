import { h, refresh } from "../core/dom";
import type { State } from "../core/state";
import { figure } from "../core/units";
import { farthest, longest } from "./tool_ability";

const NARROW = 720; // pixels: there it would hide the arm

/** What the colours of the picture mean; only what is shown. */
export function legend(state: State): HTMLElement {
  const list = h("div", { class: "legend-entries", role: "note", "aria-label": "Legend" });
  const element = h("details", { class: "legend", open: window.innerWidth > NARROW }, h("summary", {}, "Legend"), list);
  const update = () => {
    refresh(list, entries(state));
    element.hidden = list.children.length === 0;
  };
  for (const source of [state.layers, state.run, state.snapshot]) source.on(update);
  update();
  return element;
}

function entries(state: State): HTMLElement[] {
  const layers = state.layers.get();
  const run = state.run.get();
  const snapshot = state.snapshot.get();
  const list: HTMLElement[] = [];
  if (run?.has("tool_programmed") && layers.has("programmed")) list.push(entry("dashed", "programmed path"));
  if (run?.has("poses") && layers.has("achieved")) list.push(run.has("utilisation") ? scale() : entry("solid", "achieved path"));
  if (layers.has("ellipsoid") && snapshot?.ellipsoid) {
    list.push(entry("ellipsoid", `manipulability, up to ${figure(longest(snapshot.ellipsoid))} m/s²`));
  }
  if (layers.has("polytope") && snapshot?.polytope) {
    list.push(entry("polytope", `accelerations, up to ${figure(farthest(snapshot.polytope))} m/s²`));
  }
  if (layers.has("reactions") && snapshot?.reactions) {
    const most = (pick: "force" | "moment") => figure(Math.max(...snapshot.reactions!.map((reaction) => Math.hypot(...reaction[pick]))));
    list.push(entry("force", `joint force, up to ${most("force")} N`), entry("moment", `joint moment, up to ${most("moment")} N m`));
  }
  if (layers.has("masses")) list.push(entry("mass", "mass, inertia"));
  return list;
}

const entry = (kind: string, text: string): HTMLElement => h("div", { class: "legend-entry" }, h("span", { class: `swatch ${kind}` }), text);

function scale(): HTMLElement {
  return h(
    "div",
    { class: "legend-scale" },
    h("span", {}, "achieved path: most used motor"),
    h("span", { class: "scale-bar" }),
    h("span", { class: "scale-ticks" }, h("span", {}, "0"), h("span", {}, "60"), h("span", {}, "100"), h("span", {}, "130 %")),
  );
}
