import { Connection } from "./core/connection";
import { Playback } from "./core/playback";
import { followPosture } from "./core/snapshots";
import { newState } from "./core/state";
import type { Studio } from "./core/studio";
import { followTheme } from "./core/theme";
import { buildPage } from "./page/page";
import { Notes } from "./page/notes";
import { start } from "./page/start";

const state = newState();
followTheme(state);
const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
const studio: Studio = { state, connection: new Connection(address), playback: new Playback(state), notes: new Notes() };
followPosture(studio);
const page = buildPage(studio);
start(studio, page);
studio.connection.open();
