import { Matrix4, Vector3 } from "three";
import { expect, test } from "vitest";
import { upright } from "../src/view/upright";

test.each([[[0, 0, -9.81]], [[0, -9.81, 0]], [[0, 0, 9.81]], [[1, 2, 3]]])("gravity %j falls to the floor", (gravity) => {
  const matrix = new Matrix4();
  upright(gravity, matrix);
  const fallen = new Vector3().fromArray(gravity).applyMatrix4(matrix).normalize();
  expect(fallen.z).toBeCloseTo(-1);
});

test("without gravity the base's z is up", () => {
  const matrix = new Matrix4();
  upright([0, 0, 0], matrix);
  expect(matrix.equals(new Matrix4())).toBe(true);
});
