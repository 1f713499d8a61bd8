import { h, refill, say } from "../core/dom";
import { SPEEDS } from "../core/playback";
import type { Run } from "../core/run";
import { endOf } from "../core/run";
import type { Studio } from "../core/studio";
import { seconds } from "../core/units";
import { button, iconButton, select } from "./controls";
import { icon } from "./icons";

/** Play, step, and a slider over the moves of the run. */
export function timeBar(studio: Studio): HTMLElement {
  const { state, playback } = studio;
  const play = button("Play", () => playback.toggle(), { class: "button primary play", title: "Play or pause (Space)" });
  state.playing.watch((playing) => {
    refill(play, icon(playing ? "pause" : "play"), h("span", {}, playing ? "Pause" : "Play"));
  });
  const loop = iconButton("loop", "Loop (L)", () => state.loop.set(!state.loop.get()), { "aria-label": "Loop" });
  state.loop.watch((on) => loop.setAttribute("aria-pressed", String(on)));
  const speeds = select(
    SPEEDS.map((speed): [string, string] => [String(speed), `${speed}×`]),
    "1",
    (value) => state.speed.set(Number(value)),
    { "aria-label": "Playback speed" },
  );
  state.speed.on((speed) => (speeds.value = String(speed)));
  const element = h(
    "footer",
    { class: "time-bar", "aria-label": "Time", role: "region" },
    iconButton("begin", "To the begin (Home)", () => playback.goto(0), { "aria-label": "To the begin" }),
    iconButton("back", "Step back (Left)", () => playback.step(-1), { "aria-label": "Step back" }),
    play,
    iconButton("next", "Step forward (Right)", () => playback.step(1), { "aria-label": "Step forward" }),
    iconButton("end", "To the end (End)", () => playback.goto(state.run.get()?.end ?? 0), { "aria-label": "To the end" }),
    track(studio),
    readout(studio),
    speeds,
    loop,
  );
  state.run.watch((run) => {
    element.classList.toggle("no-run", run === null);
    for (const control of element.querySelectorAll<HTMLButtonElement | HTMLInputElement>("button, input")) control.disabled = run === null;
  });
  return element;
}

function track(studio: Studio): HTMLElement {
  const { state, playback } = studio;
  const slider = h("input", { type: "range", min: 0, max: 1, step: "any", value: 0, "aria-label": "Time" });
  slider.addEventListener("input", () => playback.goto(slider.valueAsNumber));
  const moves = h("div", { class: "track-moves" });
  state.run.watch((run) => {
    slider.max = String(run?.end ?? 1);
    refill(moves, run ? segments(run) : []);
  });
  state.time.watch((t) => {
    slider.value = String(t);
    slider.setAttribute("aria-valuetext", seconds(t));
  });
  return h("div", { class: "track" }, moves, slider);
}

/** A stretch for each move: red where the motors cannot do it. */
function segments(run: Run): HTMLElement[] {
  return run.info.moves.map((move) => {
    const segment = h("div", { class: `segment ${move.feasible ? "" : "bad"}`, title: `line ${move.line ?? "–"}: ${move.kind}` });
    segment.style.left = `${(100 * move.begin) / run.end}%`;
    segment.style.width = `${(100 * (endOf(move) - move.begin)) / run.end}%`;
    return segment;
  });
}

function readout(studio: Studio): HTMLElement {
  const { state } = studio;
  const time = h("output", { class: "time-now", "aria-label": "Time shown" });
  const line = h("output", { class: "line-now", "aria-label": "Program line" });
  state.time.watch((t) => say(time, seconds(t)));
  state.line.watch((number) => say(line, number === null ? "" : `line ${number}`));
  return h("div", { class: "readout" }, time, line);
}
