import type { Studio } from "../core/studio";
import type { View } from "../view/view";
import type { SavedView } from "./link";

/** All that is needed to show the page again as it is. */
export function savedView({ state }: Studio, view: View, text: string): SavedView {
  const run = state.run.get();
  const posture = state.posture.get();
  return {
    robot: state.robot.get()?.robot ?? null,
    settings: state.settings.get(),
    planning: state.planning.get(),
    tab: state.tab.get(),
    layers: [...state.layers.get()],
    projection: state.projection.get(),
    camera: view.stage.cameras.place(),
    q: posture?.from === "pose" ? posture.q : null,
    time: run ? state.time.get() : null,
    program: { ...state.document.get(), text },
    ran: run?.info.kind === "verification",
    recording: run?.task.do === "run_file" ? run.task.file : null,
    plots: state.plots.get(),
    axis: state.axis.get(),
    line: state.line.get(),
  };
}
