import { axisColour } from "../core/axis_colours";
import { h, refill, say } from "../core/dom";
import type { State } from "../core/state";
import { figure, shortNames } from "../core/units";
import type { RobotScene, StateResult } from "../messages";

/** The torques that hold the arm still: numbers, and bars towards each limit. */
export function torqueBars(state: State): HTMLElement {
  const element = h("div", { class: "bars", role: "list", "aria-label": "Torques to hold still" });
  showComputing(state, element);
  let rows: Row[] = [];
  state.robot.watch((robot) => {
    const names = shortNames(robot?.joints.map(({ name }) => name) ?? []);
    rows = names.map((name, i) => newRow(robot!, name, i));
    refill(element, rows.map((row) => row.element));
    const snapshot = state.snapshot.get();
    if (robot && snapshot) fill(rows, robot, snapshot);
  });
  state.snapshot.watch((snapshot) => {
    const robot = state.robot.get();
    if (robot && snapshot) fill(rows, robot, snapshot);
  });
  return element;
}

/** Old numbers are dim while new ones are computed. */
export function showComputing(state: State, element: HTMLElement): void {
  state.computing.watch((computing) => element.setAttribute("aria-busy", String(computing)));
}

interface Row {
  element: HTMLElement;
  bar: HTMLElement;
  value: HTMLElement;
}

function newRow(robot: RobotScene, name: string, index: number): Row {
  const joint = robot.joints[index];
  const bar = h("span", { class: "bar-fill" });
  const value = h("output", { class: "bar-value", "aria-label": `Torque of ${joint.name}` });
  const element = h("div", { class: "bar-row", role: "listitem" }, h("span", { class: "joint-name", title: joint.name }, name), h("span", { class: "bar" }, bar), value);
  element.style.setProperty("--axis", axisColour(index));
  return { element, bar, value };
}

function fill(rows: Row[], robot: RobotScene, snapshot: StateResult): void {
  const torques = snapshot.gravity;
  if (!torques || torques.length !== rows.length) return;
  const largest = Math.max(...torques.map((torque) => Math.abs(torque ?? 0)), 1e-9);
  rows.forEach((row, i) => {
    const given = torques[i] ?? NaN;
    const torque = Math.abs(given) < largest * 1e-9 ? 0 : given; // what is left of sums that cancel
    const joint = robot.joints[i];
    const share = torque / (joint.effort ?? largest);
    row.bar.style.setProperty("--share", String(Math.min(1, Math.abs(share))));
    row.bar.classList.toggle("negative", share < 0);
    row.bar.classList.toggle("over", joint.effort !== null && Math.abs(share) > 1);
    say(row.value, `${figure(torque)} ${joint.kind === "prismatic" ? "N" : "N m"}`);
  });
}
