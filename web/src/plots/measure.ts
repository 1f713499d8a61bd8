import type { Run } from "../core/run";
import { column, mergedTimes, readAt, sameTimes } from "../core/series";
import type { Channel, Limits } from "../messages";

/** How values are shown: in their units, or as shares of their limits. */
export type Measure = "units" | "share";

/** Which limits belong to a channel. */
const LIMITS: Record<string, keyof Limits> = {
  q: "position",
  qd: "velocity",
  qdd: "acceleration",
  tau: "effort",
  motor_torque: "motor_torque",
  motor_speed: "motor_speed",
};

/** Units that people read, and the factor to them. */
const SHOWN: Record<string, [string, number]> = {
  rad: ["°", 180 / Math.PI],
  "rad/s": ["°/s", 180 / Math.PI],
  "rad/s2": ["°/s²", 180 / Math.PI],
  "rad/s^2": ["°/s²", 180 / Math.PI],
  "rad/s²": ["°/s²", 180 / Math.PI],
  m: ["mm", 1000],
  "m/s": ["mm/s", 1000],
};

export interface Scaling {
  factor: number;
  offset: number;
  unit: string;
  /** Lower and upper limit as shown; null where there is none. */
  limits: [number | null, number | null];
}

/** Lower and upper limit of one series [SI]. */
export function bounds(channel: Channel, index: number, limits: Limits): [number | null, number | null] {
  const key = LIMITS[channel.name] as keyof Limits | undefined;
  if (!key) return [null, null];
  const limit = limits[key][index] as number[] | number | null | undefined;
  if (limit === null || limit === undefined) return [null, null];
  return typeof limit === "number" ? [-limit, limit] : [limit[0], limit[1]];
}

/** Whether a channel has a limit to be a share of. */
export const hasLimits = (channel: Channel, limits: Limits): boolean =>
  channel.series.some((_, i) => {
    const [lower, upper] = bounds(channel, i, limits);
    return lower !== null && upper !== null;
  });

/** From SI to what is shown: value * factor + offset. */
export function scaling(channel: Channel, index: number, limits: Limits, measure: Measure): Scaling {
  const [lower, upper] = bounds(channel, index, limits);
  if (measure === "share" && lower !== null && upper !== null && upper > lower) {
    const factor = 200 / (upper - lower);
    return { factor, offset: -(factor * (upper + lower)) / 2, unit: "%", limits: [-100, 100] };
  }
  const own = channel.units[index] ?? "";
  const motor = channel.name.startsWith("motor");
  const [unit, factor] = (motor ? undefined : (SHOWN[own] as [string, number] | undefined)) ?? [own, 1];
  const shown = (limit: number | null) => (limit === null ? null : limit * factor);
  return { factor, offset: 0, unit, limits: [shown(lower), shown(upper)] };
}

export interface Line {
  axis: number;
  programmed: boolean;
  values: (number | null)[];
}

export interface PlotData {
  times: number[];
  lines: Line[];
}

/** The lines of a channel for some axes, achieved and programmed over one time axis. */
export function plotData(run: Run, channel: Channel, axes: number[], measure: Measure, withProgrammed: boolean): PlotData {
  const both = withProgrammed && channel.programmed !== null && run.has(channel.programmed);
  const solid = channel.achieved !== null && run.has(channel.achieved) ? channel.achieved : null;
  const same = sameTimes(run.times, run.programmedTimes);
  const times = !both || same ? Array.from(solid ? run.times : run.programmedTimes) : mergedTimes(run.times, run.programmedTimes);
  const width = channel.series.length;
  const lines: Line[] = [];
  for (const axis of axes) {
    const { factor, offset } = scaling(channel, axis, run.info.limits, measure);
    const read = (name: string, own: Float32Array): (number | null)[] => {
      const values = column(run.values(name), width, axis, factor).map((value) => (Number.isFinite(value) ? value + offset : null));
      return own.length === times.length ? values : readAt(own, values as number[], times);
    };
    if (both && channel.programmed) lines.push({ axis, programmed: true, values: read(channel.programmed, run.programmedTimes) });
    if (solid) lines.push({ axis, programmed: false, values: read(solid, run.times) });
  }
  return { times, lines };
}
