import { h } from "../core/dom";
import type { Studio } from "../core/studio";
import { button, field, numberField } from "../page/controls";
import { openDialog } from "../page/dialog";
import type { View } from "../view/view";
import { handOver } from "./picture";
import { frameTimes, sequence } from "./sequence";

/** Asks how many pictures a second, and makes them all. */
export function askSequence(studio: Studio, view: View, name: string): void {
  const end = studio.state.run.get()?.end ?? 0;
  let going = true;
  const rate = numberField("Pictures a second", () => undefined, { value: 25, min: 1, max: 60, required: true });
  const told = h("output", { class: "hint" });
  const bar = h("progress", { max: 1, value: 0, "aria-label": "Pictures" });
  const make = async () => {
    const zip = await sequence(studio, view.stage, rate.valueAsNumber, (done, total) => {
      bar.value = done / total;
      return going;
    });
    if (zip) handOver(zip, name);
    dialog.close();
  };
  const start = button("Make pictures", () => void make(), { class: "button primary" });
  const count = () => {
    const valid = rate.checkValidity();
    start.disabled = !valid;
    told.textContent = valid ? `${frameTimes(end, rate.valueAsNumber).length} pictures of ${end.toFixed(2)} s.` : "";
  };
  rate.addEventListener("input", count);
  count();
  const dialog = openDialog("Frame sequence", [field("Pictures a second", rate), told, bar, h("div", { class: "dialog-actions" }, start)], { class: "narrow" });
  dialog.addEventListener("close", () => (going = false));
}
