import { h } from "../core/dom";
import type { Planning } from "../messages";
import { field, iconButton, numberField, select } from "../page/controls";
import { complainAt } from "../page/field_complaint";
import { popup } from "../page/menu";
import type { Follow, Runner } from "./runner";

/** How a program is planned and followed: options of the command line, under a button. */
export function runSettings(runner: Runner): HTMLElement {
  const { follow, planning } = runner;
  const change = (patch: Planning) => planning.set({ ...planning.get(), ...patch });
  const optional = (label: string, key: "turn_acceleration" | "jerk_time" | "cycle", placeholder: string, max: number | null = null) => {
    const input = numberField(label, (value) => change({ [key]: value > 0 ? value : null }), { min: 0, max, placeholder });
    input.addEventListener("change", () => {
      if (input.value === "" && !input.validity.badInput) change({ [key]: null });
    });
    planning.watch((now) => {
      input.value = now[key] ? String(now[key]) : "";
      complainAt(input, null);
    });
    return field(label, input);
  };
  const saturated = select<Follow>([["position", "the position is held"], ["velocity", "the velocity is held"], ["unbraked", "nothing brakes it"]], follow.get(), (value) => follow.set(value));
  const status = select<NonNullable<Planning["status"]>>([["ignore", "is ignored"], ["branch", "chooses the posture"]], "ignore", (value) => change({ status: value }));
  planning.on((now) => (status.value = now.status ?? "ignore"));
  const opener = iconButton("settings", "Run settings", () => undefined);
  return popup(
    opener,
    h(
      "div",
      { class: "run-settings", role: "group", "aria-label": "Run settings" },
      field("Where a motor saturates", saturated),
      optional("Turn acceleration between moves [rad/s²]", "turn_acceleration", "at once"),
      optional("Jerk time of ptp moves [s]", "jerk_time", "none", 10),
      optional("Cycle of the controller [s]", "cycle", "as the robot has it", 1),
      field("The status of a target", status),
    ),
    "right",
  );
}
