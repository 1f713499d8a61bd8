import { expect, test } from "vitest";
import { readBinary } from "../src/core/binary";
import { MAGIC } from "../src/messages";

/** A frame as the server writes it. */
function frame(json: unknown, values: number[], magic = MAGIC): ArrayBuffer {
  const text = new TextEncoder().encode(JSON.stringify(json));
  const length = Math.ceil(text.length / 4) * 4;
  const buffer = new ArrayBuffer(8 + length + 4 * values.length);
  const head = new DataView(buffer);
  head.setUint32(0, magic, true);
  head.setUint32(4, length, true);
  new Uint8Array(buffer, 8, length).fill(32);
  new Uint8Array(buffer, 8).set(text);
  new Float32Array(buffer, 8 + length).set(values);
  return buffer;
}

test("arrays stand one after another, with their shapes", () => {
  const json = { id: 7, result: { name: "Łódź", arrays: [{ name: "time", shape: [2] }, { name: "q", shape: [2, 3] }] } };
  const { json: read, blocks } = readBinary(frame(json, [0, 0.5, 1, 2, 3, 4, 5, 6]));
  expect(read).toEqual(json);
  expect([...blocks.time.values]).toEqual([0, 0.5]);
  expect(blocks.q.shape).toEqual([2, 3]);
  expect([...blocks.q.values]).toEqual([1, 2, 3, 4, 5, 6]);
});

test("an event has its arrays too", () => {
  const { blocks } = readBinary(frame({ event: "live", arrays: [{ name: "time", shape: [1] }] }, [3]));
  expect([...blocks.time.values]).toEqual([3]);
});

test("what does not begin as a frame is refused", () => {
  expect(() => readBinary(frame({}, [], 1))).toThrow("does not begin");
  expect(() => readBinary(new ArrayBuffer(4))).toThrow("does not begin");
});
