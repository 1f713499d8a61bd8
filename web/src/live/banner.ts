import { h, refill } from "../core/dom";
import { iconButton } from "../page/controls";
import { icon } from "../page/icons";
import { alarmLines } from "./alarm_lines";
import type { Watch } from "./watch";

const SHOWN = 4;

const title = (over: boolean, joints: number): string =>
  `${joints === 1 ? "Alarm" : `Alarms of ${joints} joints`}${over ? (joints === 1 ? " is over" : " are over") : ""}`;

/** What is alarming now, or was, until someone has seen it. */
export function alarmBanner(watch: Watch): HTMLElement {
  const element = h("div", { class: "alarm-banner", role: "alert", hidden: true });
  let seen = -1;
  let shown = "";
  const show = () => {
    const { over, events } = alarmLines(watch.events.get(), watch.status.get()?.alarm ?? [], seen);
    const state = events.map(({ number }) => number).join() + (over ? "" : "!");
    if (state === shown) return; // said once: readers of screens would hear it again
    shown = state;
    element.hidden = events.length === 0;
    element.classList.toggle("over", over);
    const dismiss = iconButton("close", "Dismiss alarm", () => {
      seen = watch.events.get().at(-1)?.number ?? seen;
      show();
    });
    const lines = events.slice(0, SHOWN).map(({ text, time }) => h("p", {}, `${text}, at ${time.toFixed(2)} s`));
    const more = events.length > SHOWN ? h("p", {}, `and ${events.length - SHOWN} more`) : null;
    refill(element, icon("warning"), h("div", {}, h("b", {}, title(over, events.length)), lines, more), dismiss);
  };
  watch.events.on(show);
  watch.status.on(show);
  watch.scene.on(() => {
    if (!watch.events.get().length) seen = -1;
    show();
  });
  return element;
}
