import { h, refill } from "../core/dom";
import { JobSlot } from "../core/job_slot";
import type { Studio } from "../core/studio";
import { figure } from "../core/units";
import { downloadFile } from "../export/download";
import type { DeriveRequest, DeriveResult, DeriveTask, DownloadRequest, EquationText } from "../messages";
import { button, checkbox, field, numberField, select } from "../page/controls";
import { complainAt } from "../page/field_complaint";
import { failureBanner, progressRow } from "../page/job_row";
import { typeset } from "./typeset";

type Inertia = NonNullable<DeriveRequest["inertia"]>;
const FILES: [DownloadRequest["what"], string][] = [["latex", "LaTeX"], ["python", "Python"], ["c", "C"], ["markdown", "Markdown"], ["text", "Text"]];

/** Explicit equations, derived on demand and typeset in the page. */
export function derivedEquations(studio: Studio): HTMLElement {
  const { state, notes } = studio;
  const slot = new JobSlot(studio);
  const found = h("div", { class: "equations" });
  const quantity = h("select", { "aria-label": "Quantity" });
  const element = h("input", { type: "text", placeholder: "all, or 1,2", spellcheck: "false" });
  const simplify = numberField("Simplify to mean error [%]", () => undefined, { min: 0, step: 0.1, placeholder: "exact" });
  let inertia: Inertia = "centre";
  let symbolic = true;
  state.hello.watch((hello) => {
    if (hello) refill(quantity, hello.quantities.map((name) => h("option", { value: name }, name.replaceAll("_", " "))));
  });
  const run = async () => {
    const robot = state.robot.get();
    if (!robot) return;
    const numbers = elementOf(element.value);
    complainAt(element, numbers === null ? `Element is "${element.value.trim()}", expected a number as 2, or two as 1,2; empty is all.` : null);
    if (numbers === null || simplify.ariaInvalid === "true") return;
    const share = simplify.valueAsNumber;
    const asked = {
      robot: robot.robot,
      quantity: quantity.value,
      element: numbers.length ? numbers : null,
      symbolic,
      inertia,
      simplify: Number.isFinite(share) && share > 0 ? share / 100 : null,
      settings: state.settings.get(),
    };
    const answer = await slot.perform("Deriving", "derive", asked);
    if (answer) await show(studio, found, { do: "derive", ...asked }, answer.result).catch((error: unknown) => notes.complain(error));
  };
  const start = button("Derive", () => void run(), { class: "button primary" });
  slot.work.watch((work) => (start.disabled = work !== null));
  return h(
    "div",
    { class: "study" },
    h("p", { class: "hint" }, "The equations of the robot shown. Large robots give long equations: choose an element, or allow an error."),
    h("div", { class: "study-start" }, field("Quantity", quantity), field("Element", element), start),
    h(
      "div",
      { class: "option-fields" },
      field("Inertia about", select<Inertia>([["centre", "centre of mass"], ["origin", "origin"], ["gyration", "radii of gyration"]], inertia, (value) => (inertia = value))),
      field("Simplify to mean error [%]", simplify),
      checkbox("Symbols for the parameters", symbolic, (on) => (symbolic = on)),
    ),
    progressRow(slot),
    failureBanner(slot),
    found,
  );
}

/** The places of an element, counted from one; none is all of them, null is nothing that can be read. */
export function elementOf(text: string): number[] | null {
  const parts = text.split(",").map((part) => part.trim());
  if (text.trim() === "" || text.trim() === "all") return [];
  return parts.every((part) => /^[1-9]\d*$/.test(part)) ? parts.map(Number) : null;
}

async function show(studio: Studio, holder: HTMLElement, task: DeriveTask, result: DeriveResult): Promise<void> {
  const files = h("div", { class: "actions" }, FILES.map(([what, label]) => button(label, () => void downloadFile(studio, what, task), { class: "button small", "aria-label": `Export as ${label}` }, "download")));
  const count = `${result.equations.length} equation${result.equations.length === 1 ? "" : "s"} of ${result.robot}, motors ${result.motors}`;
  const blocks = await Promise.all(result.equations.map((equation) => block(studio, equation)));
  const definitions = await Promise.all(result.definitions.map((latex) => typeset(latex)));
  refill(
    holder,
    h("p", { class: "hint" }, count),
    files,
    blocks,
    definitions.length ? h("details", {}, h("summary", {}, "Where"), definitions) : null,
  );
}

async function block(studio: Studio, equation: EquationText): Promise<HTMLElement> {
  const short = equation.short[0];
  const about = [`${equation.operations} operations`, equation.note, short?.mean_error ? `mean error ${figure(100 * short.mean_error)} %` : ""].filter(Boolean).join(" · ");
  const copy = button("Copy LaTeX", () => {
    navigator.clipboard.writeText(equation.latex).then(
      () => studio.notes.say("Copied.", "good"),
      (error: unknown) => studio.notes.complain(error),
    );
  }, { class: "button small", "aria-label": `Copy LaTeX of ${equation.name}` }, "copy");
  return h("div", { class: "equation" }, await typeset(equation.latex), h("div", { class: "equation-foot" }, h("small", {}, about), copy));
}
