import { expect, test } from "vitest";
import { blend, ROW } from "../src/core/placement";

const half = Math.SQRT1_2;

test("half of a right angle is 45 degrees, whichever sign the quaternion has", () => {
  for (const sign of [1, -1]) {
    const values = [0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, sign * half, sign * half];
    const out = new Float32Array(ROW);
    blend(values, 0, ROW, 0.5, out, 0);
    expect(out[0]).toBeCloseTo(1);
    expect(2 * Math.atan2(out[5], out[6])).toBeCloseTo(Math.PI / 4);
  }
});

test("a blended quaternion has length one", () => {
  const values = [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];
  const out = new Float32Array(ROW);
  blend(values, 0, ROW, 0.3, out, 0);
  expect(Math.hypot(out[3], out[4], out[5], out[6])).toBeCloseTo(1);
});
