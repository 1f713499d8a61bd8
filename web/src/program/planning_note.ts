import type { Cell } from "../core/cell";
import { h, refill } from "../core/dom";
import type { Planning } from "../messages";
import { button } from "../page/controls";

/** What a program is planned with besides its text: it is not in the file, so it is always seen. */
export function planningNote(planning: Cell<Planning>): HTMLElement {
  const element = h("div", { class: "planning-note", role: "note", "aria-label": "Planned with" });
  planning.watch((now) => {
    const said = inWords(now);
    element.hidden = said.length === 0;
    refill(element, h("span", {}, `Planned with ${said.join(", ")}`), button("As by default", () => planning.set({}), { class: "button small" }));
  });
  return element;
}

/** The settings that differ from what they are by default. */
export function inWords({ turn_acceleration: turn, jerk_time: jerk, cycle, status }: Planning): string[] {
  return [
    turn ? `a turn acceleration of ${turn} rad/s²` : null,
    jerk ? `a jerk time of ${jerk} s` : null,
    cycle ? `a cycle of ${cycle} s` : null,
    status === "branch" ? "the posture that a status chooses" : null,
  ].filter((words) => words !== null);
}
