import { axisColour } from "../core/axis_colours";
import { h, refill } from "../core/dom";
import type { Studio } from "../core/studio";
import { figure } from "../core/units";
import type { LiveEvent, LiveStatus } from "../messages";
import { button, field, numberField, section, select, showNumber } from "../page/controls";
import { PayloadFields } from "../pose/payload";
import type { Watch } from "./watch";

const ROOM = 1.5; // times the largest residual shown: a threshold that normal running does not reach
const BETWEEN = 200; // [ms] between readings that people read
const SHOWN_EVENTS = 30;
const PYTHON = `from armdyn.studio.live import Telemetry

with Telemetry(LINK, robot="ur5") as telemetry:
    while running:
        telemetry.send(time, q, tau=tau)`;

/** The tab of a running robot: which, how it is connected, alarms, recording, what is predicted with. */
export function livePanel(studio: Studio, watch: Watch, seconds: () => number): HTMLElement {
  const waiting = section("No robot sends telemetry", ...howToConnect(studio));
  const parts = [
    section("Stream", streamChooser(watch), readings(watch)),
    section("Recording", recording(watch)),
    section("Alarm", residuals(watch), thresholds(watch, seconds)),
    section("Predicted with", payload(studio, watch)),
    section("What happened", happened(watch)),
  ];
  watch.scene.watch((scene) => {
    waiting.hidden = scene !== null;
    for (const part of parts) part.hidden = scene === null;
  });
  return h("div", { class: "panel scroll live-panel" }, waiting, parts);
}

function howToConnect({ notes }: Studio): HTMLElement[] {
  const copy = button("Copy", () => void navigator.clipboard.writeText(PYTHON).then(() => notes.say("Copied.", "good"), (error: unknown) => notes.complain(error)), { class: "button small" }, "copy");
  return [
    h("p", { class: "hint" }, "A controller's program sends positions and torques; LINK is the link that armdyn studio has printed:"),
    h("pre", { class: "snippet", tabindex: 0 }, PYTHON),
    h("div", { class: "actions" }, copy),
    h("p", { class: "hint" }, "From an OPC UA server: ", h("code", {}, "armdyn telemetry MAPPING.toml LINK"), ". To try it: ", h("code", {}, "python examples/18_live_robot.py LINK"), "."),
  ];
}

function streamChooser(watch: Watch): HTMLElement {
  const chooser = h("select", { "aria-label": "Stream" });
  chooser.addEventListener("change", () => void watch.begin(chooser.value));
  watch.streams.watch((streams) => {
    refill(chooser, streams.map(({ name, robot, connected }) => h("option", { value: name }, `${name === robot ? name : `${name} (${robot})`}${connected ? "" : ", gone"}`)));
    chooser.value = watch.scene.get()?.stream.name ?? "";
  });
  watch.scene.on((scene) => {
    chooser.value = scene?.stream.name ?? "";
  });
  return chooser;
}

/** At most a few times a second: more cannot be read. */
function calmly(show: () => void): () => void {
  let last = -Infinity;
  let due = 0;
  return () => {
    const wait = last + BETWEEN - performance.now();
    if (due) return;
    due = window.setTimeout(() => {
      due = 0;
      last = performance.now();
      show();
    }, Math.max(0, wait));
  };
}

function readings(watch: Watch): HTMLElement {
  const state = h("p", { class: "live-state" });
  const list = h("dl", { class: "readings" });
  const show = calmly(() => {
    const status = watch.status.get();
    if (!status) return;
    const quiet = !status.connected || (status.silent ?? Infinity) > 1;
    state.dataset.state = quiet ? "lost" : "connected";
    refill(state, h("i", {}), quiet ? silence(status) : `${figure(status.rate, 3)} samples a second`);
    refill(list, rows(status, watch.skipped.get()).map(([label, value, bad]) => h("div", { class: bad ? "bad-text" : "" }, h("dt", {}, label), h("dd", {}, value))));
  });
  watch.status.on(show);
  return h("div", {}, state, list);
}

const silence = ({ connected, silent }: LiveStatus): string =>
  silent === null ? "connected, no sample yet" : `${connected ? "silent" : "connection lost"} for ${figure(silent, 2)} s`;

function rows(status: LiveStatus, skipped: number): [string, string, boolean][] {
  return [
    ["Filter delay", `${Math.round(status.delay * 1000)} ms`, false],
    ["Last came late by", `${Math.round(status.behind * 1000)} ms`, status.behind > 0.25],
    ["Received", status.received.toLocaleString("en"), false],
    ["Lost on the way", status.lost.toLocaleString("en"), status.lost > 0],
    ["Gaps", String(status.gaps), status.gaps > 0],
    ["Out of order", String(status.late), status.late > 0],
    ["Refused", String(status.refused), status.refused > 0],
    ["Skipped here", String(skipped), false],
  ];
}

function recording(watch: Watch): HTMLElement {
  const text = h("p", { class: "hint", role: "status" });
  const record = button("Record", () => void watch.record(record.getAttribute("aria-pressed") !== "true"), { class: "button record", "aria-pressed": "false" }, "record");
  const show = calmly(() => {
    const status = watch.status.get();
    const found = status?.recording ?? null;
    const on = found?.open ?? false;
    record.disabled = !on && !status?.connected;
    record.title = record.disabled ? "No robot sends" : "";
    record.setAttribute("aria-pressed", String(on));
    record.lastElementChild?.replaceChildren(on ? "Stop recording" : "Record");
    const said = found ? `${on ? "" : "Saved as "}${found.path}: ${found.samples.toLocaleString("en")} ${found.samples === 1 ? "sample" : "samples"}, ${figure(found.bytes / 1e6, 3)} MB` : "An .mcap file in the studio's folder: identification reads it, and robot viewers do.";
    refill(text, found?.failure ?? said);
    text.classList.toggle("bad-text", Boolean(found?.failure));
  });
  watch.status.on(show);
  show();
  return h("div", { class: "recording" }, record, text);
}

// Alarms -----------------------------------------------------------------------------------------

function residuals(watch: Watch): HTMLElement {
  const table = h("div", { class: "bars", role: "list", "aria-label": "Residuals" });
  const show = calmly(() => {
    const scene = watch.scene.get();
    const now = watch.history.newest("residual");
    const limits = watch.threshold.get()?.limits ?? [];
    const active = watch.status.get()?.alarm ?? [];
    if (!scene) return;
    refill(table, scene.joints.map((name, i) => residualRow(name, i, now?.[i] ?? null, limits[i] ?? null, scene.units[i], active[i] ?? false)));
  });
  watch.status.on(show);
  watch.threshold.on(show);
  return table;
}

function residualRow(name: string, index: number, value: number | null, limit: number | null, unit: string, active: boolean): HTMLElement {
  const share = value === null || limit === null ? 0 : value / limit;
  const over = active || Math.abs(share) > 1;
  const fill = h("div", { class: `bar-fill${share < 0 ? " negative" : ""}${over ? " over" : ""}`, style: `--share: ${Math.min(1, Math.abs(share))}; --axis: ${axisColour(index)}` });
  const small = value !== null && limit !== null && Math.abs(share) < 1e-3;
  const text = `${figure(small ? 0 : value, 3)} / ${limit === null ? "–" : figure(limit, 3)} ${unit}`;
  return h("div", { class: "bar-row", role: "listitem", "aria-label": `${name}: ${text}${active ? ", alarm" : ""}` }, h("span", { class: over ? "bad-text" : "", title: name }, name), h("div", { class: "bar" }, fill), h("output", { class: "bar-value" }, text));
}

function thresholds(watch: Watch, seconds: () => number): HTMLElement {
  const duration = () => watch.threshold.get()?.duration;
  const share = numberField("Threshold in % of the largest torque", (value) => void watch.alarm({ share: value / 100, duration: duration() }), { min: 0.1, step: 1, value: 10 });
  const length = numberField("Duration in milliseconds", (value) => void watch.alarm({ ...now(watch), duration: value / 1000 }), { min: 0, step: 10, value: 100 });
  watch.threshold.on((threshold) => {
    if (threshold) showNumber(length, String(Math.round(threshold.duration * 1000)));
  });
  const learn = button("From what is shown", () => void watch.alarm({ absolute: learned(watch, seconds()), duration: duration() }), {
    class: "button small",
    title: `${ROOM} times the largest residual of every joint in the plots: for a time when all is well`,
  });
  return h(
    "div",
    { class: "thresholds" },
    h("div", { class: "pair" }, field("Threshold [% of largest torque]", share), field("for at least [ms]", length)),
    h("div", { class: "actions" }, learn),
  );
}

/** The thresholds as they are; where one is missing, as a share. */
function now(watch: Watch): { absolute?: number[] } {
  const limits = watch.threshold.get()?.limits ?? [];
  return limits.length && limits.every((limit) => limit !== null) ? { absolute: limits as number[] } : {};
}

function learned(watch: Watch, seconds: number): number[] {
  const peaks = watch.history.largest("residual", (watch.history.last ?? 0) - seconds);
  const least = Math.max(...peaks, 1e-3) / 1000;
  return peaks.map((peak) => Math.max(ROOM * peak, least));
}

// Settings, events ---------------------------------------------------------------------------------

function payload(studio: Studio, watch: Watch): HTMLElement {
  const held = new PayloadFields({ mass: "Payload of the running robot in kilograms", place: (axis) => `Its ${axis} in millimetres` }, (payload) => {
    void watch.settings({ settings: { ...watch.scene.get()?.settings, payload } });
  });
  const length = select([["0.05", "50 ms"], ["0.1", "100 ms"], ["0.2", "200 ms"], ["0.4", "400 ms"]], "0.1", (value) => void watch.settings({ window: Number(value) }));
  watch.scene.watch((scene) => {
    if (!scene) return;
    held.show(scene.settings.payload ?? null);
    length.value = String(scene.window);
  });
  studio.state.robot.watch((robot) => held.carriedBy(robot));
  return h("div", { class: "settings" }, held.elements, field("Filter window", length));
}

function happened(watch: Watch): HTMLElement {
  const list = h("ul", { class: "happened", "aria-label": "What happened" });
  const line = ({ kind, time, text }: LiveEvent) => h("li", { class: kind }, h("time", {}, `${time.toFixed(2)} s`), h("span", {}, text));
  watch.events.watch((events) => {
    refill(list, events.length ? events.slice(-SHOWN_EVENTS).reverse().map(line) : h("li", {}, h("span", {}, "Nothing yet.")));
  });
  return list;
}
