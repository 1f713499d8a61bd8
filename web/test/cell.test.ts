import { expect, test } from "vitest";
import { cell } from "../src/core/cell";

test("a cell tells changes, and only changes", () => {
  const heard: number[] = [];
  const number = cell(1);
  number.on((value) => heard.push(value));
  number.set(1);
  number.set(2);
  expect(heard).toEqual([2]);
});

test("who watches hears the value at once, and nothing after stopping", () => {
  const heard: string[] = [];
  const word = cell("a");
  const stop = word.watch((value) => heard.push(value));
  stop();
  word.set("b");
  expect(heard).toEqual(["a"]);
});

test("a listener may stop another while both are told", () => {
  const number = cell(0);
  const heard: string[] = [];
  const stops: (() => void)[] = [];
  number.on(() => {
    heard.push("first");
    stops[0]();
  });
  stops.push(number.on(() => heard.push("second")));
  number.set(1);
  number.set(2);
  expect(heard).toEqual(["first", "second", "first"]);
});
