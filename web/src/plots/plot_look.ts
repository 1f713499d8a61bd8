import type uPlot from "uplot";
import { axisColour } from "../core/axis_colours";
import { token } from "../core/theme";
import type { Line } from "./measure";

/** A number at an axis: no more digits than it has. */
const tick = (value: number): string => String(Number(value.toPrecision(6))).replace("-", "−");

/** Both axes of a plot: quiet lines, few words. */
export function plotAxes(): uPlot.Axis[] {
  const look: uPlot.Axis = {
    stroke: token("muted"),
    grid: { stroke: token("plot-grid"), width: 1 },
    ticks: { show: false },
    font: `11px ${token("sans")}`,
    values: (_, values) => values.map(tick),
  };
  return [
    { ...look, size: 22, gap: 3 },
    { ...look, size: 42, gap: 4, space: 18 },
  ];
}

/** A line of a plot: dashed what is programmed, faint beside the axis that is looked at. */
export function lineLook({ axis, programmed }: Line, emphasis: number | null): uPlot.Series {
  const faint = emphasis !== null && emphasis !== axis;
  return {
    stroke: axisColour(axis),
    width: (emphasis === axis ? 2.4 : 1.5) * (programmed ? 0.8 : 1),
    alpha: faint ? 0.18 : programmed ? 0.75 : 1,
    points: { show: false },
    ...(programmed ? { dash: [4, 4] } : {}),
  };
}
