import { h } from "../core/dom";
import type { Layer, State } from "../core/state";
import { switchLayer } from "../core/state";
import { checkbox, iconButton } from "../page/controls";
import { icon } from "../page/icons";
import { popup } from "../page/menu";
import type { StandardView } from "./cameras";
import type { View } from "./view";

const LAYER_NAMES: [Layer, string][] = [
  ["floor", "Floor and shadow"],
  ["frames", "Joint frames"],
  ["masses", "Masses and inertia ellipsoids"],
  ["programmed", "Programmed path"],
  ["achieved", "Achieved path"],
  ["payload", "Payload"],
  ["ellipsoid", "Dynamic manipulability ellipsoid"],
  ["polytope", "Acceleration polytope"],
  ["reactions", "Joint reactions"],
];
const VIEWS: [StandardView, string, string][] = [
  ["front", "Front", "1"],
  ["side", "Side", "2"],
  ["top", "Top", "3"],
  ["iso", "Iso", "4"],
];

/** Views, projection, and what is shown, over the picture. */
export function viewToolbar(state: State, view: View): HTMLElement {
  const look = (name: StandardView) => () => view.stage.cameras.look(name, view.extent());
  const views = VIEWS.map(([name, label, key]) =>
    h("button", { type: "button", class: "chip", title: `${label} view (${key})`, "aria-label": `${label} view`, onclick: look(name) }, label),
  );
  const projection = h("button", {
    type: "button",
    class: "chip",
    "aria-label": "Orthographic",
    title: "Orthographic or perspective (5)",
    onclick: () => state.projection.set(state.projection.get() === "perspective" ? "orthographic" : "perspective"),
  }, "Ortho");
  state.projection.watch((value) => {
    projection.setAttribute("aria-pressed", String(value === "orthographic"));
  });
  return h(
    "div",
    { class: "view-toolbar", role: "toolbar", "aria-label": "View" },
    layersMenu(state),
    h("div", { class: "group" }, views),
    h("div", { class: "group" }, projection, iconButton("fit", "Fit (F)", () => view.fit(), { "aria-label": "Fit" })),
  );
}

function layersMenu(state: State): HTMLElement {
  const boxes = LAYER_NAMES.map(([layer, label]) => {
    const box = checkbox(label, state.layers.get().has(layer), (on) => switchLayer(state, layer, on));
    state.layers.on((layers) => {
      box.querySelector("input")!.checked = layers.has(layer);
    });
    return box;
  });
  const opener = h("button", { type: "button", class: "button small" }, icon("layers"), h("span", {}, "Show"), icon("chevron"));
  return popup(opener, h("div", { class: "layers", role: "group", "aria-label": "What is shown" }, boxes));
}
