import { expect, test } from "vitest";
import { wrongNumber } from "../src/page/field_complaint";
import { beyond } from "../src/pose/joints";
import { elementOf } from "../src/studies/equations";

const typed = { value: "1", badInput: false, min: "", max: "", optional: false };

test("what is no number, or is out of range, is said", () => {
  expect(wrongNumber("Mass", { ...typed, min: "0" })).toBeNull();
  expect(wrongNumber("Mass", { ...typed, value: "-3", min: "0" })).toBe("Mass is −3, expected 0 or more; it is not taken.");
  expect(wrongNumber("Rate", { ...typed, value: "1e6", min: "1", max: "60" })).toBe("Rate is 1e6, expected 1 or more, 60 or less; it is not taken.");
  expect(wrongNumber("Cycle [s]", { ...typed, value: "", badInput: true })).toBe("Cycle: expected a number; what is typed is not taken.");
  expect(wrongNumber("Mass", { ...typed, value: "" })).toContain("expected a number");
  expect(wrongNumber("Cycle", { ...typed, value: "", optional: true })).toBeNull();
});

test("a joint beyond its limits is said in the units of its field", () => {
  const joint = { name: "elbow", kind: "revolute" as const, body: 0, axis: [], at: [], lower: -Math.PI, upper: Math.PI, velocity: null, acceleration: null, effort: null };
  expect(beyond(joint, 1)).toBeNull();
  expect(beyond(joint, Math.PI + 1e-9)).toBeNull();
  expect(beyond(joint, -999 * (Math.PI / 180))).toBe("elbow at −999.0° is beyond its limit of −180.0°.");
  expect(beyond({ ...joint, lower: null, upper: null }, 99)).toBeNull();
  expect(beyond({ ...joint, kind: "prismatic", upper: 0.5 }, 0.6)).toBe("elbow at 600.0 mm is beyond its limit of 500.0 mm.");
});

test("an element is one or two numbers, or all", () => {
  expect(["", "all", "2", "1, 2"].map(elementOf)).toEqual([[], [], [2], [1, 2]]);
  expect(["x;y", "1;2", "0", "1,", "1.5"].map(elementOf)).toEqual([null, null, null, null, null]);
});
