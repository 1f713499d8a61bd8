import type { Studio } from "../core/studio";
import type { DownloadRequest } from "../messages";
import { menu } from "../page/menu";
import type { View } from "../view/view";
import { commandOf, whyNoCommand } from "./command";
import { downloadFile } from "./download";
import { askSequence } from "./frame_dialog";
import { writeView } from "./link";
import { handOver, picture } from "./picture";
import { savedView } from "./saved_view";

/** What can be taken along: pictures, numbers, the report, a link. */
export function exportMenu(studio: Studio, view: View, text: () => string): HTMLElement {
  const { state } = studio;
  const hasRun = () => state.run.get() !== null;
  const isVerified = () => state.run.get()?.info.kind === "verification";
  const file = (what: DownloadRequest["what"]) => () => {
    const run = state.run.get();
    if (run) void downloadFile(studio, what, run.task);
  };
  return menu(
    "Export",
    [
      { label: "Picture", hint: "PNG", choose: () => void save(studio, view) },
      { label: "Frame sequence", hint: "zip of PNGs", choose: () => askSequence(studio, view, `${stem(studio)}_frames.zip`), enabled: hasRun },
      { label: "Run as CSV", hint: ".csv", choose: file("csv"), enabled: hasRun },
      { label: "Run as Parquet", hint: ".parquet", choose: file("parquet"), enabled: hasRun },
      { label: "Run as MCAP", hint: ".mcap", choose: file("mcap"), enabled: hasRun },
      { label: "Report", hint: "HTML", choose: file("report"), enabled: isVerified },
      { label: "Command line", hint: () => whyNoCommand(state, text()) ?? "copied", choose: () => void copyCommand(studio), enabled: () => whyNoCommand(state, text()) === null },
      { label: "Link to this view", hint: "copied", choose: () => void copyLink(studio, view, text) },
    ],
    "download",
  );
}

const stem = (studio: Studio): string => (studio.state.run.get()?.info.name ?? studio.state.robot.get()?.name ?? "armdyn").replace(/\.\w+$/, "").replaceAll(/[^\w.-]+/g, "_");

/** What computes the same from the program's file, with all that it is planned with. */
async function copyCommand({ state, notes }: Studio): Promise<void> {
  const run = state.run.get();
  const { path, example } = state.document.get();
  if (!run?.info.command || run.task.do === "run_file") return;
  await navigator.clipboard.writeText(commandOf(run.info.command, run.task.name ?? "", path ?? example ?? ""));
  notes.say("Copied.", "good");
}

async function save(studio: Studio, view: View): Promise<void> {
  handOver(await picture(view.stage), `${stem(studio)}.png`);
}

async function copyLink(studio: Studio, view: View, text: () => string): Promise<void> {
  const { notes } = studio;
  const hash = writeView(savedView(studio, view, text()));
  history.replaceState(null, "", hash);
  try {
    await navigator.clipboard.writeText(location.href);
    notes.say("The link is in the clipboard, and in the address bar.", "good");
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    notes.say("The link is in the address bar."); // the browser gave no clipboard
  }
}
