import { expect, test } from "vitest";
import { cell } from "../src/core/cell";
import { advance, Playback } from "../src/core/playback";
import { Run } from "../src/core/run";
import type { State } from "../src/core/state";
import type { RunResult } from "../src/messages";

test("the clock stops at the end, or goes round", () => {
  expect(advance(1, 0.5, 2, false)).toEqual({ t: 1.5, ended: false });
  expect(advance(1.8, 0.5, 2, false)).toEqual({ t: 2, ended: true });
  expect(advance(1.8, 0.5, 2, true).t).toBeCloseTo(0.3);
});

test("a run without length ends at once, looped or not", () => {
  expect(advance(0, 0.1, 0, true)).toEqual({ t: 0, ended: true });
});

test("a step to a move goes to its first sample, not to the last of the move before", () => {
  const info = { channels: [], moves: [{ begin: 0 }, { begin: 0.013 }, { begin: 0.03 }] } as unknown as RunResult;
  const times = { shape: [5], values: Float32Array.from([0, 0.01, 0.02, 0.03, 0.04]) };
  const state = { run: cell(new Run({ do: "verify" }, info, { time: times })), time: cell(0), playing: cell(false) } as unknown as State;
  const playback = new Playback(state);
  const stepped = (direction: 1 | -1) => {
    playback.stepMove(direction);
    return Number(state.time.get().toFixed(4));
  };
  expect([stepped(1), stepped(1), stepped(1), stepped(-1), stepped(-1), stepped(-1)]).toEqual([0.02, 0.03, 0.04, 0.03, 0.02, 0]);
});
