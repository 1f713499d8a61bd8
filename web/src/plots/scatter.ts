import { axisColour } from "../core/axis_colours";
import { h } from "../core/dom";
import type { Run } from "../core/run";
import { column } from "../core/series";
import { token } from "../core/theme";
import { figure } from "../core/units";
import type { Envelope } from "../messages";
import { select } from "../page/controls";

const EDGE = { left: 46, right: 10, top: 6, bottom: 24 };
type Box = [number, number, number, number];

/** The torque of a motor over its speed, inside what it can give; a dot shows the time. */
export class Scatter {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { role: "img" });
  private readonly dot = h("div", { class: "scatter-dot" });
  private motor: number;
  private size = { width: 300, height: 150 };
  private box: Box = [0, 1, 0, 1];

  constructor(
    private readonly run: Run,
    motor: number | null,
  ) {
    this.motor = Math.min(motor ?? mostUsed(run), Math.max(0, run.info.envelopes.length - 1));
    const options = run.info.envelopes.map((envelope, i): [string, string] => [String(i), envelope.motor]);
    const choice = select(options, String(this.motor), (value) => {
      this.motor = Number(value);
      this.draw();
    }, { "aria-label": "Motor of the torque-speed plot" });
    this.element = h(
      "figure",
      { class: "plot scatter", "aria-label": "Torque over speed" },
      h("figcaption", {}, h("strong", {}, "Torque over speed"), choice),
      h("div", { class: "plot-holder" }, this.canvas, this.dot),
    );
  }

  resize(width: number, height: number): void {
    this.size = { width, height: Math.max(60, height - 24) };
    this.draw();
  }

  at(t: number): void {
    const [speed] = [this.run.rowAt("motor_speed", t)?.[this.motor]];
    const torque = this.run.rowAt("motor_torque", t)?.[this.motor];
    this.dot.hidden = speed === undefined || torque === undefined;
    if (speed === undefined || torque === undefined) return;
    this.dot.style.transform = `translate(${this.x(speed)}px, ${this.y(torque)}px)`;
  }

  show(): void {
    // All of the run is always shown: the axes are not time.
  }

  destroy(): void {
    this.element.remove();
  }

  private draw(): void {
    const { width, height } = this.size;
    const ratio = window.devicePixelRatio;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    const ctx = this.canvas.getContext("2d")!;
    ctx.scale(ratio, ratio);
    const envelope = this.run.info.envelopes[this.motor] as Envelope | undefined;
    this.canvas.setAttribute("aria-label", `Torque over speed of ${envelope?.motor ?? "the motor"}`);
    const sets = (["_programmed", ""] as const).map((suffix) => this.points(suffix));
    this.box = extent([...sets.flat(), ...(envelope?.points ?? [])]);
    this.drawAxes(ctx);
    if (envelope?.points.length) this.drawEnvelope(ctx, envelope.points);
    this.drawPoints(ctx, sets[0], token("faint"), 1.2);
    this.drawPoints(ctx, sets[1], axisColour(this.motor), 1.6);
  }

  private points(suffix: string): number[][] {
    const width = this.run.info.envelopes.length;
    const speeds = column(this.run.values(`motor_speed${suffix}`), width, this.motor);
    const torques = column(this.run.values(`motor_torque${suffix}`), width, this.motor);
    return speeds.map((speed, i) => [speed, torques[i]]).filter(([a, b]) => Number.isFinite(a) && Number.isFinite(b));
  }

  private x(speed: number): number {
    const [low, high] = this.box;
    return EDGE.left + ((speed - low) / (high - low)) * (this.size.width - EDGE.left - EDGE.right);
  }

  private y(torque: number): number {
    const [, , low, high] = this.box;
    return this.size.height - EDGE.bottom - ((torque - low) / (high - low)) * (this.size.height - EDGE.top - EDGE.bottom);
  }

  private drawAxes(ctx: CanvasRenderingContext2D): void {
    const [left, right, low, high] = this.box;
    ctx.font = `11px ${token("sans")}`;
    ctx.fillStyle = token("muted");
    ctx.strokeStyle = token("plot-grid");
    ctx.lineWidth = 1;
    const line = (x0: number, y0: number, x1: number, y1: number) => {
      ctx.beginPath();
      ctx.moveTo(x0, y0);
      ctx.lineTo(x1, y1);
      ctx.stroke();
    };
    ctx.textAlign = "center";
    for (const speed of ticks(left, right, 5)) {
      line(this.x(speed), this.y(low), this.x(speed), this.y(high));
      ctx.fillText(figure(speed), this.x(speed), this.size.height - 10);
    }
    ctx.textAlign = "right";
    for (const torque of ticks(low, high, 5)) {
      line(this.x(left), this.y(torque), this.x(right), this.y(torque));
      ctx.fillText(figure(torque), EDGE.left - 5, this.y(torque) + 4);
    }
    ctx.textAlign = "right";
    ctx.fillText("rad/s, N m", this.size.width - EDGE.right, EDGE.top + 10);
  }

  private drawEnvelope(ctx: CanvasRenderingContext2D, points: number[][]): void {
    ctx.beginPath();
    points.forEach(([speed, torque], i) => (i ? ctx.lineTo(this.x(speed), this.y(torque)) : ctx.moveTo(this.x(speed), this.y(torque))));
    ctx.closePath();
    ctx.setLineDash([6, 4]);
    ctx.strokeStyle = token("bad");
    ctx.stroke();
    ctx.setLineDash([]);
  }

  private drawPoints(ctx: CanvasRenderingContext2D, points: number[][], colour: string, radius: number): void {
    ctx.fillStyle = colour;
    for (const [speed, torque] of points) ctx.fillRect(this.x(speed) - radius, this.y(torque) - radius, 2 * radius, 2 * radius);
  }
}

function extent(points: number[][]): Box {
  const box: Box = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x, y] of points) {
    box[0] = Math.min(box[0], x);
    box[1] = Math.max(box[1], x);
    box[2] = Math.min(box[2], y);
    box[3] = Math.max(box[3], y);
  }
  if (!Number.isFinite(box[0])) return [-1, 1, -1, 1];
  const room = (low: number, high: number) => Math.max((high - low) * 0.05, 1e-6);
  const [dx, dy] = [room(box[0], box[1]), room(box[2], box[3])];
  return [box[0] - dx, box[1] + dx, box[2] - dy, box[3] + dy];
}

/** Round numbers between two, about `count` of them. */
export function ticks(low: number, high: number, count: number): number[] {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? rough;
  const list: number[] = [];
  for (let value = Math.ceil(low / step) * step; value <= high + 1e-9 * step; value += step) list.push(Math.abs(value) < step * 1e-9 ? 0 : value);
  return list;
}

function mostUsed(run: Run): number {
  const worst = run.info.violations.find((violation) => violation.quantity === "motor_torque" && violation.joint !== null);
  return worst?.joint ? worst.joint - 1 : 0;
}
