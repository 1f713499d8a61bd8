import { isTyping } from "../core/dom";
import { SPEEDS } from "../core/playback";
import type { Theme } from "../core/state";
import type { Studio } from "../core/studio";
import type { View } from "../view/view";
import { openHelp } from "./help";

/** Keys of the page; those typed into a field are its own. */
export function listenToKeys(studio: Studio, view: View): void {
  const actions = keyActions(studio, view);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (isTyping(event) || ownsKey(event)) return;
    const key = event.shiftKey && event.key.startsWith("Arrow") ? `Shift ${event.key}` : event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = actions[key] as (() => void) | undefined;
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** Space presses the button, arrows walk the tabs that have the focus. */
function ownsKey(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return false;
  if (event.key === " ") return target.matches("button, a, input, summary");
  return event.key.startsWith("Arrow") && target.matches('[role="tab"], [role="menuitem"], [role="separator"], [role="radio"]');
}

function keyActions({ state, playback }: Studio, view: View): Record<string, () => void> {
  const speed = (by: 1 | -1) => {
    const at = SPEEDS.indexOf(state.speed.get());
    state.speed.set(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + by))]);
  };
  const look = (name: "front" | "side" | "top" | "iso") => () => view.stage.cameras.look(name, view.extent());
  const themes: Theme[] = ["system", "light", "dark"];
  return {
    " ": () => playback.toggle(),
    ArrowLeft: () => playback.step(-1),
    ArrowRight: () => playback.step(1),
    "Shift ArrowLeft": () => playback.stepMove(-1),
    "Shift ArrowRight": () => playback.stepMove(1),
    Home: () => playback.goto(0),
    End: () => playback.goto(Infinity),
    l: () => state.loop.set(!state.loop.get()),
    ",": () => speed(-1),
    ".": () => speed(1),
    "1": look("front"),
    "2": look("side"),
    "3": look("top"),
    "4": look("iso"),
    "5": () => state.projection.set(state.projection.get() === "perspective" ? "orthographic" : "perspective"),
    f: () => view.fit(),
    p: () => state.tab.set("program"),
    o: () => state.tab.set("pose"),
    u: () => state.tab.set("studies"),
    i: () => state.tab.set("live"),
    t: () => state.theme.set(themes[(themes.indexOf(state.theme.get()) + 1) % themes.length]),
    "?": openHelp,
  };
}
