import type { Cell } from "../core/cell";
import { cell } from "../core/cell";
import type { Answer } from "../core/connection";
import { JobSlot } from "../core/job_slot";
import { robotOfProgram, showRobot } from "../core/robots";
import type { RunTask } from "../core/run";
import { Run } from "../core/run";
import type { Studio } from "../core/studio";
import type { Planning, RunResult, Suggestion, VerifyTask } from "../messages";
import { tooLong } from "./text_limit";

export type Follow = NonNullable<VerifyTask["follow"]>;

/** Verifies programs and finds better speeds: one job at a time, with progress, stopped on demand. */
export class Runner {
  readonly slot: JobSlot;
  readonly follow: Cell<Follow> = cell<Follow>("position");
  readonly planning: Cell<Planning>;

  constructor(private readonly studio: Studio) {
    this.slot = new JobSlot(studio);
    this.planning = studio.state.planning;
  }

  /** Runs a text; the run is shown when it is there. */
  async verify(text: string): Promise<void> {
    const long = tooLong(text);
    if (long !== null) {
      this.slot.refuse(long);
      return;
    }
    const asked = { ...this.planned(text), follow: this.follow.get() };
    const answer = await this.slot.perform("Verifying", "verify", asked);
    if (answer) this.take({ do: "verify", ...asked }, answer);
  }

  /** The text that a suggestion leads to; null where there is none. */
  async better(text: string, suggestion: Suggestion): Promise<string | null> {
    if (suggestion.action === "slow") {
      const turning = suggestion.turn_acceleration ?? this.planning.get().turn_acceleration;
      const asked = { ...this.program(text), shares: suggestion.shares ?? {}, turn_acceleration: turning, program: suggestion.program };
      const slowed = await this.slot.perform("Changing the program", "slow", asked);
      return slowed?.result.text ?? null;
    }
    const asked = { ...this.planned(text), mode: suggestion.mode ?? ("uniform" as const) };
    const answer = await this.slot.perform("Retiming", "retime", asked);
    const retimed = answer?.result.retimed;
    if (!answer || !retimed) return null;
    if (retimed.text === null) this.take({ do: "retime", ...asked }, answer); // the motion alone is shown
    return retimed.text;
  }

  /** Opens the file of a run or a recording. */
  async openRun(file: string): Promise<void> {
    const asked = { file, settings: this.studio.state.settings.get() };
    const answer = await this.slot.perform("Opening", "run_file", asked);
    if (answer) this.take({ do: "run_file", ...asked }, answer);
  }

  private program(text: string) {
    const { state } = this.studio;
    return { text, name: state.document.get().name, ...robotOfProgram(this.studio) };
  }

  private planned(text: string) {
    return { ...this.program(text), planning: this.planning.get() };
  }

  private take(task: RunTask, { result, blocks }: Answer<RunResult>): void {
    const { state } = this.studio;
    showRobot(this.studio, result.robot);
    state.time.set(0);
    state.run.set(new Run(task, result, blocks));
  }
}
