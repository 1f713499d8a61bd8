import { describe, expect, it } from "vitest";
import type { Blocks } from "../src/core/binary";
import { History, QUANTITIES } from "../src/live/history";

/** A batch of samples k, k + 1, ..: joint j of every quantity has k + j / 10. */
function batch(first: number, count: number, joints = 2): { begin: number; blocks: Blocks } {
  const time = Float32Array.from({ length: count }, (_, i) => i / 100);
  const rows = Float32Array.from({ length: count * joints }, (_, i) => first + Math.floor(i / joints) + (i % joints) / 10);
  const blocks: Blocks = { time: { shape: [count], values: time } };
  for (const name of QUANTITIES) blocks[name] = { shape: [count, joints], values: rows };
  return { begin: first / 100, blocks };
}

function filled(history: History, ...batches: [number, number][]): History {
  for (const [first, count] of batches) {
    const { begin, blocks } = batch(first, count);
    history.add(begin, blocks);
  }
  return history;
}

describe("the history of a stream", () => {
  it("keeps the newest and gives up the oldest", () => {
    const history = filled(new History(2, 100), ...Array.from({ length: 50 }, (_, i): [number, number] => [10 * i, 10]));
    expect(history.length).toBe(100);
    expect(history.last).toBeCloseTo(4.99);
    expect(history.timesSince(0)[0]).toBeCloseTo(4.0);
    expect(history.column("q", 1, 4.985)).toEqual([expect.closeTo(499.1, 3)]);
    expect(history.newest("residual")).toEqual([499, expect.closeTo(499.1, 3)]);
  });

  it("takes a batch that is larger than itself", () => {
    const history = filled(new History(2, 10), [0, 35]);
    expect(history.length).toBe(10);
    expect(history.column("q", 0, 0)).toEqual([25, 26, 27, 28, 29, 30, 31, 32, 33, 34]);
  });

  it("breaks lines where nothing is known", () => {
    const history = new History(2, 10);
    const { begin, blocks } = batch(0, 3);
    blocks.measured = { shape: [3, 2], values: Float32Array.from([1, 1, NaN, NaN, 2, -3]) };
    history.add(begin, blocks);
    expect(history.column("measured", 1, 0, 2)).toEqual([2, null, -6]);
    expect(history.largest("measured", 0)).toEqual([2, 3]);
  });

  it("begins anew when time goes back", () => {
    const history = filled(new History(2, 100), [1000, 10], [0, 5]);
    expect(history.length).toBe(5);
    expect(history.last).toBeCloseTo(0.04);
  });

  it("is empty at first", () => {
    const history = new History(2, 10);
    expect(history.last).toBeNull();
    expect(history.newest("q")).toBeNull();
    expect(history.timesSince(0)).toEqual([]);
  });
});
