import type { Blocks } from "../core/binary";

/** What a row of a batch has beside its time, one number for each joint. */
export const QUANTITIES = ["q", "qd", "measured", "predicted", "residual"] as const;
export type Quantity = (typeof QUANTITIES)[number];

/** The last samples of a stream: the newest are kept, the oldest are given up. */
export class History {
  private readonly times: Float64Array;
  private readonly values: Record<Quantity, Float32Array>;
  private begin = 0;
  private end = 0;

  constructor(
    readonly joints: number,
    private readonly capacity: number,
  ) {
    this.times = new Float64Array(2 * capacity);
    this.values = Object.fromEntries(QUANTITIES.map((name) => [name, new Float32Array(2 * capacity * joints)])) as Record<Quantity, Float32Array>;
  }

  get length(): number {
    return this.end - this.begin;
  }

  /** The newest time; null while there is none. */
  get last(): number | null {
    return this.length ? this.times[this.end - 1] : null;
  }

  clear(): void {
    this.begin = this.end = 0;
  }

  /** Takes the rows of a batch, whose times count from `start`; time that goes back begins anew. */
  add(start: number, blocks: Blocks): void {
    const { values: times } = blocks.time;
    if (times.length && this.last !== null && start + times[0] < this.last - 1) this.clear();
    const skipped = Math.max(0, times.length - this.capacity);
    const count = times.length - skipped;
    this.makeRoom(count);
    for (let i = 0; i < count; i += 1) this.times[this.end + i] = start + times[skipped + i];
    for (const name of QUANTITIES) {
      this.values[name].set(blocks[name].values.subarray(skipped * this.joints), this.end * this.joints);
    }
    this.end += count;
    this.begin = Math.max(this.begin, this.end - this.capacity);
  }

  /** The times from one on, for plots. */
  timesSince(from: number): number[] {
    return Array.from(this.times.subarray(this.since(from), this.end));
  }

  /** A quantity of a joint at these times; null where nothing is known: there a line breaks. */
  column(name: Quantity, joint: number, from: number, factor = 1): (number | null)[] {
    const first = this.since(from);
    const values = this.values[name];
    const column = new Array<number | null>(this.end - first);
    for (let i = 0; i < column.length; i += 1) {
      const value = values[(first + i) * this.joints + joint];
      column[i] = Number.isNaN(value) ? null : value * factor;
    }
    return column;
  }

  /** A quantity of all joints in the newest row that has it. */
  newest(name: Quantity): number[] | null {
    for (let i = this.end - 1; i >= this.begin; i -= 1) {
      const row = this.values[name].subarray(i * this.joints, (i + 1) * this.joints);
      if (!Number.isNaN(row[0])) return Array.from(row);
    }
    return null;
  }

  /** The largest sizes of a quantity from a time on, joint by joint. */
  largest(name: Quantity, from: number): number[] {
    const found = new Array<number>(this.joints).fill(0);
    const values = this.values[name];
    for (let i = this.since(from); i < this.end; i += 1) {
      for (let j = 0; j < this.joints; j += 1) found[j] = Math.max(found[j], Math.abs(values[i * this.joints + j]) || 0);
    }
    return found;
  }

  private since(from: number): number {
    let low = this.begin;
    let high = this.end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle] < from) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Moves what is kept to the front when the arrays are full. */
  private makeRoom(count: number): void {
    if (this.end + count <= this.times.length) return;
    this.times.copyWithin(0, this.begin, this.end);
    for (const name of QUANTITIES) this.values[name].copyWithin(0, this.begin * this.joints, this.end * this.joints);
    this.end -= this.begin;
    this.begin = 0;
    if (this.end + count > this.times.length) this.clear(); // more than all room at once
  }
}
