import { axisColour } from "../core/axis_colours";
import { cell } from "../core/cell";
import { h, refill } from "../core/dom";
import type { Studio } from "../core/studio";
import { token } from "../core/theme";
import { select, toggle } from "../page/controls";
import { LivePlot } from "./plot";
import type { Watch } from "./watch";

const WINDOWS: [string, string][] = [["5", "5 s"], ["10", "10 s"], ["30", "30 s"], ["60", "60 s"]];
const FIRST_WINDOW = 10;
const LEAST_WIDTH = 210;
const LEAST_HEIGHT = 92;
const EVERY = 2; // pictures of the screen for one drawing of all plots

const key = (label: string, dashed = false) => h("span", { class: dashed ? "key dashed" : "key" }, label);

/** Measured beside predicted torque of every axis, and the residuals of all. */
export class LivePlots {
  readonly element = h("section", { class: "plots live-plots", "aria-label": "Live plots" });
  private readonly seconds = cell(FIRST_WINDOW);
  private readonly frozen = cell(false);
  private readonly axes = cell<readonly number[]>([]);
  private readonly chips = h("div", { class: "axis-chips", role: "group", "aria-label": "Axes of live plots" });
  private readonly grid = h("div", { class: "plot-grid" });
  private torques: { axis: number; plot: LivePlot }[] = [];
  private residuals: LivePlot | null = null;
  private drawn = -1;
  private pictures = 0;

  constructor(
    private readonly studio: Studio,
    private readonly watch: Watch,
  ) {
    this.element.append(this.toolbar(), this.grid);
    watch.scene.watch((scene) => {
      const n = scene?.joints.length ?? 0;
      if (this.chips.children.length !== n) this.axes.set(Array.from({ length: n }, (_, i) => i));
      this.fillChips();
      this.build();
    });
    for (const source of [this.axes, studio.state.dark]) source.on(() => this.build());
    this.seconds.on(() => {
      this.drawn = -1;
    });
    new ResizeObserver(() => this.layOut()).observe(this.grid);
    requestAnimationFrame(this.picture);
  }

  /** Seconds that are shown, and whether they stand still. */
  get shown(): number {
    return this.seconds.get();
  }

  private toolbar(): HTMLElement {
    const length = select(WINDOWS, String(FIRST_WINDOW), (value) => this.seconds.set(Number(value)), { "aria-label": "Seconds shown", class: "small" });
    const freeze = toggle("Freeze", false, (on) => this.frozen.set(on), { title: "Hold the plots still; samples go on coming" });
    this.frozen.on((on) => {
      freeze.setAttribute("aria-pressed", String(on));
      this.drawn = -1;
    });
    return h("div", { class: "plot-toolbar", role: "toolbar", "aria-label": "Live plots" }, this.chips, key("measured"), key("predicted", true), h("span", { class: "spacer" }), freeze, length);
  }

  private fillChips(): void {
    const joints = this.watch.scene.get()?.joints ?? [];
    refill(
      this.chips,
      joints.map((name, i) => {
        const chip = toggle(String(i + 1), this.axes.get().includes(i), (on) => this.choose(i, on), { class: "chip axis-chip", "aria-label": name, title: `${name}: show or hide` });
        chip.style.setProperty("--axis", axisColour(i));
        return chip;
      }),
    );
  }

  private choose(axis: number, on: boolean): void {
    const others = this.axes.get().filter((one) => one !== axis);
    this.axes.set((on ? [...others, axis] : others).sort((a, b) => a - b));
  }

  private build(): void {
    const scene = this.watch.scene.get();
    for (const { plot } of this.torques) plot.destroy();
    this.residuals?.destroy();
    this.torques = [];
    this.residuals = null;
    this.drawn = -1;
    if (!scene) {
      refill(this.grid, h("p", { class: "empty" }, "No robot sends telemetry yet: its torques stand here."));
      return;
    }
    const axes = this.axes.get();
    this.torques = axes.map((axis) => ({ axis, plot: this.torquePlot(axis, scene.joints[axis], scene.units[axis]) }));
    this.residuals = new LivePlot({
      title: "Residual",
      unit: "% of threshold",
      lines: axes.map((axis) => ({ label: scene.joints[axis], colour: axisColour(axis) })),
      band: 100,
    });
    refill(this.grid, this.residuals.element, this.torques.map(({ plot }) => plot.element));
    this.layOut();
  }

  private torquePlot(axis: number, joint: string, unit: string): LivePlot {
    const lines = [
      { label: "measured", colour: axisColour(axis) },
      { label: "predicted", colour: token("text"), dashed: true },
    ];
    return new LivePlot({ title: joint, unit, lines, band: null });
  }

  /** As many columns as are wide enough; the residuals take the place of one. */
  private layOut(): void {
    const { clientWidth: width, clientHeight: height } = this.grid;
    const count = this.torques.length + 1;
    if (!this.residuals || width < 50 || height < 30) return;
    const columns = Math.max(1, Math.min(count, Math.floor(width / LEAST_WIDTH)));
    const rows = Math.ceil(count / columns);
    this.grid.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
    const each = Math.max(LEAST_HEIGHT, Math.floor(height / rows) - 4);
    for (const plot of [this.residuals, ...this.torques.map(({ plot: one }) => one)]) plot.resize(Math.floor(width / columns) - 14, each);
    this.drawn = -1;
  }

  private readonly picture = (): void => {
    requestAnimationFrame(this.picture);
    this.pictures += 1;
    if (this.pictures % EVERY || this.studio.state.tab.get() !== "live" || (this.frozen.get() && this.drawn >= 0)) return;
    const news = this.watch.news.get();
    if (news === this.drawn) return;
    this.drawn = news;
    this.draw();
  };

  private draw(): void {
    const { history } = this.watch;
    const { last } = history;
    if (last === null || !this.residuals || history.joints !== this.watch.scene.get()?.joints.length) return;
    const from = last - this.seconds.get();
    const times = history.timesSince(from);
    const limits = this.watch.threshold.get()?.limits ?? [];
    for (const { axis, plot } of this.torques) {
      plot.draw([from, last], times, [history.column("measured", axis, from), history.column("predicted", axis, from)]);
    }
    const shares = this.axes.get().map((axis) => {
      const limit = limits[axis];
      return limit === null || limit === undefined ? times.map(() => null) : history.column("residual", axis, from, 100 / limit);
    });
    this.residuals.draw([from, last], times, shares);
  }
}
