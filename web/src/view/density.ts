const DENSITIES = [1, 0.7, 0.5]; // pixels of a moving picture for one of the page
const LATE = 25; // milliseconds from one frame to the next: more is seen as a jerk, and a jerk is worse than coarse edges
const JUDGED = 10; // frames that are looked at before it is said that they come late
const BETTER = 0.9; // of the time before: else it was not the picture that took it

/** How densely a moving picture is drawn: as finely as frames still come in time. */
export class Density {
  private level = 0;
  private frames = 0;
  private sum = 0;
  /** How long frames took before the last step, if that has still to show what it brings. */
  private before: number | null = null;
  private settled = false;

  get ratio(): number {
    return DENSITIES[this.level];
  }

  /** Takes how long a frame was on the screen, in milliseconds. */
  took(milliseconds: number): void {
    this.frames += 1;
    this.sum += Math.min(milliseconds, 2 * LATE); // one that took much longer was held up by something else
    if (this.frames < JUDGED) return;
    this.judge(this.sum / this.frames);
    this.begin();
  }

  /** The picture stands: the next motion begins a little finer, others may have kept the machine busy. */
  rest(): void {
    this.level = Math.max(0, this.level - 1);
    this.before = null;
    this.settled = false;
    this.begin();
  }

  private judge(mean: number): void {
    if (this.before !== null && mean > BETTER * this.before) {
      this.level -= 1;
      this.settled = true;
    } else if (!this.settled && mean > LATE && this.level < DENSITIES.length - 1) {
      this.before = mean;
      this.level += 1;
      return;
    }
    this.before = null;
  }

  private begin(): void {
    this.frames = 0;
    this.sum = 0;
  }
}
