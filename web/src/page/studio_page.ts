import type { Connection } from "../core/connection";
import { Playback } from "../core/playback";
import { followPosture } from "../core/snapshots";
import { newState } from "../core/state";
import type { Studio } from "../core/studio";
import { followTheme } from "../core/theme";
import type { Hello } from "../messages";
import { Notes } from "./notes";
import { buildPage } from "./page";
import { start } from "./start";

/** Builds the page over a connection whose first answer is under way. */
export function openStudio(connection: Connection, greeting: Promise<Hello>): void {
  const state = newState();
  followTheme(state);
  const studio: Studio = { state, connection, playback: new Playback(state), notes: new Notes() };
  followPosture(studio);
  start(studio, buildPage(studio), greeting);
}
