import { expect, test, vi } from "vitest";
import { Latest } from "../src/core/latest";
import { missingMeshes } from "../src/core/robots";
import { figure, fixed, shortNames, shownPosition, significant } from "../src/core/units";
import { frameTimes } from "../src/export/sequence";
import { matching } from "../src/page/robot_chooser";
import { zoomed } from "../src/plots/zoom";
import { ticks } from "../src/plots/scatter";
import { csv } from "../src/studies/loads";
import { parseOption, readOptions } from "../src/studies/options";
import { spacing } from "../src/view/floor";
import { utilisationColour } from "../src/view/utilisation";

test("figures have the digits that count", () => {
  expect([0, 1.23456, -12.345, 123456, 0.00001234, Infinity, null, -1e-9].map((value) => figure(value))).toEqual(["0.00", "1.23", "−12.3", "123456", "1.23e-5", "∞", "–", "−1.00e-9"]);
  expect(fixed(-0.001, 1)).toBe("0.0");
});

test("small numbers keep their digits", () => {
  expect([0, 193.4, -0.00157, 0.0198, 12345, 1e-7].map((value) => significant(value))).toEqual(["0", "193", "−0.00157", "0.0198", "12345", "1.00e-7"]);
});

test("names of joints lack what all of them have", () => {
  expect(shortNames(["panda_joint1", "panda_joint2"])).toEqual(["joint1", "joint2"]);
  expect(shortNames(["shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint"])).toEqual(["shoulder_pan", "shoulder_lift", "elbow"]);
  expect(shortNames(["lbr_iiwa_joint_1", "lbr_iiwa_joint_2"])).toEqual(["joint_1", "joint_2"]);
  expect([shortNames(["joint1"]), shortNames([])]).toEqual([["joint1"], []]);
  expect([shownPosition("revolute", Math.PI), shownPosition("prismatic", 0.25)]).toEqual(["180°", "250 mm"]);
});

test("missing meshes are counted and the first are named", () => {
  expect(missingMeshes(["a.stl"])).toContain('1 mesh is not found below the folder, simple bodies are drawn instead: "a.stl".');
  expect(missingMeshes(["a", "b", "c", "d", "e"])).toContain('5 meshes are not found below the folder, simple bodies are drawn instead: "a", "b", "c" and 2 more.');
});

test("of what is asked while an answer is under way, the latest is asked next; slow answers are told of", async () => {
  vi.useFakeTimers();
  const asked: number[] = [];
  const waiting: (() => void)[] = [];
  const slow: boolean[] = [];
  const latest = new Latest<number>((wanted) => {
    asked.push(wanted);
    return new Promise((resolve) => waiting.push(resolve));
  }, (now) => slow.push(now));
  for (const wanted of [1, 2, 3]) latest.want(wanted);
  expect(asked).toEqual([1]);
  waiting[0]();
  await vi.advanceTimersByTimeAsync(100);
  expect([asked, slow]).toEqual([[1, 3], [false]]);
  await vi.advanceTimersByTimeAsync(100);
  waiting[1]();
  await vi.advanceTimersByTimeAsync(0);
  expect(slow).toEqual([false, true, false]);
  vi.useRealTimers();
});

test("pictures of a run include its end", () => {
  expect(frameTimes(0.2, 10)).toEqual([0, 0.1, 0.2]);
  expect(frameTimes(0.24, 10).at(-1)).toBe(0.2);
});

test("a search finds what has every word", () => {
  const list = [{ name: "lola15", text: "six-axis industrial robot" }, { name: "scara", text: "SCARA arm" }];
  expect(matching(list, "six robot").map(({ name }) => name)).toEqual(["lola15"]);
  expect(matching(list, "").length).toBe(2);
});

test("a zoom keeps the time under the pointer, and all of the run is no zoom", () => {
  expect(zoomed([0, 10], 5, 0.5, 10)).toEqual([2.5, 7.5]);
  expect(zoomed([2.5, 7.5], 5, 2, 10)).toBeNull();
  expect(zoomed([4, 4.011], 4, 0.5, 10)).toEqual([4, 4.011]);
});

test("ticks are round numbers within the range", () => {
  expect(ticks(-1.2, 1.1, 4)).toEqual([-1, 0, 1]);
});

test("the floor's lines stand in round steps", () => {
  expect([0.9, 1.5, 6, 20].map(spacing)).toEqual([0.2, 0.5, 1, 5]);
});

test("utilisation is red at the limit and darker beyond", () => {
  expect(utilisationColour(1)[0]).toBeGreaterThan(0.8);
  expect(utilisationColour(0)[2]).toBeGreaterThan(0.7);
  expect(utilisationColour(9)).toEqual(utilisationColour(1.3));
  expect(utilisationColour(NaN)).toHaveLength(3);
});

test("options are numbers, lists, or values for joints", () => {
  expect(parseOption("2")).toBe(2);
  expect(parseOption("1, elbow")).toEqual([1, "elbow"]);
  expect(parseOption("1=0.5, 2=1")).toEqual({ 1: 0.5, 2: 1 });
  expect(parseOption("3=0.1:1.1")).toEqual({ 3: [0.1, 1.1] });
  expect(readOptions({ joints: "2", effort: "", over: "3" })).toEqual({ joints: [2], over: 3 });
});

test("rows with commas are quoted", () => {
  const row = { joint: 1, name: 'a "b", c', quantity: "inertia", load: "none", unit: "kg m2", minimum: 1, maximum: null, q_minimum: null, q_maximum: null, certified: true };
  expect(csv([row]).split("\n")[1]).toBe('1,"a ""b"", c",inertia,none,kg m2,1,,true');
});
