import type { State } from "./state";

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

/** Where the clock is after `elapsed` seconds: round again if looped, else it stops at the end. */
export function advance(t: number, elapsed: number, end: number, loop: boolean): { t: number; ended: boolean } {
  const next = t + elapsed;
  if (next < end) return { t: next, ended: false };
  if (loop && end > 0) return { t: next % end, ended: false };
  return { t: end, ended: true };
}

/** Moves the time while playing, once a frame of the screen. */
export class Playback {
  private before: number | null = null;

  constructor(private readonly state: State) {
    state.playing.on((playing) => {
      this.before = null;
      if (playing) requestAnimationFrame(this.frame);
    });
    state.run.on(() => {
      state.playing.set(false);
    });
  }

  toggle(): void {
    const { run, playing, time } = this.state;
    const current = run.get();
    if (!current) return;
    if (!playing.get() && time.get() >= current.end - 1e-6) time.set(0);
    playing.set(!playing.get());
  }

  /** Shows a time and stands still there. */
  goto(t: number): void {
    const end = this.state.run.get()?.end ?? 0;
    this.state.playing.set(false);
    this.state.time.set(Math.min(end, Math.max(0, t)));
  }

  /** One sample, or one move, forward or back. */
  step(direction: 1 | -1): void {
    const run = this.state.run.get();
    if (run) this.goto(run.step(this.state.time.get(), direction));
  }

  stepMove(direction: 1 | -1): void {
    const run = this.state.run.get();
    if (!run) return;
    const t = this.state.time.get();
    const begins = run.info.moves.map((move) => run.sampleFrom(move.begin));
    const wanted = direction > 0 ? begins.find((begin) => begin > t + 1e-6) : begins.findLast((begin) => begin < t - 1e-6);
    this.goto(wanted ?? (direction > 0 ? run.end : 0));
  }

  private readonly frame = (now: number): void => {
    const { state } = this;
    const run = state.run.get();
    if (!state.playing.get() || !run) return;
    if (this.before !== null) {
      const elapsed = ((now - this.before) / 1000) * state.speed.get();
      const { t, ended } = advance(state.time.get(), elapsed, run.end, state.loop.get());
      state.time.set(t);
      if (ended) {
        state.playing.set(false);
        return;
      }
    }
    this.before = now;
    requestAnimationFrame(this.frame);
  };
}
