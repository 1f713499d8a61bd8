/**
 * One request in flight, the latest waits: what a slider asks for while an answer is under way
 * replaces what waited before.
 */
export class Latest<T> {
  private waiting: T | undefined;
  private busy = false;

  constructor(
    private readonly ask: (wanted: T) => Promise<void>,
    private readonly told: (busy: boolean) => void = () => undefined,
  ) {}

  want(wanted: T): void {
    this.waiting = wanted;
    if (!this.busy) void this.work();
  }

  private async work(): Promise<void> {
    this.busy = true;
    this.told(true);
    while (this.waiting !== undefined) {
      const wanted = this.waiting;
      this.waiting = undefined;
      await this.ask(wanted);
    }
    this.busy = false;
    this.told(false);
  }
}
