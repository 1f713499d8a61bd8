import { expect, test } from "vitest";
import { cell } from "../src/core/cell";
import type { Run } from "../src/core/run";
import type { Document } from "../src/core/state";
import { commandOf, whyNoCommand } from "../src/export/command";

test("a command names the file that the program is in by now", () => {
  expect(commandOf("armdyn verify lola15.lirl --follow velocity", "lola15.lirl", "lola15")).toBe("armdyn verify lola15 --follow velocity");
  expect(commandOf("armdyn verify 'my arm.lirl'", "my arm.lirl", "bob's $& arm.lirl")).toBe(`armdyn verify 'bob'"'"'s $& arm.lirl'`);
});

test("it is said why there is no command", () => {
  const state = (document: Partial<Document>, info: object | null = { command: "armdyn verify x" }, task: object = { do: "verify", text: "a" }) => ({
    run: cell(info && ({ info, task } as Run)),
    document: cell<Document>({ name: "x", path: null, example: null, digest: null, saved: true, ...document }),
  });
  expect(whyNoCommand(state({}, null), "a")).toBe("run first");
  expect(whyNoCommand(state({ path: "x" }, { command: null }), "a")).toBe("none does this");
  expect(whyNoCommand(state({ path: "x" }), "b")).toBe("run again first");
  expect(whyNoCommand(state({}), "a")).toBe("save first");
  expect(whyNoCommand(state({ example: "x", saved: false }), "a")).toBe("save first");
  expect(whyNoCommand(state({ example: "x" }), "a")).toBeNull();
});
