import { h, refill } from "../core/dom";
import { iconButton } from "../page/controls";
import { icon } from "../page/icons";
import type { Watch } from "./watch";

/** What is alarming now, or was, until someone has seen it. */
export function alarmBanner(watch: Watch): HTMLElement {
  const element = h("div", { class: "alarm-banner", role: "alert", hidden: true });
  let seen = -1;
  let shown = "";
  const show = () => {
    const active = watch.status.get()?.alarm ?? [];
    const raised = watch.events.get().filter(({ kind, number }) => kind === "alarm" && number > seen);
    const now = raised.filter(({ joint }) => joint !== null && active[joint]);
    const list = now.length ? now : raised.slice(-1);
    const state = list.map(({ number }) => number).join() + (now.length ? "!" : "");
    if (state === shown) return; // said once: readers of screens would hear it again
    shown = state;
    element.hidden = list.length === 0;
    element.classList.toggle("over", now.length === 0);
    const dismiss = iconButton("close", "Dismiss alarm", () => {
      seen = watch.events.get().at(-1)?.number ?? seen;
      show();
    });
    const lines = list.map(({ text, time }) => h("p", {}, h("b", {}, now.length ? "Alarm " : "Alarm is over: "), `${text}, at ${time.toFixed(2)} s`));
    refill(element, icon("warning"), h("div", {}, lines.slice(-4)), dismiss);
  };
  watch.events.on(show);
  watch.status.on(show);
  watch.scene.on(() => {
    if (!watch.events.get().length) seen = -1;
    show();
  });
  return element;
}
