/** The stretch of time that plots show; null is all of a run. */
export type Range = [number, number] | null;

/** A range made wider or narrower about a time, within the run; null is all of it. */
export function zoomed([from, to]: [number, number], about: number, factor: number, end: number): Range {
  const low = Math.max(0, about - (about - from) * factor);
  const high = Math.min(end, about + (to - about) * factor);
  if (high - low >= end * 0.999) return null;
  return high - low < 0.01 ? [from, to] : [low, high];
}
