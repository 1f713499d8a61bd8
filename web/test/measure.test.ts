import { expect, test } from "vitest";
import { Run } from "../src/core/run";
import type { Channel, Limits, RunResult } from "../src/messages";
import { bounds, hasLimits, plotData, scaling } from "../src/plots/measure";

const limits: Limits = { position: [[-1, 3], null], velocity: [2, null], acceleration: [], effort: [], motor_torque: [], motor_speed: [] };
const q: Channel = { name: "q", label: "Position", series: ["a", "b"], units: ["rad", "m"], programmed: "q_programmed", achieved: "q" };
const block = (shape: number[], values: number[]) => ({ shape, values: new Float32Array(values) });

function run(): Run {
  const info = { channels: [q], limits, moves: [], phases: [], robot: { payloads: [] } } as unknown as RunResult;
  return new Run({ do: "verify" }, info, {
    time: block([3], [0, 1, 2]),
    time_programmed: block([2], [0, 1]),
    q: block([3, 2], [0, 0, 1, 0.5, 3, 1]),
    q_programmed: block([2, 2], [0, 0, 2, 1]),
  });
}

test("a share is 100 at the limit and -100 at the other", () => {
  const { factor, offset, unit } = scaling(q, 0, limits, "share");
  expect([-1, 1, 3].map((value) => value * factor + offset)).toEqual([-100, 0, 100]);
  expect(unit).toBe("%");
});

test("what has no limit stays in its units", () => {
  expect(scaling(q, 1, limits, "share")).toMatchObject({ factor: 1000, unit: "mm", limits: [null, null] });
  expect(bounds({ ...q, name: "qd" }, 0, limits)).toEqual([-2, 2]);
  expect(hasLimits({ ...q, name: "tau" }, limits)).toBe(false);
});

test("achieved and programmed share one time axis", () => {
  const { times, lines } = plotData(run(), q, [1], "units", true);
  expect(times).toEqual([0, 1, 2]);
  expect(lines.map(({ programmed, values }) => [programmed, values])).toEqual([
    [true, [0, 1000, null]],
    [false, [0, 500, 1000]],
  ]);
});

test("a run knows when it ends and steps from sample to sample", () => {
  const one = run();
  expect(one.end).toBe(2);
  expect(one.step(0.5, 1)).toBe(1);
  expect(one.step(0.5, -1)).toBe(0);
  expect(one.step(1, -1)).toBe(0);
  expect(one.rowAt("q", 1.5)![0]).toBe(2);
});

test("the line at a sample's own time is that sample's, however its time was rounded", () => {
  const times = [0, 4.08, 4.09]; // rounded to float32, 4.09 is larger
  const info = { channels: [], limits, moves: [], phases: [], robot: { payloads: [] } } as unknown as RunResult;
  const shown = new Run({ do: "verify" }, info, { time: block([3], times), line: block([3], [33, 33, 34]) });
  expect(Math.fround(4.09)).toBeGreaterThan(4.09);
  expect([0, 4.085, 4.09].map((t) => shown.lineAt(t))).toEqual([33, 33, 34]);
});
