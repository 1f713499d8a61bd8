const DENSITIES = [1, 0.7, 0.5]; // pixels of a moving picture for one of the page
const LATE = 25; // milliseconds from one frame to the next: more is seen as a jerk, and a jerk is worse than coarse edges
const JUDGED = 10; // frames that are looked at before it is said that they come late

/** How densely a moving picture is drawn: as finely as frames still come in time. */
export class Density {
  private level = 0;
  private frames = 0;
  private sum = 0;

  get ratio(): number {
    return DENSITIES[this.level];
  }

  /** Takes how long a frame was on the screen, in milliseconds. */
  took(milliseconds: number): void {
    this.frames += 1;
    this.sum += milliseconds;
    if (this.frames < JUDGED) return;
    if (this.sum > LATE * this.frames) this.level = Math.min(this.level + 1, DENSITIES.length - 1);
    this.begin();
  }

  /** The picture stands: the next motion begins a little finer, others may have kept the machine busy. */
  rest(): void {
    this.level = Math.max(0, this.level - 1);
    this.begin();
  }

  private begin(): void {
    this.frames = 0;
    this.sum = 0;
  }
}
