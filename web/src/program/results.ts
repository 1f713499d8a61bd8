import { axisColour } from "../core/axis_colours";
import { h, refill } from "../core/dom";
import type { Run } from "../core/run";
import type { Studio } from "../core/studio";
import { figure, seconds } from "../core/units";
import type { Move, Suggestion } from "../messages";
import { icon } from "../page/icons";
import { tabs } from "../page/tabs";
import type { Finding } from "./findings";
import { CHANNEL_OF, excess, findings, quantityName } from "./findings";
import { suggestionRow } from "./suggestions";

const SAME = 0.02; // seconds: about a cycle of the controller

export interface Jump {
  line: number | null;
  time: number;
  axis: number | null;
  channel: string | null;
}

/** What a run says: verdict, suggestions, violations, moves; a click leads to the place. */
export function results(studio: Studio, apply: (suggestion: Suggestion) => void, jump: (to: Jump) => void): HTMLElement {
  const element = h("div", { class: "results", role: "region", "aria-label": "Results" });
  studio.state.run.watch((run) => {
    element.hidden = run === null;
    if (run) refill(element, banner(run), suggestionRow(run.info.suggestions, apply), lists(run, jump));
  });
  return element;
}

function banner(run: Run): HTMLElement {
  const { info } = run;
  const tone = info.feasible === null ? "neutral" : info.feasible ? "good" : "bad";
  const symbol = tone === "bad" ? "warning" : "check";
  return h(
    "div",
    { class: `banner ${tone}`, role: "status", "aria-label": "Verdict" },
    icon(symbol),
    h("div", {}, h("strong", {}, info.verdict), h("p", {}, `${cycleTimes(run)}. ${info.details}`)),
  );
}

function cycleTimes(run: Run): string {
  const programmed = run.programmedTimes.at(-1) ?? 0;
  const achieved = run.times.at(-1) ?? 0;
  if (run.info.moves.length === 0) return seconds(run.end);
  return Math.abs(programmed - achieved) < SAME
    ? `Cycle time ${seconds(programmed)}, as programmed`
    : `Cycle time ${seconds(achieved)}, programmed ${seconds(programmed)}`;
}

function lists(run: Run, jump: (to: Jump) => void): HTMLElement {
  const found = findings(run.info.violations);
  const panels = [
    { key: "violations", label: `Violations ${found.length || ""}`.trim(), content: h("div", {}, violationList(run, found, jump)) },
    { key: "moves", label: `Moves ${run.info.moves.length || ""}`.trim(), content: h("div", {}, moveTable(run.info.moves, jump)) },
    { key: "notes", label: "Notes", content: h("div", {}, noteList(run)) },
  ];
  const { element, show } = tabs("Findings", panels, (key) => show(key));
  show(found.length ? "violations" : "moves");
  element.classList.add("minor");
  return element;
}

function violationList(run: Run, found: Finding[], jump: (to: Jump) => void): HTMLElement {
  if (found.length === 0) return h("p", { class: "empty" }, "Nothing is asked of the motors or joints that they cannot do.");
  return h("ul", { class: "findings", "aria-label": "Violations" }, found.map((finding) => h("li", {}, findingButton(run, finding, jump))));
}

function findingButton(run: Run, { worst, count }: Finding, jump: (to: Jump) => void): HTMLButtonElement {
  const axis = worst.joint === null ? null : axisIndex(run, worst);
  const share = excess(worst);
  const to: Jump = { line: worst.line, time: worst.at, axis, channel: CHANNEL_OF[worst.quantity] ?? null };
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
    h("span", { class: "finding-time" }, `${worst.at.toFixed(2)} s${count > 1 ? ` ×${count}` : ""}`),
  );
  if (axis !== null) element.style.setProperty("--axis", axisColour(axis));
  return element;
}

/** Joints of violations are counted from one. */
const axisIndex = (run: Run, violation: { joint: number | null }): number | null =>
  violation.joint === null ? null : Math.min(Math.max(0, violation.joint - 1), run.info.robot.n - 1);

function moveTable(moves: Move[], jump: (to: Jump) => void): HTMLElement {
  if (moves.length === 0) return h("p", { class: "empty" }, "This run has no moves of a program.");
  const row = (move: Move) =>
    h(
      "tr",
      { class: move.feasible ? "" : "bad" },
      h("td", {}, h("button", { type: "button", class: "link", onclick: () => jump({ line: move.line, time: move.begin, axis: null, channel: null }) }, `line ${move.line ?? "–"}`)),
      h("td", {}, move.kind),
      h("td", { class: "number" }, move.programmed.toFixed(2)),
      h("td", { class: "number" }, move.achieved === null ? "never" : move.achieved.toFixed(2)),
      h("td", { class: "number" }, move.largest_speed === null ? "–" : `${Math.floor(move.largest_speed * 100)} %`),
      h("td", {}, move.feasible ? "yes" : "no"),
    );
  return h(
    "table",
    { class: "moves", "aria-label": "Cycle times of moves" },
    h("thead", {}, h("tr", {}, ["Line", "Move", "Programmed [s]", "Achieved [s]", "Feasible speed", "Feasible"].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, moves.map(row)),
  );
}

function noteList(run: Run): HTMLElement {
  const notes = [...run.info.advice, ...run.info.notes, ...run.info.robot.notes];
  return notes.length ? h("ul", { class: "note-list" }, notes.map((text) => h("li", {}, text))) : h("p", { class: "empty" }, "No notes.");
}
