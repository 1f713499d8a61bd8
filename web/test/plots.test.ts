import { expect, test } from "vitest";
import { beside } from "../src/plots/beside";
import { heights, type PlotSetting } from "../src/plots/plot_setting";
import { plotsOf } from "../src/plots/plots_of";
import { zoomedByKey } from "../src/plots/zoom";

test("what is told of a pointer stays in the window", () => {
  expect(beside(100, 150, 1000)).toBe(112);
  expect(beside(900, 150, 1000)).toBe(738);
  expect(beside(100, 150, 240)).toBe(4);
});

test("a run shows what was chosen, filled up where it lacks some", () => {
  const recorded = (name: string) => ["q", "qd", "qdd", "tau"].includes(name);
  expect(plotsOf(["motor_torque", "motor_speed", "qd"], recorded)).toEqual(["qd", "tau", "q"]);
  expect(plotsOf(["qdd"], recorded)).toEqual(["qdd"]);
  expect(plotsOf(["motor_torque"], recorded)).toEqual(["qd"]);
  expect(plotsOf([], () => true)).toEqual(["motor_torque", "motor_speed", "qd"]);
  expect(plotsOf(["q", "qd", "qdd", "tau"], () => true)).toHaveLength(4);
});

test("keys zoom about the time, move what is seen, and show all", () => {
  expect(zoomedByKey("+", null, 3, 9)).toEqual([1, 7]);
  expect(zoomedByKey("-", [1, 7], 3, 9)).toBeNull();
  expect(zoomedByKey("ArrowRight", [1, 6], 3, 6.5)).toEqual([1.5, 6.5]);
  expect(zoomedByKey("ArrowRight", null, 3, 9)).toBeUndefined();
  expect(zoomedByKey("0", [1, 7], 3, 9)).toBeNull();
  expect(zoomedByKey("a", [1, 7], 3, 9)).toBeUndefined();
});

test("what is constant has heights that people read", () => {
  const setting = { axes: [], channel: {}, run: {}, measure: "units", programmed: false, emphasis: null } as unknown as PlotSetting;
  expect(heights(setting, 0, 0)).toEqual([-1, 1]);
  expect(heights(setting, 0, 100)).toEqual([-6, 106]);
});
