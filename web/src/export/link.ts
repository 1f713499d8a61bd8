import { strFromU8, strToU8, unzlibSync, zlibSync } from "fflate";
import type { Document, Layer, Projection, Tab } from "../core/state";
import type { Planning, Settings } from "../messages";
import type { CameraPlace } from "../view/cameras";

/** What a link reopens. */
export interface SavedView {
  robot: string | null;
  settings: Settings;
  planning?: Planning;
  tab: Tab;
  layers: Layer[];
  projection: Projection;
  camera: CameraPlace | null;
  q: number[] | null;
  time: number | null;
  program: ({ name: string; text: string } & Partial<Document>) | null;
  ran: boolean;
  /** The file of a run or recording that is shown. */
  recording?: string | null;
  plots?: readonly string[];
  axis?: number | null;
  line?: number | null;
}

/** The part of an address behind `#` that holds a view: JSON, pressed, in letters that addresses allow. */
export function writeView(view: SavedView): string {
  const bytes = zlibSync(strToU8(JSON.stringify(view)), { level: 9 });
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return `#view=${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** The view of an address; null where it holds none, or one that cannot be read. */
export function readView(hash: string): SavedView | null {
  const coded = /^#view=([\w-]+)$/.exec(hash)?.[1];
  if (!coded) return null;
  try {
    const text = atob(coded.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    return JSON.parse(strFromU8(unzlibSync(bytes))) as SavedView;
  } catch {
    return null; // a link that was cut short opens the studio as without it
  }
}
