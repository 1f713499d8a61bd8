import { expect, test } from "vitest";
import { inWords } from "../src/program/planning_note";

test("only what differs from the defaults is told", () => {
  expect(inWords({})).toEqual([]);
  expect(inWords({ status: "ignore", cycle: null })).toEqual([]);
  expect(inWords({ turn_acceleration: 0.5, status: "branch" })).toEqual(["a turn acceleration of 0.5 rad/s²", "the posture that a status chooses"]);
});
