import { MAGIC } from "../messages";

/** A binary answer: u32 magic, u32 length of the JSON, the JSON, then float32 arrays one after another. */
const HEADER = 8;

/** Numbers in rows: `shape` says how many along each axis. */
export interface Block {
  shape: number[];
  values: Float32Array;
}
export type Blocks = Record<string, Block>;

export interface BinaryAnswer {
  json: Record<string, unknown>;
  blocks: Blocks;
}

interface Listed {
  name: string;
  shape: number[];
}

export function readBinary(buffer: ArrayBuffer): BinaryAnswer {
  const head = new DataView(buffer);
  if (buffer.byteLength < HEADER || head.getUint32(0, true) !== MAGIC) {
    throw new Error("a binary message does not begin as the studio's do");
  }
  const length = head.getUint32(4, true);
  const text = new TextDecoder().decode(new Uint8Array(buffer, HEADER, length));
  const json = JSON.parse(text) as Record<string, unknown>;
  return { json, blocks: readBlocks(buffer, HEADER + length, listed(json)) };
}

function listed(json: Record<string, unknown>): Listed[] {
  const holder = (json.result ?? json) as { arrays?: Listed[] };
  return holder.arrays ?? [];
}

function readBlocks(buffer: ArrayBuffer, start: number, list: Listed[]): Blocks {
  const blocks: Blocks = {};
  let at = start;
  for (const { name, shape } of list) {
    const count = shape.reduce((product, size) => product * size, 1);
    blocks[name] = { shape, values: new Float32Array(buffer, at, count) };
    at += 4 * count;
  }
  return blocks;
}
