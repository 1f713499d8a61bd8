import { h, refresh } from "../core/dom";
import type { Studio } from "../core/studio";
import { button, section } from "../page/controls";
import { jointControls } from "./joints";
import { massMatrix } from "./mass_matrix";
import { settingControls } from "./settings";
import { toolControls } from "./tool";
import { torqueBars } from "./torques";

/** The tab of one state: joints, tool, what holds it, and what it is made of. */
export function posePanel(studio: Studio): HTMLElement {
  return h(
    "div",
    { class: "panel scroll pose-panel" },
    section("Joints", jointControls(studio), warnings(studio)),
    section("Torques to hold still", torqueBars(studio.state)),
    section("Tool", toolControls(studio)),
    section("Payload, gravity, motors", settingControls(studio)),
    section("Mass matrix", massMatrix(studio.state)),
    section("Copy this state", copies(studio)),
  );
}

function warnings({ state }: Studio): HTMLElement {
  const element = h("ul", { class: "warnings", "aria-label": "Warnings" });
  state.snapshot.watch((snapshot) => {
    const list = (snapshot?.warnings ?? []).filter((text) => !/: position .* is outside/.test(text)); // each joint's row says it
    element.hidden = list.length === 0;
    refresh(element, list.map((text) => h("li", {}, text)));
  });
  return element;
}

function copies(studio: Studio): HTMLElement {
  const copy = (kind: "python" | "shell", label: string) => button(label, () => void copyState(studio, kind), { class: "button small" }, "copy");
  return h("div", { class: "actions" }, copy("python", "Copy as Python"), copy("shell", "Copy as command line"));
}

async function copyState({ state, connection, notes }: Studio, kind: "python" | "shell"): Promise<void> {
  const robot = state.robot.get();
  const posture = state.posture.get();
  if (!robot || !posture) return;
  try {
    const { commands } = await connection.ask("state", { robot: robot.robot, q: posture.q, want: ["commands"], settings: state.settings.get() });
    await navigator.clipboard.writeText(commands?.[kind] ?? "");
    notes.say("Copied.", "good");
  } catch (error) {
    notes.complain(error);
  }
}
