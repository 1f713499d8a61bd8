import { h, refill } from "../core/dom";
import { JobSlot } from "../core/job_slot";
import type { Studio } from "../core/studio";
import { figure } from "../core/units";
import { downloadFile } from "../export/download";
import { handOver } from "../export/picture";
import type { Figure, StudyResult, StudyTask } from "../messages";
import { button, field } from "../page/controls";
import { openDialog } from "../page/dialog";
import { failureBanner, progressRow } from "../page/job_row";
import { setPosture } from "../pose/joints";
import { OPTIONS, readOptions } from "./options";

interface Row {
  joint: number | null;
  name?: string;
  quantity: string;
  load: string;
  unit: string;
  minimum: number | null;
  maximum: number | null;
  q_minimum: number[] | null;
  q_maximum: number[] | null;
  certified: boolean;
}

/** What every joint and drive feels over the workspace. */
export function loadStudies(studio: Studio): HTMLElement {
  const { state } = studio;
  const slot = new JobSlot(studio);
  const found = h("div", { class: "study-found" });
  const options = h("div", { class: "option-fields" });
  const kind = h("select", { "aria-label": "Kind of study" });
  const lacking = h("p", { class: "complaint", role: "alert", hidden: true }, "This study is of motions: run a program first, or name files of motions under Options.");
  const inputs = new Map<string, HTMLInputElement>();
  const fillOptions = () => {
    lacking.hidden = true;
    inputs.clear();
    const names = (state.hello.get()?.studies[kind.value] ?? []).filter((name) => name in OPTIONS);
    refill(options, names.map((name) => {
      const input = h("input", { type: "text", placeholder: OPTIONS[name][1], spellcheck: "false" });
      inputs.set(name, input);
      return field(OPTIONS[name][0], input);
    }));
  };
  state.hello.watch((hello) => {
    if (!hello) return;
    refill(kind, Object.keys(hello.studies).map((name) => h("option", { value: name }, name)));
    fillOptions();
  });
  kind.addEventListener("change", fillOptions);
  const run = async () => {
    const robot = state.robot.get();
    if (!robot) return;
    const typed = Object.fromEntries([...inputs].map(([name, input]) => [name, input.value]));
    const shown = state.run.get();
    refill(found);
    lacking.hidden = !inputs.has("motions") || shown !== null || typed.motions.trim() !== "";
    if (!lacking.hidden) return;
    const asked = { robot: robot.robot, kind: kind.value, options: readOptions(typed), run: shown?.task ?? null, settings: state.settings.get() };
    const answer = await slot.perform("Studying", "study", asked);
    if (answer) refill(found, show(studio, { do: "study", ...asked }, answer.result));
  };
  const start = button("Run study", () => void run(), { class: "button primary" });
  slot.work.watch((work) => (start.disabled = work !== null));
  state.robot.on((robot) => {
    if (robot && found.dataset.robot !== robot.robot) refill(found);
    found.dataset.robot = robot?.robot ?? "";
  });
  return h(
    "div",
    { class: "study" },
    h("p", { class: "hint" }, "What every joint and motor feels over the workspace, with the payload and motors of the Pose tab."),
    h("div", { class: "study-start" }, field("Study", kind), start),
    h("details", {}, h("summary", {}, "Options"), options),
    lacking,
    progressRow(slot),
    failureBanner(slot),
    found,
  );
}

function show(studio: Studio, task: StudyTask, result: StudyResult): HTMLElement[] {
  const rows = (result.document.rows ?? []) as Row[];
  const notes = (result.document.notes ?? []) as string[];
  return [
    h(
      "div",
      { class: "actions" },
      button("Report (HTML)", () => void downloadFile(studio, "report", task), { class: "button small" }, "download"),
      button("Rows (CSV)", () => handOver(new Blob([csv(rows)], { type: "text/csv" }), `${result.robot}_${result.kind}.csv`), { class: "button small" }, "download"),
    ),
    table(studio, rows),
    ...result.figures.map((one) => picture(result, one)),
    notes.length ? h("ul", { class: "note-list" }, notes.map((text) => h("li", {}, text))) : h("span", {}),
  ];
}

function table(studio: Studio, rows: Row[]): HTMLElement {
  const value = (number: number | null, q: number[] | null) =>
    h("td", { class: "number" }, q ? h("button", { type: "button", class: "link", title: "Show the posture", onclick: () => setPosture(studio, q) }, figure(number, 4)) : figure(number, 4));
  const loads = new Set(rows.map((row) => row.load)).size > 1;
  return h(
    "div",
    { class: "table-holder" },
    h(
      "table",
      { "aria-label": "Rows of the study" },
      h("thead", {}, h("tr", {}, ["Joint", "Quantity", ...(loads ? ["Load"] : []), "Minimum", "Maximum", "Unit", "Proved"].map((text) => h("th", { scope: "col", class: text.endsWith("mum") ? "number" : "" }, text)))),
      h(
        "tbody",
        {},
        rows.map((row) =>
          h("tr", {}, h("td", {}, row.name ?? row.joint ?? ""), h("td", {}, row.quantity.replaceAll("_", " ")), loads ? h("td", {}, row.load) : null, value(row.minimum, row.q_minimum), value(row.maximum, row.q_maximum), h("td", {}, row.unit.replaceAll("2", "²")), h("td", {}, row.certified ? "yes" : "no")),
        ),
      ),
    ),
  );
}

function picture(result: StudyResult, { name, title, caption, svg }: Figure): HTMLElement {
  const blob = new Blob([svg], { type: "image/svg+xml" });
  const address = URL.createObjectURL(blob);
  const drawing = () => h("img", { src: address, alt: caption || title });
  return h(
    "figure",
    { class: "study-figure" },
    h("button", { type: "button", class: "enlarge", "aria-label": `Enlarge ${title}`, onclick: () => openDialog(title, [drawing(), h("p", { class: "hint" }, caption)], { class: "wide" }) }, drawing()),
    h("figcaption", {}, h("span", {}, title), button("SVG", () => handOver(blob, `${result.robot}_${name}.svg`), { class: "button small", "aria-label": `Save ${title} as SVG` }, "download")),
  );
}

/** Rows as a table for other programs. */
export function csv(rows: Row[]): string {
  const names = ["joint", "name", "quantity", "load", "unit", "minimum", "maximum", "certified"] as const;
  const text = (value: unknown) => (value === null || value === undefined ? "" : /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
  return [names.join(","), ...rows.map((row) => names.map((name) => text(row[name])).join(","))].join("\n") + "\n";
}

