const PATIENCE = 150; // milliseconds after which an answer is slow

/**
 * One request in flight, the latest waits: what a slider asks for while an answer is under way
 * replaces what waited before. `slow` is told when an answer takes long, and when it is there.
 */
export class Latest<T> {
  private waiting: T | undefined;
  private busy = false;

  constructor(
    private readonly ask: (wanted: T) => Promise<void>,
    private readonly slow: (slow: boolean) => void = () => undefined,
  ) {}

  want(wanted: T): void {
    this.waiting = wanted;
    if (!this.busy) void this.work();
  }

  private async work(): Promise<void> {
    this.busy = true;
    while (this.waiting !== undefined) {
      const wanted = this.waiting;
      this.waiting = undefined;
      const due = setTimeout(() => this.slow(true), PATIENCE);
      await this.ask(wanted);
      clearTimeout(due);
      this.slow(false);
    }
    this.busy = false;
  }
}
