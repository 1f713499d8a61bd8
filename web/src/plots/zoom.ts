/** The stretch of time that plots show; null is all of a run. */
export type Range = [number, number] | null;

/** A range made wider or narrower about a time, within the run; null is all of it. */
export function zoomed([from, to]: [number, number], about: number, factor: number, end: number): Range {
  const low = Math.max(0, about - (about - from) * factor);
  const high = Math.min(end, about + (to - about) * factor);
  if (high - low >= end * 0.999) return null;
  return high - low < 0.01 ? [from, to] : [low, high];
}

const STEP = 1.5;
const SHIFT = 0.2; // of what is seen

/** The range that a key leads to about a time; undefined where the key means nothing here. */
export function zoomedByKey(key: string, range: Range, about: number, end: number): Range | undefined {
  const [from, to] = range ?? [0, end];
  const middle = about >= from && about <= to ? about : (from + to) / 2;
  if (key === "+" || key === "=") return zoomed([from, to], middle, 1 / STEP, end);
  if (key === "-") return zoomed([from, to], middle, STEP, end);
  if (key === "0") return null;
  if (range === null || (key !== "ArrowLeft" && key !== "ArrowRight")) return undefined;
  const wanted = (key === "ArrowLeft" ? -SHIFT : SHIFT) * (to - from);
  const shift = Math.max(-from, Math.min(end - to, wanted));
  return [from + shift, to + shift];
}
