import uPlot from "uplot";
import { h, refill } from "../core/dom";
import { token } from "../core/theme";
import { figure, fixed } from "../core/units";
import { placeBeside } from "../plots/beside";

export interface LiveLine {
  label: string;
  colour: string;
  dashed?: boolean;
}

export interface LivePlotSetting {
  title: string;
  unit: string;
  lines: LiveLine[];
  /** Half the height of a band around zero: what is in it is no alarm. */
  band: number | null;
}

const TITLE_HEIGHT = 22;
const LEAST_HEIGHT = 40;
const INTERVALS = 5;

/** A plot whose time runs on: the newest sample is at the right. */
export class LivePlot {
  readonly element: HTMLElement;
  private readonly holder = h("div", { class: "plot-holder" });
  private readonly values = h("div", { class: "plot-values", role: "tooltip", hidden: true });
  private readonly plot: uPlot;
  private range: [number, number] = [0, 1];

  constructor(private readonly setting: LivePlotSetting) {
    const { title, unit, lines } = setting;
    this.element = h("figure", { class: "plot live-plot", "aria-label": title }, h("figcaption", {}, h("strong", { title }, title), h("span", {}, unit)), this.holder);
    this.plot = new uPlot(this.options(), [[], ...lines.map(() => [])] as uPlot.AlignedData, this.holder);
    this.plot.over.append(this.values);
  }

  /** Draws lines from one time to another. */
  draw(range: [number, number], times: number[], columns: (number | null)[][]): void {
    this.range = range;
    this.plot.setData([times, ...columns]);
  }

  resize(width: number, height: number): void {
    this.plot.setSize({ width, height: Math.max(LEAST_HEIGHT, height - TITLE_HEIGHT) });
  }

  destroy(): void {
    this.plot.destroy();
  }

  private options(): uPlot.Options {
    const muted = token("muted");
    const grid = { stroke: token("plot-grid"), width: 1 };
    const font = `11px ${token("sans")}`;
    return {
      width: 200,
      height: 100,
      padding: [4, 8, 0, 0],
      legend: { show: false },
      cursor: { sync: { key: "live" }, drag: { x: false, y: false }, points: { show: false }, y: false },
      scales: { x: { time: false, range: () => this.range }, y: { range: (_, min, max) => this.heights(min, max) } },
      axes: [
        { stroke: muted, grid, ticks: { show: false }, font, size: 20, gap: 2, splits: () => this.instants(), values: (_, values) => values.map((value) => fixed(value - this.range[1], 0)) },
        { stroke: muted, grid, ticks: { show: false }, font, size: 42, gap: 4, space: 22, values: (_, values) => values.map((value) => figure(value, 3)) },
      ],
      series: [{}, ...this.setting.lines.map(({ colour, dashed }) => ({ stroke: colour, width: 1.5, points: { show: false }, ...(dashed ? { dash: [5, 4] } : {}) }))],
      hooks: { drawClear: [(plot) => this.drawBand(plot)], setCursor: [(plot) => this.tell(plot)] },
    };
  }

  /** Whole seconds before now. */
  private instants(): number[] {
    const [from, now] = this.range;
    const step = Math.max(1, (now - from) / INTERVALS);
    return Array.from({ length: Math.floor((now - from) / step) + 1 }, (_, i) => now - i * step).reverse();
  }

  /** The band is always seen: how near it is matters. */
  private heights(min: number | null, max: number | null): [number, number] {
    const band = this.setting.band ?? 0;
    const low = Math.min(min ?? 0, -band);
    const high = Math.max(max ?? 0, band);
    const room = high - low > 1e-6 ? (high - low) * 0.08 : 1;
    return [low - room, high + room];
  }

  private drawBand(plot: uPlot): void {
    const { band } = this.setting;
    if (band === null) return;
    const { ctx, bbox } = plot;
    const top = plot.valToPos(band, "y", true);
    const bottom = plot.valToPos(-band, "y", true);
    ctx.save();
    ctx.fillStyle = token("good-soft");
    ctx.fillRect(bbox.left, top, bbox.width, bottom - top);
    ctx.strokeStyle = token("bad");
    ctx.lineWidth = 1;
    ctx.setLineDash([6, 4]);
    for (const y of [top, bottom]) {
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
    }
    ctx.restore();
  }

  /** What the lines say under the pointer. */
  private tell(plot: uPlot): void {
    const { idx, left } = plot.cursor;
    this.values.hidden = idx === null || idx === undefined || left === undefined || left < 0;
    if (this.values.hidden || idx === null || idx === undefined) return;
    const rows = this.setting.lines.map((line, i) => {
      const value = plot.data[i + 1][idx];
      return h("div", {}, h("i", { style: `background: ${line.colour}` }), line.label, h("b", {}, value === null || value === undefined ? "–" : figure(value, 4)));
    });
    refill(this.values, h("div", { class: "plot-time" }, `${plot.data[0][idx].toFixed(2)} s`), rows);
    placeBeside(this.values, plot.over, left ?? 0);
  }
}
