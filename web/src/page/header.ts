import { h, refill, svg } from "../core/dom";
import type { Theme } from "../core/state";
import type { Studio } from "../core/studio";
import { iconButton } from "./controls";
import { openHelp } from "./help";
import { icon } from "./icons";
import { robotChooser } from "./robot_chooser";

const THEMES: Theme[] = ["system", "light", "dark"];
const THEME_ICONS: Record<Theme, string> = { system: "system", light: "sun", dark: "moon" };

/** Name, robot, connection, and what concerns all of the page. */
export function header(studio: Studio, exports: HTMLElement): HTMLElement {
  return h(
    "header",
    { class: "header" },
    h("h1", {}, mark(), "armdyn", h("span", {}, "studio")),
    robotChooser(studio),
    connectionStatus(studio),
    h("span", { class: "spacer" }),
    exports,
    themeSwitch(studio),
    iconButton("help", "Help (?)", openHelp, { "aria-label": "Help" }),
  );
}

/** Two links and a tool. */
function mark(): SVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: "mark", "aria-hidden": "true" },
    svg("path", { d: "M5 20V11.500L13.500 5l6 6.500" }),
    svg("circle", { cx: 5, cy: 11.5, r: 2.1 }),
    svg("circle", { cx: 13.5, cy: 5, r: 2.1 }),
    svg("path", { d: "M2 20.500h6" }),
  );
}

function connectionStatus({ connection }: Studio): HTMLElement {
  const text = h("span", {});
  const element = h("div", { class: "connection", role: "status", "aria-label": "Connection" }, h("i", {}), text);
  connection.status.watch((status) => {
    element.dataset.status = status;
    text.textContent = { connecting: "connecting", connected: "connected", lost: "connection lost, trying again" }[status];
  });
  return element;
}

function themeSwitch({ state }: Studio): HTMLElement {
  const element = iconButton("system", "Theme", () => {
    state.theme.set(THEMES[(THEMES.indexOf(state.theme.get()) + 1) % THEMES.length]);
  });
  state.theme.watch((theme) => {
    refill(element, icon(THEME_ICONS[theme]));
    element.title = `Theme: ${theme}`;
    element.setAttribute("aria-label", `Theme: ${theme}`);
  });
  return element;
}
