import { axisColour } from "../core/axis_colours";
import { h, refill } from "../core/dom";
import type { Studio } from "../core/studio";
import { fixed, shortNames, shownFactor, shownPosition, shownUnit } from "../core/units";
import type { JointScene, RobotScene } from "../messages";
import { button, numberField, showNumber } from "../page/controls";
import { complainAt } from "../page/field_complaint";

const SLACK = 1e-6; // rad or m: what is left of a conversion

/** A slider's ends where a joint has no limits: a turn to each side, or a metre. */
function ends(joint: JointScene): [number, number] {
  const free = joint.kind === "prismatic" ? 1 : Math.PI;
  return [joint.lower ?? -free, joint.upper ?? free];
}

/** A slider and a number for each joint, in degrees or millimetres. */
export function jointControls(studio: Studio): HTMLElement {
  const { state } = studio;
  const element = h("div", { class: "joints" });
  let rows: JointRow[] = [];
  const show = () => {
    const q = state.posture.get()?.q;
    if (q?.length === rows.length) rows.forEach((row, i) => row.show(q[i]));
  };
  state.robot.watch((robot) => {
    if (!robot) return;
    const names = shortNames(robot.joints.map(({ name }) => name));
    rows = robot.joints.map((joint, i) => newRow(studio, joint, names[i], i));
    refill(element, rows.map((row) => row.element), home(studio, robot));
    show();
  });
  state.posture.on(show);
  return element;
}

/** Takes a posture as set by hand. */
export function setPosture(studio: Studio, q: number[]): void {
  studio.state.playing.set(false);
  studio.state.posture.set({ from: "pose", q, qd: null, qdd: null });
}

interface JointRow {
  element: HTMLElement;
  show: (position: number) => void;
}

function newRow(studio: Studio, joint: JointScene, name: string, index: number): JointRow {
  const { posture } = studio.state;
  const factor = shownFactor(joint.kind);
  const unit = shownUnit(joint.kind);
  const [lower, upper] = ends(joint).map((end) => end * factor);
  const slider = h("input", { type: "range", min: lower, max: upper, step: "any", "aria-label": `${joint.name} position` });
  const take = (value: number) => {
    const q = posture.get()?.q.slice();
    if (!q || !Number.isFinite(value)) return;
    q[index] = value / factor;
    setPosture(studio, q);
  };
  const number = numberField(`${joint.name} position in ${unit === "°" ? "degrees" : "millimetres"}`, take, { step: 0.1 });
  slider.addEventListener("input", () => take(slider.valueAsNumber));
  slider.addEventListener("keydown", (event) => nudge(event, slider, unit === "°" ? 1 : 5, take));
  const show = (position: number) => {
    const value = position * factor;
    slider.value = String(value);
    slider.setAttribute("aria-valuetext", `${fixed(value, 1)} ${unit}`);
    showNumber(number, value.toFixed(1));
    complainAt(number, beyond(joint, position));
  };
  const limit = (value: number | null) => h("small", {}, value === null ? "free" : `${fixed(value * factor, 0)}${unit}`);
  const element = h(
    "div",
    { class: "joint" },
    h("span", { class: "joint-name", title: joint.name }, name),
    h("div", { class: "joint-slider" }, slider, h("div", { class: "joint-limits" }, limit(joint.lower), limit(joint.upper))),
    h("div", { class: "with-unit" }, number, h("span", {}, unit)),
  );
  element.style.setProperty("--axis", axisColour(index));
  return { element, show };
}

/** What is said of a position that a joint does not reach; it is computed all the same. */
export function beyond(joint: JointScene, position: number): string | null {
  const { name, lower, upper } = joint;
  const shown = (value: number) => shownPosition(joint.kind, value, 1);
  const limit = lower !== null && position < lower - SLACK ? lower : upper !== null && position > upper + SLACK ? upper : null;
  return limit === null ? null : `${name} at ${shown(position)} is beyond its limit of ${shown(limit)}.`;
}

/** Arrow keys move by whole degrees or a few millimetres, not by a share of the range. */
function nudge(event: KeyboardEvent, slider: HTMLInputElement, step: number, take: (value: number) => void): void {
  const sign = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
  if (!sign) return;
  event.preventDefault();
  event.stopPropagation();
  const value = slider.valueAsNumber + sign * step;
  take(Math.min(Number(slider.max), Math.max(Number(slider.min), value)));
}

function home(studio: Studio, robot: RobotScene): HTMLElement {
  return h(
    "div",
    { class: "actions" },
    button("Home", () => setPosture(studio, robot.home.slice()), { class: "button small" }),
    button("All zero", () => setPosture(studio, robot.home.map(() => 0)), { class: "button small" }),
  );
}
