import { expect, test } from "vitest";
import { simplified } from "../src/view/simplified";

test("points on a straight line are left out", () => {
  const points = [0, 0, 1, 0, 2, 0.5, 3, 0, 10, 0];
  expect(simplified(points, 2)).toEqual([0, 4]);
});

test("a corner stays, and what comes back is not cut off", () => {
  expect(simplified([0, 0, 10, 0, 10, 10], 2)).toEqual([0, 1, 2]);
  expect(simplified([0, 0, 10, 0, 0, 0], 2)).toEqual([0, 1, 2]);
});

test("no point lies farther than one from the line that is left", () => {
  const circle = Array.from({ length: 400 }, (_, i) => [100 * Math.cos(i / 50), 100 * Math.sin(i / 50)]).flat();
  const kept = simplified(circle, 2);
  expect(kept.length).toBeLessThan(60);
  expect(kept[0]).toBe(0);
  expect(kept.at(-1)).toBe(399);
});

test("few points stay as they are", () => {
  expect(simplified([], 3)).toEqual([]);
  expect(simplified([1, 2, 3], 3)).toEqual([0]);
});
