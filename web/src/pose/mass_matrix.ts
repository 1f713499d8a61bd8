import { h, refill, say } from "../core/dom";
import type { State } from "../core/state";
import { significant } from "../core/units";
import type { RobotScene } from "../messages";
import { showComputing } from "./torques";

/** The mass matrix as a table whose ground shows how large and which way each element is. */
export function massMatrix(state: State): HTMLElement {
  const body = h("tbody", {});
  const table = h("table", { class: "heat", "aria-label": "Mass matrix" }, body);
  let cells: HTMLElement[][] = [];
  state.snapshot.watch((snapshot) => {
    const matrix = snapshot?.mass_matrix;
    if (!matrix) return;
    if (cells.length !== matrix.length) {
      cells = matrix.map((row) => row.map(() => h("td", {})));
      refill(body, cells.map((row) => h("tr", {}, row)));
    }
    const largest = Math.max(...matrix.flat().map((value) => Math.abs(value ?? 0)), 1e-12);
    matrix.forEach((row, i) =>
      row.forEach((value, j) => {
        const cell = cells[i][j];
        say(cell, value === null ? "–" : Math.abs(value) < largest * 1e-9 ? "0" : significant(value, Math.abs(value) < largest / 10 ? 2 : 3));
        // The root lets small elements be seen beside large ones.
        cell.style.setProperty("--heat", Math.sqrt(Math.abs(value ?? 0) / largest).toFixed(3));
        cell.classList.toggle("negative", (value ?? 0) < 0);
      }),
    );
  });
  const unit = h("p", { class: "hint" });
  state.robot.watch((robot) => (unit.textContent = robot ? unitsOf(robot) : ""));
  showComputing(state, table);
  return h("div", {}, h("div", { class: "heat-holder" }, table), unit);
}

function unitsOf({ joints }: RobotScene): string {
  const kinds = new Set(joints.map(({ kind }) => kind));
  if (kinds.size === 2) return "kg m² between joints that turn, kg between those that slide, kg m between both.";
  return kinds.has("prismatic") ? "In kg." : "In kg m².";
}
