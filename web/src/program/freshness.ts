import type { RunTask } from "../core/run";
import type { Planning, Settings } from "../messages";
import type { Follow } from "./runner";

/** What would be run now. */
export interface Runnable {
  text: string;
  settings: Settings;
  planning: Planning;
  follow: Follow;
}

/** Why the results of a task are not those of what would be run now, in a sentence; null where they are. */
export function outdated(task: RunTask, now: Runnable): string | null {
  const others = !same(task.settings, now.settings);
  if (task.do === "run_file") return others ? "What is shown is of other settings: open the file again." : null;
  const earlier = task.text !== now.text;
  const planned = others || !same(task.planning, now.planning) || (task.do === "verify" && task.follow !== now.follow);
  const of = [earlier ? "an earlier text" : null, planned ? "other settings" : null].filter((each) => each !== null);
  return of.length ? `Verdict, path and plots are of ${of.join(" and ")}: run again.` : null;
}

/** Whether two settings say the same: what is null, or as by default, is not said. */
function same(a: Settings | Planning | undefined, b: Settings | Planning | undefined): boolean {
  return said(a) === said(b);
}

const said = (settings: Settings | Planning = {}): string =>
  JSON.stringify(Object.entries(settings).filter(([key, value]) => value !== null && value !== undefined && !(key === "status" && value === "ignore")).sort(([a], [b]) => (a < b ? -1 : 1)));
