import { expect, test } from "vitest";
import { column, indexAt, mergedTimes, placeAt, readAt, rowAt, sameTimes } from "../src/core/series";

const times = [0, 1, 2, 4];

test("the index is that of the last sample not after a time", () => {
  expect([-1, 0, 0.5, 1, 3.9, 4, 9].map((t) => indexAt(times, t))).toEqual([0, 0, 0, 1, 2, 3, 3]);
});

test("a place knows its share of the way to the next sample", () => {
  expect(placeAt(times, 3)).toEqual({ index: 2, next: 3, share: 0.5 });
  expect(placeAt(times, 9)).toEqual({ index: 3, next: 3, share: 0 });
  expect(placeAt(times, -1).share).toBe(0);
});

test("rows are interpolated", () => {
  expect(rowAt([0, 10, 2, 20], 2, { index: 0, next: 1, share: 0.25 })).toEqual([0.5, 12.5]);
});

test("a column can be scaled", () => {
  expect(column([1, 2, 3, 4], 2, 1, 10)).toEqual([20, 40]);
});

test("two time axes merge, every time once", () => {
  expect(mergedTimes([0, 1, 2], [0.5, 1, 3])).toEqual([0, 0.5, 1, 2, 3]);
  expect(mergedTimes([], [1, 1])).toEqual([1]);
});

test("values are read at other times, null outside", () => {
  expect(readAt([1, 2], [10, 20], [0, 1, 1.5, 2, 3])).toEqual([null, 10, 15, 20, null]);
  expect(readAt([], [], [1])).toEqual([null]);
});

test("equal times are told by value", () => {
  expect(sameTimes([0, 1], new Float32Array([0, 1]))).toBe(true);
  expect(sameTimes([0, 1], [0, 2])).toBe(false);
  expect(sameTimes([0], [0, 1])).toBe(false);
});
