import { h } from "../core/dom";
import type { Studio } from "../core/studio";
import { exportMenu } from "../export/menu";
import { live } from "../live/live";
import { PlotPanel } from "../plots/panel";
import { posePanel } from "../pose/panel";
import { ProgramPanel } from "../program/panel";
import { Runner } from "../program/runner";
import { studiesPanel } from "../studies/panel";
import { View } from "../view/view";
import { header } from "./header";
import { listenToKeys } from "./keyboard";
import { splitter } from "./splitter";
import { tabs } from "./tabs";
import { timeBar } from "./time_bar";

export interface Page {
  view: View;
  program: ProgramPanel;
  runner: Runner;
}

const SIDE_LEAST = 320;
const PICTURE_LEAST = 620; // the time stands below it, unless the window is narrower than WIDE (layout.css)
const WIDE = 1100;
const PLOTS_LEAST = 120;
const within = (value: number, least: number, most: number) => Math.round(Math.min(most, Math.max(least, value)));

const mostSide = () => Math.max(SIDE_LEAST, Math.min(0.55 * window.innerWidth, window.innerWidth > WIDE ? window.innerWidth - PICTURE_LEAST : Infinity));

/** Puts the page together: picture and plots at the left, tabs at the right, time below. */
export function buildPage(studio: Studio): Page {
  const { state, notes } = studio;
  const runner = new Runner(studio);
  const program = new ProgramPanel(studio, runner);
  const plots = new PlotPanel(studio);
  const root = h("div", { class: "studio" });
  document.body.replaceChildren(root, notes.element);
  const view = new View(studio);
  const running = live(studio, root);
  program.focusChannel.on((channel) => {
    if (channel) plots.reveal(channel);
  });
  const side = tabs(
    "Workplaces",
    [
      { key: "program", label: "Program", content: program.element },
      { key: "pose", label: "Pose", content: posePanel(studio) },
      { key: "studies", label: "Studies", content: studiesPanel(studio) },
      { key: "live", label: "Live", content: running.panel },
    ],
    (key) => state.tab.set(key),
  );
  state.tab.watch(side.show);
  side.element.classList.add("side");
  const upright = splitter(root, { label: "Width of the panel", property: "--side", vertical: true, first: () => within(72 + 0.28 * window.innerWidth, 360, 560), least: SIDE_LEAST, most: mostSide });
  const level = splitter(root, { label: "Height of the plots", property: "--plots", vertical: false, first: () => within(0.32 * window.innerHeight, 200, 380), least: PLOTS_LEAST, most: () => Math.max(PLOTS_LEAST, window.innerHeight * 0.6) });
  state.run.watch((run) => root.classList.toggle("has-run", run !== null));
  root.append(
    header(studio, exportMenu(studio, view, () => program.editor.text)),
    h("main", { class: "scene" }, view.element, level, plots.element, running.plots, running.banner),
    upright,
    side.element,
    timeBar(studio),
  );
  listenToKeys(studio, view);
  return { view, program, runner };
}
