import uPlot from "uplot";
import { axisColour } from "../core/axis_colours";
import type { Cell } from "../core/cell";
import { h, refill } from "../core/dom";
import type { Run } from "../core/run";
import { endOf } from "../core/run";
import { token } from "../core/theme";
import { figure } from "../core/units";
import type { Channel } from "../messages";
import type { Measure } from "./measure";
import { plotData, type PlotData, scaling } from "./measure";

export type Range = [number, number] | null;

export interface PlotSetting {
  run: Run;
  channel: Channel;
  axes: number[];
  measure: Measure;
  programmed: boolean;
  emphasis: number | null;
}

const TITLE_HEIGHT = 24;
const CLICK = 4; // pixels: less is no drag
const WHEEL = 1.15;
const FARTHEST = 200; // per cent of the limit that a plot shows: more would press all else flat

/** One plot over time: lines of a channel, its limits, the moves behind them, and a cursor that costs no drawing. */
export class Plot {
  readonly element: HTMLElement;
  private readonly cursor = h("div", { class: "time-cursor" });
  private readonly values = h("div", { class: "plot-values", role: "tooltip" });
  private readonly holder = h("div", { class: "plot-holder" });
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
    const units = new Set(axes.map((axis) => scaling(channel, axis, run.info.limits, measure).unit));
    const unit = [...units].join(", ");
    this.element = h(
      "figure",
      { class: "plot", "aria-label": channel.label },
      h("figcaption", {}, h("strong", {}, channel.label), h("span", {}, unit === "%" ? `% of limit${this.peak()}` : unit)),
      this.holder,
    );
    this.plot = new uPlot(this.options(), [this.data.times, ...this.data.lines.map((line) => line.values)], this.holder);
    this.plot.over.append(this.cursor, this.values);
    this.listen();
  }

  /** How far values go where the plot does not show it. */
  private peak(): string {
    let most = 0;
    for (const { values } of this.data.lines) for (const value of values) most = Math.max(most, Math.abs(value ?? 0));
    return most > FARTHEST ? `, up to ${Math.round(most)} %` : "";
  }

  /** Moves the time cursor: a transform, no drawing. */
  at(t: number): void {
    this.time = t;
    if (!(this.plot as uPlot | undefined)) return; // it draws while it is made
    const x = this.plot.valToPos(t, "x");
    const seen = x >= -1 && x <= this.plot.over.clientWidth + 1;
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

  private options(): uPlot.Options {
    const { emphasis } = this.setting;
    const muted = token("muted");
    const grid = { stroke: token("plot-grid"), width: 1 };
    const font = `11px ${token("sans")}`;
    return {
      width: 300,
      height: 150,
      padding: [6, 10, 0, 0],
      legend: { show: false },
      cursor: { sync: { key: "studio" }, drag: { x: true, y: false, setScale: false }, points: { show: false }, y: false },
      scales: { x: { time: false, range: () => this.range.get() ?? [0, this.setting.run.end] }, y: { range: (_, min, max) => this.heights(min, max) } },
      axes: [
        { stroke: muted, grid, ticks: { show: false }, font, size: 22, gap: 3, values: (_, values) => values.map(tick) },
        { stroke: muted, grid, ticks: { show: false }, font, size: 42, gap: 4, space: 26, values: (_, values) => values.map(tick) },
      ],
      series: [
        {},
        ...this.data.lines.map(({ axis, programmed }) => {
          const faint = emphasis !== null && emphasis !== axis;
          return {
            stroke: axisColour(axis),
            width: (emphasis === axis ? 2.4 : 1.5) * (programmed ? 0.8 : 1),
            alpha: faint ? 0.18 : programmed ? 0.75 : 1,
            points: { show: false },
            ...(programmed ? { dash: [4, 4] } : {}),
          };
        }),
      ],
      hooks: {
        drawClear: [(plot) => this.drawMoves(plot)],
        draw: [
          (plot) => this.drawLimits(plot),
          () => this.at(this.time), // places are known once it is drawn
        ],
        setSelect: [(plot) => this.select(plot)],
        setCursor: [(plot) => this.tell(plot)],
      },
    };
  }

  /** The limits are seen where values come near them; a plot of shares always shows them. */
  private heights(min: number, max: number): [number, number] {
    let low = Math.min(min ?? 0, max ?? 0);
    let high = Math.max(min ?? 0, max ?? 0);
    if (this.shared()) {
      low = Math.max(-FARTHEST, Math.min(low, -100));
      high = Math.min(FARTHEST, Math.max(high, 100));
    }
    const room = Math.max((high - low) * 0.06, 1e-6);
    return [low - room, high + room];
  }

  private shared(): boolean {
    const { channel, axes, run, measure } = this.setting;
    return axes.length > 0 && axes.every((axis) => scaling(channel, axis, run.info.limits, measure).unit === "%");
  }

  /** Moves that the motors cannot do have a tinted ground; a line where each begins. */
  private drawMoves(plot: uPlot): void {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    const bad = token("bad-soft");
    const edge = token("border");
    for (const move of this.setting.run.info.moves) {
      const from = plot.valToPos(move.begin, "x", true);
      const to = plot.valToPos(endOf(move), "x", true);
      if (!move.feasible) {
        ctx.fillStyle = bad;
        ctx.fillRect(from, bbox.top, to - from, bbox.height);
      }
      ctx.fillStyle = edge;
      ctx.fillRect(Math.round(from), bbox.top, devicePixelRatio, bbox.height);
    }
    ctx.restore();
  }

  private drawLimits(plot: uPlot): void {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.lineWidth = devicePixelRatio;
    for (const [height, colour] of this.limitLines()) {
      const y = plot.valToPos(height, "y", true);
      if (y < bbox.top - 1 || y > bbox.top + bbox.height + 1) continue;
      ctx.strokeStyle = colour;
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
    }
    ctx.restore();
  }

  /** In shares one pair for all; in units those of the emphasised axis, or of all if they are few. */
  private limitLines(): [number, string][] {
    const { channel, axes, run, measure, emphasis } = this.setting;
    const bad = token("bad");
    if (this.shared()) return [[-100, bad], [100, bad]];
    const of = emphasis !== null && axes.includes(emphasis) ? [emphasis] : axes;
    return of.flatMap((axis) =>
      scaling(channel, axis, run.info.limits, measure)
        .limits.filter((limit): limit is number => limit !== null)
        .map((limit): [number, string] => [limit, of.length === 1 ? bad : axisColour(axis)]),
    );
  }

  private select(plot: uPlot): void {
    const { left, width } = plot.select;
    if (width > CLICK) this.range.set([plot.posToVal(left, "x"), plot.posToVal(left + width, "x")]);
    plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
  }

  /** The values under the pointer, beside it. */
  private tell(plot: uPlot): void {
    const { idx, left } = plot.cursor;
    const here = idx !== null && idx !== undefined && left !== undefined && left !== null && left >= 0 && plot.over.matches(":hover");
    this.values.hidden = !here;
    if (!here) return;
    const { channel, axes, run, measure } = this.setting;
    const rows = axes.map((axis) => {
      const unit = scaling(channel, axis, run.info.limits, measure).unit;
      const of = (programmed: boolean) => this.data.lines.find((line) => line.axis === axis && line.programmed === programmed)?.values[idx];
      const swatch = h("i", {});
      swatch.style.background = axisColour(axis);
      const asked = of(true);
      return h("div", {}, swatch, h("span", {}, channel.series[axis]), h("b", {}, `${figure(of(false) ?? asked)} ${unit}`), asked === undefined ? null : h("small", {}, figure(asked)));
    });
    refill(this.values, h("div", { class: "plot-time" }, `${this.data.times[idx].toFixed(3)} s`), rows);
    const width = plot.over.clientWidth;
    const right = left > width / 2;
    this.values.style.left = right ? "auto" : `${left + 12}px`;
    this.values.style.right = right ? `${width - left + 12}px` : "auto";
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
    over.addEventListener("mouseleave", () => (this.values.hidden = true));
    over.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.values.hidden = true;
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const { end } = this.setting.run;
    this.range.set(zoomed(this.range.get() ?? [0, end], this.plot.posToVal(event.offsetX, "x"), event.deltaY > 0 ? WHEEL : 1 / WHEEL, end));
  }
}

/** A number at an axis: no more digits than it has. */
const tick = (value: number): string => String(Number(value.toPrecision(6))).replace("-", "−");

/** A range made wider or narrower about a time, within the run; null is all of it. */
export function zoomed([from, to]: [number, number], about: number, factor: number, end: number): Range {
  const low = Math.max(0, about - (about - from) * factor);
  const high = Math.min(end, about + (to - about) * factor);
  if (high - low >= end * 0.999) return null;
  return high - low < 0.01 ? [from, to] : [low, high];
}
