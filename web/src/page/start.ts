import { ConnectionLost } from "../core/connection";
import { openRobot, showProgramRobot, showRobot } from "../core/robots";
import type { Studio } from "../core/studio";
import { readView, type SavedView } from "../export/link";
import { savedView } from "../export/saved_view";
import type { Hello } from "../messages";
import { ofExample } from "../program/files";
import type { Page } from "./page";
import { keepOverReload, viewBeforeReload } from "./reload";

const FIRST_ROBOT = "lola15";
const FIRST_EXAMPLE = "lola15";

/** Greets the server at every connection; the first time opens what the studio was started with. */
export function start(studio: Studio, page: Page, greeting: Promise<Hello>): void {
  const { state, connection, notes } = studio;
  let opened = false;
  const greet = async (asked: Promise<Hello>) => {
    const hello = await asked;
    state.hello.set(hello);
    state.files.set(hello.files);
    if (opened) return;
    opened = true;
    await open(studio, page, hello);
  };
  const told = (error: unknown) => {
    if (!(error instanceof ConnectionLost)) notes.complain(error);
  };
  greet(greeting).catch((error: unknown) => {
    if (connection.status.get() === "connected") told(error); // else it is greeted again
  });
  connection.status.on((status) => {
    if (status !== "connected") return;
    notes.withdraw(new ConnectionLost().message);
    greet(connection.ask("hello", {})).catch(told);
  });
  keepOverReload(() => state.hello.get(), () => savedView(studio, page.view, page.program.editor.text));
  window.addEventListener("beforeunload", (event) => {
    if (!state.document.get().saved) event.preventDefault();
  });
  connection.onEvent((event) => {
    if (event.event === "files") state.files.set(event.files);
  });
}

async function open(studio: Studio, page: Page, hello: Hello): Promise<void> {
  const saved = readView(location.hash) ?? viewBeforeReload(hello);
  if (saved) {
    await reopen(studio, page, saved);
    return;
  }
  const { opened } = hello;
  if (opened?.kind === "run") {
    await page.runner.openRun(opened.name);
  } else if (opened?.kind === "program") {
    const { name, text, digest } = opened;
    page.program.open(text ?? "", digest === null ? ofExample(name) : { name, path: name, digest });
    if (!showFirst(studio, hello)) await showProgramRobot(studio, text ?? "", FIRST_ROBOT);
    await page.program.run();
  } else {
    if (!showFirst(studio, hello)) await openRobot(studio, opened?.kind === "robot" ? opened.name : FIRST_ROBOT);
    if (opened?.kind === "robot") studio.state.tab.set("pose");
    else await openExample(studio, page);
  }
}

/** Draws the robot that came with the greeting; whether there was one. */
function showFirst({ state, ...studio }: Studio, { first }: Hello): boolean {
  if (!first) return false;
  state.poses.set(Float32Array.from(first.poses.flat()));
  showRobot({ state, ...studio }, first.robot);
  return true;
}

async function openExample({ connection }: Studio, page: Page): Promise<void> {
  const { text } = await connection.ask("read", { path: FIRST_EXAMPLE });
  page.program.open(text, ofExample(FIRST_EXAMPLE));
}

/** Shows again what a link holds, or what was there before a reload. */
async function reopen(studio: Studio, page: Page, saved: SavedView): Promise<void> {
  const { state } = studio;
  state.settings.set(saved.settings);
  state.tab.set(saved.tab);
  state.layers.set(new Set(saved.layers));
  if (saved.robot) await openRobot(studio, saved.robot);
  if (saved.q) state.posture.set({ from: "pose", q: saved.q, qd: null, qdd: null });
  if (saved.program) {
    const { text, ...named } = saved.program;
    page.program.open(text, named);
  }
  state.planning.set(saved.planning ?? {});
  state.plots.set(saved.plots ?? []);
  if (saved.program && saved.ran) await page.program.run();
  if (saved.recording) await page.runner.openRun(saved.recording);
  if (saved.time !== null) studio.playback.goto(saved.time);
  if (saved.line) state.line.set(saved.line); // where a move ends and the next begins both lines are right
  state.axis.set(saved.axis ?? null);
  state.projection.set(saved.projection);
  if (saved.camera) page.view.look(saved.camera);
}
