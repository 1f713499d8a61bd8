import type { Studio } from "../core/studio";
import { h } from "../core/dom";
import { seconds } from "../core/units";
import type { DownloadRequest } from "../messages";
import { field, numberField } from "../page/controls";
import { openDialog } from "../page/dialog";
import { menu } from "../page/menu";
import type { View } from "../view/view";
import { commandOf, whyNoCommand } from "./command";
import { downloadFile } from "./download";
import { writeView } from "./link";
import { handOver, picture } from "./picture";
import { sequence } from "./sequence";

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
      { label: "Frame sequence", hint: "zip of PNGs", choose: () => askSequence(studio, view), enabled: hasRun },
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

function askSequence(studio: Studio, view: View): void {
  const end = studio.state.run.get()?.end ?? 0;
  let going = true;
  const rate = numberField("Pictures a second", () => count(), { value: 25, min: 1, max: 60 });
  const told = h("output", { class: "hint" });
  const bar = h("progress", { max: 1, value: 0, "aria-label": "Pictures" });
  const count = () => (told.textContent = `${Math.round(end * rate.valueAsNumber) + 1} pictures of ${seconds(end)}.`);
  count();
  const make = async () => {
    const zip = await sequence(studio, view.stage, rate.valueAsNumber, (done, total) => {
      bar.value = done / total;
      return going;
    });
    if (zip) handOver(zip, `${stem(studio)}_frames.zip`);
    dialog.close();
  };
  const dialog = openDialog(
    "Frame sequence",
    [field("Pictures a second", rate), told, bar, h("div", { class: "dialog-actions" }, h("button", { type: "button", class: "button primary", onclick: () => void make() }, "Make pictures"))],
    { class: "narrow" },
  );
  dialog.addEventListener("close", () => (going = false));
}

async function copyLink(studio: Studio, view: View, text: () => string): Promise<void> {
  const { state, notes } = studio;
  const run = state.run.get();
  const posture = state.posture.get();
  const hash = writeView({
    robot: state.robot.get()?.robot ?? null,
    settings: state.settings.get(),
    planning: state.planning.get(),
    tab: state.tab.get(),
    layers: [...state.layers.get()],
    projection: state.projection.get(),
    camera: view.stage.cameras.place(),
    q: posture?.from === "pose" ? posture.q : null,
    time: run ? state.time.get() : null,
    program: { name: state.document.get().name, text: text() },
    ran: run?.info.kind === "verification",
  });
  history.replaceState(null, "", hash);
  try {
    await navigator.clipboard.writeText(location.href);
    notes.say("The link is in the clipboard, and in the address bar.", "good");
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    notes.say("The link is in the address bar."); // the browser gave no clipboard
  }
}
