import type uPlot from "uplot";
import { axisColour } from "../core/axis_colours";
import { h, refill } from "../core/dom";
import { figure } from "../core/units";
import { placeBeside } from "./beside";
import type { PlotData } from "./measure";
import { type PlotSetting, scalingOf } from "./plot_setting";

/** The values under the pointer, beside it. */
export class PointedValues {
  readonly element = h("div", { class: "plot-values", role: "tooltip", hidden: true });

  constructor(
    private readonly setting: PlotSetting,
    private readonly data: PlotData,
  ) {}

  hide(): void {
    this.element.hidden = true;
  }

  /** Follows the pointer of a plot; hidden where it is elsewhere. */
  tell(plot: uPlot): void {
    const { idx, left } = plot.cursor;
    const here = idx !== null && idx !== undefined && left !== undefined && left !== null && left >= 0 && plot.over.matches(":hover");
    this.element.hidden = !here;
    if (!here) return;
    refill(this.element, h("div", { class: "plot-time" }, `${this.data.times[idx].toFixed(3)} s`), this.setting.axes.map((axis) => this.row(axis, idx)));
    placeBeside(this.element, plot.over, left);
  }

  private row(axis: number, index: number): HTMLElement {
    const of = (programmed: boolean) => this.data.lines.find((line) => line.axis === axis && line.programmed === programmed)?.values[index];
    const asked = of(true);
    const swatch = h("i", {});
    swatch.style.background = axisColour(axis);
    return h(
      "div",
      {},
      swatch,
      h("span", {}, this.setting.channel.series[axis]),
      h("b", {}, `${figure(of(false) ?? asked)} ${scalingOf(this.setting, axis).unit}`),
      asked === undefined ? null : h("small", {}, figure(asked)),
    );
  }
}
