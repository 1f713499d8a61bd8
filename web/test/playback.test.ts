import { expect, test } from "vitest";
import { advance } from "../src/core/playback";

test("the clock stops at the end, or goes round", () => {
  expect(advance(1, 0.5, 2, false)).toEqual({ t: 1.5, ended: false });
  expect(advance(1.8, 0.5, 2, false)).toEqual({ t: 2, ended: true });
  expect(advance(1.8, 0.5, 2, true).t).toBeCloseTo(0.3);
});

test("a run without length ends at once, looped or not", () => {
  expect(advance(0, 0.1, 0, true)).toEqual({ t: 0, ended: true });
});
