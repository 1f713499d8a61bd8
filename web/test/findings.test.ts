import { expect, test } from "vitest";
import type { Violation } from "../src/messages";
import { findings, quantityName } from "../src/program/findings";

const violation = (given: Partial<Violation>): Violation => ({
  line: 30, move: 1, joint: 1, time: [0, 1], at: 0.5, quantity: "motor_torque", subject: "motor1", unit: "N m", required: 2, limit: 1, margin: -1, share: 2, text: "", ...given,
});

test("one finding for a move, axis and quantity: the worst stands for all", () => {
  const found = findings([violation({ share: 1.1 }), violation({ share: 1.6, at: 0.7 }), violation({ joint: 2 })]);
  expect(found.map(({ worst, count }) => [worst.joint, worst.share, count])).toEqual([[2, 2, 1], [1, 1.6, 2]]);
});

test("findings stand in the order of the program", () => {
  const lines = findings([violation({ line: 40, move: 9 }), violation({ line: 31, move: 2 })]).map(({ worst }) => worst.line);
  expect(lines).toEqual([31, 40]);
});

test("a quantity without a name of its own is read as words", () => {
  expect(quantityName("tool_speed")).toBe("tool speed");
});
