import { expect, test } from "vitest";
import { inWords, settingsInWords } from "../src/program/planning_note";

test("only what differs from the defaults is told", () => {
  expect(inWords({})).toEqual([]);
  expect(inWords({ status: "ignore", cycle: null })).toEqual([]);
  expect(inWords({ turn_acceleration: 0.5, status: "branch" })).toEqual(["a turn acceleration of 0.5 rad/s²", "the posture that a status chooses"]);
});

test("what the Pose tab has set is told, too", () => {
  expect(settingsInWords({ payload: null, locked: {} })).toEqual([]);
  expect(settingsInWords({ payload: { mass: 5, com: [0, 0, 0.1] }, gravity: [0, 0, -1.62], motors: "exact", friction: false })).toEqual([
    "a payload of 5 kg at (0, 0, 100) mm",
    "gravity (0, 0, −1.62) m/s²",
    "motors exact",
    "friction off",
  ]);
});
