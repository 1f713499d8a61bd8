import { h, refill } from "../core/dom";
import type { JobSlot } from "../core/job_slot";
import { button } from "./controls";
import { icon } from "./icons";

/** How far a job is, and a button that stops it; nothing where none is under way. */
export function progressRow(slot: JobSlot): HTMLElement {
  const text = h("span", {});
  const bar = h("progress", { max: 1 });
  const element = h("div", { class: "progress-row", role: "status", "aria-label": "Progress" }, text, bar, button("Cancel", () => slot.cancel(), { class: "button small" }));
  slot.work.watch((work) => {
    element.hidden = work === null;
    if (!work) return;
    const { fraction, text: what, queued } = work.progress;
    text.textContent = `${queued ? "waiting" : what || work.title}${fraction === null ? "" : ` ${Math.round(fraction * 100)} %`}`;
    bar.setAttribute("aria-label", work.title);
    if (fraction === null) bar.removeAttribute("value");
    else bar.value = fraction;
  });
  return element;
}

/** Why a job gave nothing; with a way to the line of the program that it names. */
export function failureBanner(slot: JobSlot, goto?: (line: number, column: number) => void): HTMLElement {
  const element = h("div", { class: "banner bad", role: "alert" });
  slot.failure.watch((failure) => {
    element.hidden = failure === null;
    if (!failure) return;
    const { line, column } = failure;
    const way = line !== null && goto ? button(`Go to line ${line}`, () => goto(line, column ?? 1), { class: "button small" }) : null;
    refill(element, icon("warning"), h("div", {}, h("strong", {}, failure.message)), way);
  });
  return element;
}
