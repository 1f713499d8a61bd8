import uPlot from "uplot";
import type { Cell } from "../core/cell";
import { h } from "../core/dom";
import { drawLimits, drawMoves } from "./ground";
import { plotData, type PlotData } from "./measure";
import { lineLook, plotAxes } from "./plot_look";
import { FARTHEST, heights, type PlotSetting, unitsOf } from "./plot_setting";
import { PointedValues } from "./pointed_values";
import { type Range, zoomed, zoomedByKey } from "./zoom";

const TITLE_HEIGHT = 24;
const CLICK = 4; // pixels: less is no drag
const WHEEL = 1.15;

/** One plot over time: lines of a channel, its limits, the moves behind them, and a cursor that costs no drawing. */
export class Plot {
  readonly element: HTMLElement;
  private readonly cursor = h("div", { class: "time-cursor" });
  private readonly values: PointedValues;
  private readonly plot: uPlot;
  private readonly data: PlotData;
  private time = 0;

  constructor(
    private readonly setting: PlotSetting,
    private readonly range: Cell<Range>,
    private readonly pick: (t: number) => void,
  ) {
    const { channel, axes, run, measure } = setting;
    this.data = plotData(run, channel, axes, measure, setting.programmed);
    this.values = new PointedValues(setting, this.data);
    const unit = unitsOf(setting);
    const holder = h("div", { class: "plot-holder" });
    this.element = h(
      "figure",
      { class: "plot", tabindex: 0, "aria-label": channel.label, "aria-keyshortcuts": "+ - 0 ArrowLeft ArrowRight" },
      h("figcaption", {}, h("strong", {}, channel.label), h("span", {}, unit === "%" ? `% of limit${this.peak()}` : unit)),
      holder,
    );
    this.plot = new uPlot(this.options(), [this.data.times, ...this.data.lines.map((line) => line.values)], holder);
    this.plot.over.append(this.cursor, this.values.element);
    this.listen();
  }

  /** Moves the time cursor: a transform, no drawing and no measuring of the page. */
  at(t: number): void {
    this.time = t;
    if (!(this.plot as uPlot | undefined)) return; // it draws while it is made
    const x = this.plot.valToPos(t, "x");
    const seen = x >= -1 && x <= this.plot.bbox.width / devicePixelRatio + 1;
    this.cursor.hidden = !seen;
    if (seen) this.cursor.style.transform = `translateX(${x}px)`;
  }

  resize(width: number, height: number): void {
    this.plot.setSize({ width, height: Math.max(60, height - TITLE_HEIGHT) });
  }

  show(range: Range): void {
    const [min, max] = range ?? [0, this.setting.run.end];
    this.plot.setScale("x", { min, max });
  }

  destroy(): void {
    this.plot.destroy();
  }

  /** How far values go where the plot does not show it. */
  private peak(): string {
    let most = 0;
    for (const { values } of this.data.lines) for (const value of values) most = Math.max(most, Math.abs(value ?? 0));
    return most > FARTHEST ? `, up to ${Math.round(most)} %` : "";
  }

  private options(): uPlot.Options {
    const { setting } = this;
    return {
      width: 300,
      height: 150,
      padding: [6, 10, 0, 0],
      legend: { show: false },
      cursor: { sync: { key: "studio" }, drag: { x: true, y: false, setScale: false }, points: { show: false }, y: false },
      scales: { x: { time: false, range: () => this.range.get() ?? [0, setting.run.end] }, y: { range: (_, min, max) => heights(setting, min, max) } },
      axes: plotAxes(),
      series: [{}, ...this.data.lines.map((line) => lineLook(line, setting.emphasis))],
      hooks: {
        drawClear: [(plot) => drawMoves(setting, plot)],
        draw: [
          (plot) => drawLimits(setting, plot),
          () => this.at(this.time), // places are known once it is drawn
        ],
        setSelect: [(plot) => this.select(plot)],
        setCursor: [(plot) => this.values.tell(plot)],
      },
    };
  }

  private select(plot: uPlot): void {
    const { left, width } = plot.select;
    if (width > CLICK) this.range.set([plot.posToVal(left, "x"), plot.posToVal(left + width, "x")]);
    plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
  }

  private listen(): void {
    const { over } = this.plot;
    let down = 0;
    over.addEventListener("pointerdown", (event) => {
      down = event.clientX;
    });
    over.addEventListener("click", (event) => {
      if (Math.abs(event.clientX - down) < CLICK) this.pick(this.plot.posToVal(event.offsetX, "x"));
    });
    over.addEventListener("dblclick", () => this.range.set(null));
    over.addEventListener("mouseleave", () => this.values.hide());
    this.element.addEventListener("keydown", (event) => this.key(event));
    over.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  private key(event: KeyboardEvent): void {
    const wanted = zoomedByKey(event.key, this.range.get(), this.time, this.setting.run.end);
    if (wanted === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.range.set(wanted);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const { end } = this.setting.run;
    this.range.set(zoomed(this.range.get() ?? [0, end], this.plot.posToVal(event.offsetX, "x"), event.deltaY > 0 ? WHEEL : 1 / WHEEL, end));
  }
}
