/** Places and values along a rising time axis. */
type Numbers = ArrayLike<number>;

/** The last index whose time is not after `t`; 0 before the first. */
export function indexAt(times: Numbers, t: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

export interface Place {
  index: number;
  next: number;
  share: number;
}

/** Where `t` lies between two samples: `share` 0 at `index`, 1 at `next`. */
export function placeAt(times: Numbers, t: number): Place {
  const index = indexAt(times, t);
  const next = Math.min(index + 1, times.length - 1);
  const width = times[next] - times[index];
  const share = width > 0 ? Math.min(1, Math.max(0, (t - times[index]) / width)) : 0;
  return { index, next, share };
}

/** Row of a (t, width) array at a time, interpolated. */
export function rowAt(values: Numbers, width: number, place: Place): number[] {
  const row: number[] = [];
  for (let i = 0; i < width; i += 1) {
    const a = values[place.index * width + i];
    const b = values[place.next * width + i];
    row.push(a + (b - a) * place.share);
  }
  return row;
}

/** Column of a (t, width) array. */
export function column(values: Numbers, width: number, index: number, factor = 1): number[] {
  const result = new Array<number>(Math.floor(values.length / width));
  for (let i = 0; i < result.length; i += 1) result[i] = values[i * width + index] * factor;
  return result;
}

/** Two rising time axes as one, every time once. */
export function mergedTimes(a: Numbers, b: Numbers): number[] {
  const merged: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const t = j >= b.length || (i < a.length && a[i] <= b[j]) ? a[i] : b[j];
    while (i < a.length && a[i] <= t) i += 1;
    while (j < b.length && b[j] <= t) j += 1;
    merged.push(t);
  }
  return merged;
}

export function sameTimes(a: Numbers, b: Numbers): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false;
  return true;
}

/** Values of one time axis read at the times of another; null outside. */
export function readAt(times: Numbers, values: Numbers, wanted: Numbers): (number | null)[] {
  const last = times[times.length - 1];
  const result: (number | null)[] = [];
  let i = 0;
  for (const t of Array.from(wanted)) {
    if (times.length === 0 || t < times[0] || t > last) {
      result.push(null);
      continue;
    }
    while (i + 1 < times.length && times[i + 1] <= t) i += 1;
    const next = Math.min(i + 1, times.length - 1);
    const width = times[next] - times[i];
    result.push(width > 0 ? values[i] + ((values[next] - values[i]) * (t - times[i])) / width : values[i]);
  }
  return result;
}
