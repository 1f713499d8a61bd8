import { Zip, ZipPassThrough } from "fflate";
import type { Studio } from "../core/studio";
import type { Stage } from "../view/stage";
import { picture } from "./picture";

/** The times of the pictures of a run: `rate` a second, the end included. */
export function frameTimes(end: number, rate: number): number[] {
  const count = Math.max(1, Math.round(end * rate));
  return Array.from({ length: count + 1 }, (_, i) => Math.min(end, i / rate));
}

/** All pictures of a run in one zip; PNGs are pressed already, so that the zip only holds them. */
export async function sequence(studio: Studio, stage: Stage, rate: number, told: (done: number, total: number) => boolean): Promise<Blob | null> {
  const run = studio.state.run.get();
  if (!run) return null;
  const parts: BlobPart[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    parts.push(chunk as Uint8Array<ArrayBuffer>);
  });
  const times = frameTimes(run.end, rate);
  for (const [i, t] of times.entries()) {
    if (!told(i, times.length)) return null;
    studio.playback.goto(t);
    const file = new ZipPassThrough(`frame_${String(i).padStart(5, "0")}.png`);
    zip.add(file);
    file.push(new Uint8Array(await (await picture(stage)).arrayBuffer()), true);
  }
  zip.end();
  return new Blob(parts, { type: "application/zip" });
}
