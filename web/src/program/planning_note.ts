import { h, refill } from "../core/dom";
import type { State } from "../core/state";
import { fixed } from "../core/units";
import type { Planning, Settings } from "../messages";
import { button } from "../page/controls";

/** What a program is run with besides its text: it is not in the file, so it is always seen. */
export function planningNote({ planning, settings }: Pick<State, "planning" | "settings">): HTMLElement {
  const element = h("div", { class: "planning-note", role: "note", "aria-label": "Planned with" });
  const reset = () => {
    planning.set({});
    settings.set({});
  };
  const show = () => {
    const said = [...inWords(planning.get()), ...settingsInWords(settings.get())];
    element.hidden = said.length === 0;
    refill(element, h("span", {}, `Planned with ${said.join(", ")}`), button("As by default", reset, { class: "button small" }));
  };
  planning.watch(show);
  settings.on(show);
  return element;
}

/** What the Pose tab has set, which holds for runs, too. */
export function settingsInWords({ payload, gravity, motors, friction, wrench, locked }: Settings): string[] {
  const place = payload?.com?.some(Boolean) ? ` at ${vector(payload.com, 1000)} mm` : "";
  return [
    payload ? `a payload of ${number(payload.mass)} kg${place}` : null,
    gravity ? `gravity ${vector(gravity)} m/s²` : null,
    motors ? `motors ${motors}` : null,
    friction === null || friction === undefined ? null : `friction ${friction ? "on" : "off"}`,
    wrench ? "a wrench at the tool" : null,
    locked && Object.keys(locked).length ? `${Object.keys(locked).join(" and ")} held` : null,
  ].filter((words) => words !== null);
}

const number = (value: number): string => fixed(value, 3).replace(/\.?0+$/, "");
const vector = (values: number[], factor = 1): string => `(${values.map((value) => number(value * factor)).join(", ")})`;

/** The settings that differ from what they are by default. */
export function inWords({ turn_acceleration: turn, jerk_time: jerk, cycle, status }: Planning): string[] {
  return [
    turn ? `a turn acceleration of ${turn} rad/s²` : null,
    jerk ? `a jerk time of ${jerk} s` : null,
    cycle ? `a cycle of ${cycle} s` : null,
    status === "branch" ? "the posture that a status chooses" : null,
  ].filter((words) => words !== null);
}
