import type { Run } from "../core/run";
import type { Channel } from "../messages";
import type { Measure } from "./measure";
import { scaling, type Scaling } from "./measure";

/** What a plot shows: a channel of a run, for some axes, in a measure. */
export interface PlotSetting {
  run: Run;
  channel: Channel;
  axes: number[];
  measure: Measure;
  programmed: boolean;
  emphasis: number | null;
}

export const FARTHEST = 200; // per cent of the limit that a plot shows: more would press all else flat

const FLAT = 1e-6; // what varies less is shown as constant

export const scalingOf = ({ channel, run, measure }: PlotSetting, axis: number): Scaling => scaling(channel, axis, run.info.limits, measure);

/** The units of all axes. */
export const unitsOf = (setting: PlotSetting): string => [...new Set(setting.axes.map((axis) => scalingOf(setting, axis).unit))].join(", ");

/** Whether all values are shares of their limits. */
export const isShare = (setting: PlotSetting): boolean => setting.axes.length > 0 && unitsOf(setting) === "%";

/** The heights that are seen: limits where values come near them, always in a plot of shares. */
export function heights(setting: PlotSetting, min: number | null, max: number | null): [number, number] {
  let low = Math.min(min ?? 0, max ?? 0);
  let high = Math.max(min ?? 0, max ?? 0);
  if (isShare(setting)) {
    low = Math.max(-FARTHEST, Math.min(low, -100));
    high = Math.min(FARTHEST, Math.max(high, 100));
  }
  const room = high - low > FLAT ? (high - low) * 0.06 : 1;
  return [low - room, high + room];
}
