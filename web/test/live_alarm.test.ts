import { expect, test } from "vitest";
import { alarmLines } from "../src/live/alarm_lines";
import type { LiveEvent } from "../src/messages";

const event = (number: number, kind: LiveEvent["kind"], joint: number): LiveEvent => ({ number, kind, joint, time: number, text: `${kind} of ${joint}` });
const texts = (found: { events: LiveEvent[] }) => found.events.map(({ text }) => text);
const EVENTS = [event(0, "alarm", 2), event(1, "alarm", 3), event(2, "over", 2), event(3, "over", 3)];

test("while joints alarm these are named", () => {
  const found = alarmLines(EVENTS.slice(0, 3), [false, false, false, true], -1);
  expect([found.over, texts(found)]).toEqual([false, ["alarm of 3"]]);
});

test("what is over tells of every joint how far it went", () => {
  const found = alarmLines(EVENTS, [false, false, false, false], -1);
  expect([found.over, texts(found)]).toEqual([true, ["over of 2", "over of 3"]]);
  expect(alarmLines(EVENTS, [], 3).events).toEqual([]);
});
