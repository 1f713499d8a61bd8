import { expect, test } from "vitest";
import type { RunTask } from "../src/core/run";
import type { Runnable } from "../src/program/freshness";
import { outdated } from "../src/program/freshness";

const NOW: Runnable = { text: "a", settings: {}, planning: {}, follow: "position" };
const RAN: RunTask = { do: "verify", text: "a", settings: { payload: null }, planning: { status: "ignore", cycle: null }, follow: "position" };

test("results of the same text and settings are not outdated, however these are written", () => {
  expect(outdated(RAN, NOW)).toBeNull();
  expect(outdated({ do: "retime", text: "a", mode: "optimal" }, NOW)).toBeNull();
});

test("it is said of what outdated results are", () => {
  expect(outdated(RAN, { ...NOW, text: "b" })).toContain("of an earlier text: run again");
  expect(outdated(RAN, { ...NOW, settings: { payload: { mass: 5 } } })).toContain("of other settings: run again");
  expect(outdated(RAN, { ...NOW, planning: { cycle: 0.002 } })).toContain("other settings");
  expect(outdated(RAN, { ...NOW, text: "b", follow: "velocity" })).toContain("of an earlier text and other settings");
});

test("a recording is of no text, but its predictions are of settings", () => {
  const opened: RunTask = { do: "run_file", file: "run.csv", settings: {} };
  expect(outdated(opened, { ...NOW, text: "b" })).toBeNull();
  expect(outdated(opened, { ...NOW, settings: { friction: false } })).toContain("open the file again");
});
