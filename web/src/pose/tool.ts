import { h, refill } from "../core/dom";
import { ServerError } from "../core/connection";
import type { Studio } from "../core/studio";
import { figure, shownPosition, toDegrees, toRadians } from "../core/units";
import type { SolveResult } from "../messages";
import { button, numberField, showNumber } from "../page/controls";
import { setPosture } from "./joints";

const NAMES: [string, string][] = [
  ["x", "mm"],
  ["y", "mm"],
  ["z", "mm"],
  ["roll", "°"],
  ["pitch", "°"],
  ["yaw", "°"],
];

/** Where the tool is, as numbers that can be changed: all postures for it are listed. */
export function toolControls(studio: Studio): HTMLElement {
  const { state } = studio;
  const branches = h("div", { class: "branches" });
  const fields = NAMES.map(([name, unit]) => numberField(`Tool ${name} in ${unit === "°" ? "degrees" : "millimetres"}`, () => void solve()));
  const solve = async () => {
    const robot = state.robot.get();
    const posture = state.posture.get();
    if (!robot || !posture) return;
    const values = fields.map((field) => field.valueAsNumber);
    if (!values.every(Number.isFinite)) return;
    const position = values.slice(0, 3).map((value) => value / 1000) as [number, number, number];
    const rpy = values.slice(3).map(toRadians) as [number, number, number];
    try {
      const result = await studio.connection.ask("solve", { robot: robot.robot, position, rpy, q: posture.q, settings: state.settings.get() });
      showBranches(studio, branches, result);
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      refill(branches, h("p", { class: "complaint", role: "alert" }, error.message));
    }
  };
  state.snapshot.on((snapshot) => {
    if (!snapshot) return;
    const { position, rpy } = snapshot.tool;
    const values = [...position.map((value) => value * 1000), ...rpy.map(toDegrees)];
    fields.forEach((field, i) => showNumber(field, values[i].toFixed(i < 3 ? 1 : 2)));
  });
  let solved: string | null = null;
  state.robot.on((robot) => {
    if (robot && robot.robot !== solved) refill(branches); // a payload changes no posture
    solved = robot?.robot ?? null;
  });
  return h(
    "div",
    { class: "tool" },
    h("div", { class: "tool-fields" }, fields.map((field, i) => h("label", { class: "field" }, h("span", {}, `${NAMES[i][0]} [${NAMES[i][1]}]`), field))),
    h("div", { class: "actions" }, button("All postures for this pose", () => void solve(), { class: "button small" })),
    branches,
  );
}

function showBranches(studio: Studio, holder: HTMLElement, result: SolveResult): void {
  const { best, branches } = result;
  if (best !== null) setPosture(studio, branches[best].q);
  const list = h("ul", { class: "branch-list", role: "radiogroup", "aria-label": "Postures" });
  const joints = studio.state.robot.get()?.joints ?? [];
  const buttons = branches.map((branch, i) => {
    const angles = branch.q.map((value, j) => shownPosition(joints[j]?.kind ?? "revolute", value)).join(", ");
    const choose = () => {
      setPosture(studio, branch.q);
      buttons.forEach((one, j) => one.setAttribute("aria-checked", String(j === i)));
    };
    return h(
      "button",
      { type: "button", role: "radio", class: "branch", "aria-checked": String(i === best), onclick: choose, "aria-label": branch.name || `posture ${i + 1}` },
      h("span", {}, branch.name || `posture ${i + 1}`),
      h("small", { class: "angles" }, angles),
      h("small", { class: branch.within_limits ? "" : "bad-text" }, branch.within_limits ? `${figure(toDegrees(branch.distance))}° away` : "beyond limits"),
    );
  });
  list.append(...buttons.map((one) => h("li", { role: "none" }, one)));
  refill(holder, list);
}
