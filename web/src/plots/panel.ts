import { axisColour } from "../core/axis_colours";
import { cell, type Cell } from "../core/cell";
import { h, refill } from "../core/dom";
import type { Run } from "../core/run";
import type { Studio } from "../core/studio";
import type { Channel } from "../messages";
import { button, checkbox, toggle } from "../page/controls";
import { icon } from "../page/icons";
import { popup } from "../page/menu";
import { hasLimits, type Measure } from "./measure";
import { Plot } from "./plot";
import { FIRST, FIRST_COUNT, plotsOf } from "./plots_of";
import { Scatter } from "./scatter";
import type { Range } from "./zoom";

const SCATTER = "torque_speed";
const TERMS = "terms";
const LEAST_WIDTH = 200;
const LEAST_HEIGHT = 120;

const has = (run: Run, name: string): boolean =>
  name === SCATTER ? run.info.envelopes.length > 0 && run.has("motor_speed") : run.channels.some((channel) => channel.name === name);

/** The plots of a run under the picture: which, of which axes, in which measure. */
export class PlotPanel {
  readonly element = h("section", { class: "plots", "aria-label": "Plots" });
  private readonly range = cell<Range>(null);
  private readonly shown: Cell<readonly string[]>;
  private readonly axes = cell<readonly number[]>([]);
  private readonly measure = cell<Measure>("share");
  private readonly programmed = cell(true);
  private readonly grid = h("div", { class: "plot-grid" });
  private readonly chooser = h("div", { class: "layers", role: "group", "aria-label": "Which plots" });
  private readonly axisChips = h("div", { class: "axis-chips", role: "group", "aria-label": "Axes" });
  private plots: (Plot | Scatter)[] = [];
  /** What was chosen, whether the run has it or not. */
  private wanted: readonly string[] | null = null;
  /** A plot that is there for a violation, beside those that were chosen. */
  private revealed: string | null = null;

  constructor(private readonly studio: Studio) {
    this.shown = studio.state.plots;
    this.element.append(this.toolbar(), this.grid);
    const { state } = studio;
    state.run.watch((run) => this.take(run));
    for (const source of [this.shown, this.axes, this.measure, this.programmed, state.dark, state.axis]) source.on(() => this.build());
    this.shown.on(() => {
      if (!this.chooser.contains(document.activeElement)) this.fillChooser(); // a box that was ticked keeps the focus
    });
    state.time.on((t) => this.plots.forEach((plot) => plot.at(t)));
    this.range.on((range) => {
      this.plots.forEach((plot) => plot.show(range));
      this.moveCursors();
    });
    new ResizeObserver(() => this.layOut()).observe(this.grid);
  }

  /** Brings the plot of a channel on the page, beside those that were chosen. */
  reveal(channel: string): void {
    const run = this.studio.state.run.get();
    if (run && has(run, channel) && !this.shown.get().includes(channel)) {
      this.shown.set([...this.shown.get().filter((name) => name !== this.revealed), channel]);
      this.revealed = channel;
    }
    this.plots[this.shown.get().indexOf(channel)]?.element.scrollIntoView({ block: "nearest" });
  }

  private take(run: Run | null): void {
    this.element.classList.toggle("no-run", run === null);
    if (!run) {
      refill(this.grid, h("p", { class: "empty" }, "Run a program, or open a recording: its plots stand here."));
      this.plots = [];
      return;
    }
    const n = Math.max(...run.info.channels.map((channel) => channel.series.length));
    this.range.set(null);
    if (this.axes.get().length === 0 || Math.max(...this.axes.get()) >= n || this.axisChips.children.length !== n) this.axes.set(Array.from({ length: n }, (_, i) => i));
    this.studio.state.axis.set(null); // a violation of the run before may have chosen it
    this.revealed = null;
    this.wanted ??= this.shown.get().length ? this.shown.get() : FIRST.slice(0, FIRST_COUNT);
    this.shown.set(plotsOf(this.wanted, (name) => has(run, name)));
    this.fillChooser();
    this.fillChips(run);
    this.build();
  }

  private build(): void {
    const run = this.studio.state.run.get();
    if (!run) return;
    for (const plot of this.plots) plot.destroy();
    this.plots = this.shown
      .get()
      .map((name) => this.plotOf(run, name))
      .filter((plot) => plot !== null);
    refill(this.grid, this.plots.map((plot) => plot.element));
    this.layOut();
  }

  private plotOf(run: Run, name: string): Plot | Scatter | null {
    const emphasis = this.studio.state.axis.get();
    if (!has(run, name)) return null;
    if (name === SCATTER) return new Scatter(run, emphasis);
    const channel = run.channels.find((one) => one.name === name);
    if (!channel) return null;
    const axes = this.axes.get().filter((axis) => axis < channel.series.length);
    const measure = hasLimits(channel, run.info.limits) ? this.measure.get() : "units";
    return new Plot({ run, channel, axes, measure, programmed: this.programmed.get(), emphasis }, this.range, (t) => this.studio.playback.goto(t));
  }

  /** As many columns as are wide enough, rows as high as there is room. */
  private layOut(): void {
    const { clientWidth: width, clientHeight: height } = this.grid;
    const count = this.plots.length;
    if (!count || width < 50 || height < 30) return;
    const columns = Math.max(1, Math.min(count, Math.floor(width / LEAST_WIDTH)));
    const rows = Math.ceil(count / columns);
    this.grid.style.gridTemplateColumns = `repeat(${columns}, 1fr)`;
    const each = Math.max(LEAST_HEIGHT, Math.floor(height / rows) - 4);
    this.plots.forEach((plot) => plot.resize(Math.floor(width / columns) - 14, each));
    this.moveCursors();
  }

  private moveCursors(): void {
    const t = this.studio.state.time.get();
    this.plots.forEach((plot) => plot.at(t));
  }

  private toolbar(): HTMLElement {
    const opener = h("button", { type: "button", class: "button small" }, h("span", {}, "Plots"), icon("chevron"));
    const reset = button("Reset zoom", () => this.range.set(null), { class: "button small" });
    this.range.watch((range) => {
      reset.hidden = range === null;
    });
    return h(
      "div",
      { class: "plot-toolbar", role: "toolbar", "aria-label": "Plots" },
      popup(opener, this.chooser),
      this.axisChips,
      h("span", { class: "spacer" }),
      reset,
      toggle("Programmed", true, (on) => this.programmed.set(on), { title: "Show what the program asks for, dashed" }),
      toggle("% of limit", true, (on) => this.measure.set(on ? "share" : "units"), { title: "Shares of the limits, or units" }),
    );
  }

  private fillChooser(): void {
    const run = this.studio.state.run.get();
    if (!run) return;
    const box = (name: string, label: string) => checkbox(label, this.shown.get().includes(name), (on) => this.choose(name, on));
    const boxes = run.channels.map((channel: Channel) => box(channel.name, channel.label));
    if (has(run, SCATTER)) boxes.push(box(SCATTER, "Torque over speed"));
    const terms = run.channels.some(({ name }) => name.includes("gravity"));
    refill(this.chooser, boxes, terms ? null : button("Terms of the torques", () => void this.loadTerms(run), { class: "button small", "data-kind": TERMS }));
  }

  private choose(name: string, on: boolean): void {
    const changed = (list: readonly string[]) => (on ? [...list.filter((one) => one !== name), name] : list.filter((one) => one !== name));
    this.wanted = changed(this.wanted ?? []);
    if (name === this.revealed) this.revealed = null;
    this.shown.set(changed(this.shown.get()));
  }

  /** Inertia, velocity, gravity, friction, contact: computed when someone wants to see them. */
  private async loadTerms(run: Run): Promise<void> {
    try {
      const { result, blocks } = await this.studio.connection.job("terms", { of: run.task }).answer;
      run.add(result.channels, blocks);
      for (const { name } of result.channels) this.choose(name, true);
      this.fillChooser();
    } catch (error) {
      this.studio.notes.complain(error);
    }
  }

  private fillChips(run: Run): void {
    const { axis } = this.studio.state;
    const n = Math.max(...run.info.channels.map((channel) => channel.series.length));
    const joints = run.info.robot.joints;
    refill(
      this.axisChips,
      Array.from({ length: n }, (_, i) => {
        const name = joints[i]?.name ?? `axis ${i + 1}`;
        const chip = toggle(String(i + 1), this.axes.get().includes(i), (on) => this.chooseAxis(i, on), { class: "chip axis-chip", "aria-label": name, title: `${name}: show or hide; with Shift alone` });
        chip.style.setProperty("--axis", axisColour(i));
        chip.addEventListener("click", (event) => {
          if (event.shiftKey) this.axes.set([i]);
          axis.set(event.shiftKey ? i : null);
          this.fillChips(run);
        });
        return chip;
      }),
    );
  }

  private chooseAxis(index: number, on: boolean): void {
    const others = this.axes.get().filter((one) => one !== index);
    this.axes.set((on ? [...others, index] : others).sort((a, b) => a - b));
  }
}
