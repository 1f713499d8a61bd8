import type { Notes } from "../page/notes";
import type { Connection } from "./connection";
import type { Playback } from "./playback";
import type { State } from "./state";

/** What every part of the page works with. */
export interface Studio {
  state: State;
  connection: Connection;
  playback: Playback;
  notes: Notes;
}
