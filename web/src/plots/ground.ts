import type uPlot from "uplot";
import { axisColour } from "../core/axis_colours";
import { endOf } from "../core/run";
import { token } from "../core/theme";
import { isShare, type PlotSetting, scalingOf } from "./plot_setting";

/** Moves that the motors cannot do have a tinted ground; a line where each begins. */
export function drawMoves({ run }: PlotSetting, plot: uPlot): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  const bad = token("bad-soft");
  const edge = token("border");
  for (const move of run.info.moves) {
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

/** Limits as dashed lines from edge to edge. */
export function drawLimits(setting: PlotSetting, plot: uPlot): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.lineWidth = devicePixelRatio;
  for (const [height, colour] of limitLines(setting)) {
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
function limitLines(setting: PlotSetting): [number, string][] {
  const { axes, emphasis } = setting;
  const bad = token("bad");
  if (isShare(setting)) return [[-100, bad], [100, bad]];
  const of = emphasis !== null && axes.includes(emphasis) ? [emphasis] : axes;
  return of.flatMap((axis) =>
    scalingOf(setting, axis)
      .limits.filter((limit): limit is number => limit !== null)
      .map((limit): [number, string] => [limit, of.length === 1 ? bad : axisColour(axis)]),
  );
}
