import { axisColour } from "../core/axis_colours";
import type { Cell } from "../core/cell";
import { h, refill } from "../core/dom";
import type { Run } from "../core/run";
import type { Studio } from "../core/studio";
import { figure, seconds } from "../core/units";
import type { Move, Suggestion, Violation } from "../messages";
import { button } from "../page/controls";
import { icon } from "../page/icons";
import { oneStop } from "../page/menu";
import { tabs } from "../page/tabs";
import type { Finding } from "./findings";
import { CHANNEL_OF, excess, findings, quantityName } from "./findings";
import type { SuggestionRow } from "./suggestions";
import { suggestionRow } from "./suggestions";

export interface Jump {
  line: number | null;
  time: number;
  axis: number | null;
  channel: string | null;
}

/** What a run says: verdict, suggestions, violations, moves; a click leads to the place. What is outdated is greyed. */
export function results(studio: Studio, outdated: Cell<string | null>, apply: (suggestion: Suggestion) => void, jump: (to: Jump) => void): HTMLElement {
  const why = h("p", { class: "outdated-note", role: "status", "aria-label": "Outdated" });
  const content = h("div", { class: "results-content" });
  const element = h("div", { class: "results", role: "region", "aria-label": "Results" }, why, content);
  let suggested: SuggestionRow | null = null;
  const age = () => {
    const said = outdated.get();
    why.textContent = said;
    element.classList.toggle("outdated", said !== null);
    suggested?.allow(said === null);
  };
  studio.state.run.watch((run) => {
    element.hidden = run === null;
    suggested = run && suggestionRow(run.info.suggestions, apply);
    refill(content, run && [banner(run, jump), suggested?.element, lists(run, jump)]);
    age();
  });
  outdated.on(age);
  return element;
}

function banner(run: Run, jump: (to: Jump) => void): HTMLElement {
  const { info } = run;
  const tone = toneOf(run);
  const worst = info.worst === null ? null : info.violations[info.worst];
  return h(
    "div",
    { class: `banner ${tone}`, role: "status", "aria-label": "Verdict" },
    icon(tone === "bad" ? "warning" : "check"),
    h(
      "div",
      {},
      h("strong", {}, info.verdict, " "),
      worst && button("Show it", () => jump(placeOf(run, worst)), { class: "link", title: worst.text }),
      h("p", {}, `${info.times} ${info.details}`.trim()),
    ),
  );
}

/** A retimed motion that no program text gives says nothing about the program. */
function toneOf({ info }: Run): "neutral" | "good" | "bad" {
  if (info.feasible === null || (info.retimed && info.retimed.text === null)) return "neutral";
  return info.feasible ? "good" : "bad";
}

function lists(run: Run, jump: (to: Jump) => void): HTMLElement {
  const found = findings(run.info.violations);
  const panels = [
    { key: "violations", label: `Violations ${run.info.violations.length || ""}`.trim(), content: h("div", {}, violationList(run, found, jump)) },
    { key: "moves", label: `Moves ${run.info.moves.length || ""}`.trim(), content: h("div", {}, moveTable(run, jump)) },
    { key: "notes", label: "Notes", content: h("div", {}, noteList(run)) },
  ];
  const { element, show } = tabs("Findings", panels, (key) => show(key));
  show(found.length ? "violations" : "moves");
  element.classList.add("minor");
  return element;
}

function violationList(run: Run, found: Finding[], jump: (to: Jump) => void): HTMLElement {
  if (found.length === 0) return h("p", { class: "empty" }, "Nothing is asked of the motors or joints that they cannot do.");
  const buttons = found.map((finding) => findingButton(run, finding, jump));
  return oneStop(h("ul", { class: "findings", "aria-label": "Violations" }, buttons.map((each) => h("li", {}, each))), buttons);
}

function findingButton(run: Run, { worst, count }: Finding, jump: (to: Jump) => void): HTMLButtonElement {
  const share = excess(worst);
  const to = placeOf(run, worst);
  const choose = () => {
    for (const other of element.closest("ul")?.querySelectorAll("[aria-current]") ?? []) other.removeAttribute("aria-current");
    element.setAttribute("aria-current", "true");
    jump(to);
  };
  const element = h(
    "button",
    { type: "button", class: "finding", title: worst.text, onclick: () => choose() },
    h("span", { class: "finding-line" }, worst.line === null ? "–" : `line ${worst.line}`),
    h("span", { class: "finding-axis" }, worst.subject),
    h("span", { class: "finding-what" }, quantityName(worst.quantity)),
    h("span", { class: "finding-share" }, Number.isFinite(share) ? `${Math.round(share * 100)} %` : `${figure(worst.required)} ${worst.unit}`),
    h("span", { class: "finding-time" }, `${seconds(worst.at)}${count > 1 ? ` ×${count}` : ""}`),
  );
  if (to.axis !== null) element.style.setProperty("--axis", axisColour(to.axis));
  return element;
}

const placeOf = (run: Run, violation: Violation): Jump => ({ line: violation.line, time: violation.at, axis: axisIndex(run, violation), channel: CHANNEL_OF[violation.quantity] ?? null });

/** Joints of violations are counted from one. */
const axisIndex = (run: Run, violation: Violation): number | null =>
  violation.joint === null ? null : Math.min(Math.max(0, violation.joint - 1), run.info.robot.n - 1);

function moveTable(run: Run, jump: (to: Jump) => void): HTMLElement {
  const { moves } = run.info;
  if (moves.length === 0) return h("p", { class: "empty" }, "This run has no moves of a program.");
  const links = moves.map((move) =>
    h("button", { type: "button", class: "link", onclick: () => jump({ line: move.line, time: run.sampleFrom(move.begin), axis: null, channel: null }) }, `line ${move.line ?? "–"}`),
  );
  const row = (move: Move, i: number) =>
    h(
      "tr",
      { class: move.feasible ? "" : "bad" },
      h("td", {}, links[i]),
      h("td", {}, move.kind),
      h("td", { class: "number" }, move.programmed.toFixed(3)),
      h("td", { class: "number" }, move.achieved === null ? "never" : move.achieved.toFixed(3)),
      h("td", { class: "number" }, move.largest_speed === null ? "–" : `${Math.floor(move.largest_speed * 100)} %`),
      h("td", {}, move.feasible ? "yes" : "no"),
    );
  const table = h(
    "table",
    { class: "moves", "aria-label": "Cycle times of moves" },
    h("thead", {}, h("tr", {}, ["Line", "Move", "Programmed [s]", "Achieved [s]", "Feasible speed", "Feasible"].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, moves.map(row)),
  );
  return oneStop(table, links);
}

function noteList(run: Run): HTMLElement {
  const notes = [...run.info.advice, ...run.info.notes, ...run.info.robot.notes];
  return notes.length ? h("ul", { class: "note-list" }, notes.map((text) => h("li", {}, text))) : h("p", { class: "empty" }, "No notes.");
}
