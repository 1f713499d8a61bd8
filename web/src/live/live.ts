import type { Studio } from "../core/studio";
import { alarmBanner } from "./banner";
import { livePanel } from "./panel";
import { LivePlots } from "./plots";
import { Watch } from "./watch";

/** A running robot on the page: a tab, plots under the picture, a banner over it. */
export interface Live {
  panel: HTMLElement;
  plots: HTMLElement;
  banner: HTMLElement;
}

export function live(studio: Studio, root: HTMLElement): Live {
  const watch = new Watch(studio);
  const plots = new LivePlots(studio, watch);
  const show = () => {
    const shown = studio.state.tab.get() === "live" && watch.scene.get() !== null;
    root.classList.toggle("live", shown);
  };
  studio.state.tab.on(show);
  watch.scene.on(show);
  return { panel: livePanel(studio, watch, () => plots.shown), plots: plots.element, banner: alarmBanner(watch) };
}
