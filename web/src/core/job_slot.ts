import type { Progress } from "../messages";
import type { Cell } from "./cell";
import { cell } from "./cell";
import type { Answer, Asked, Job, Kind, Result } from "./connection";
import { ServerError } from "./connection";
import type { Studio } from "./studio";

/** A job under way, as the page shows it. */
export interface Work {
  title: string;
  progress: Progress;
}

/** A place for one job at a time: how far it is, why it failed, and how to stop it. */
export class JobSlot {
  readonly work: Cell<Work | null> = cell<Work | null>(null);
  readonly failure: Cell<ServerError | null> = cell<ServerError | null>(null);
  private job: Job<unknown> | null = null;

  constructor(private readonly studio: Studio) {}

  /** Does a job; null if it failed, was stopped, or another is under way. */
  async perform<K extends Kind>(title: string, kind: K, asked: Asked<K>): Promise<Answer<Result<K>> | null> {
    if (this.job) return null;
    this.failure.set(null);
    this.work.set({ title, progress: { fraction: null, text: "", queued: false } });
    const job = this.studio.connection.job(kind, asked, (progress) => this.work.set({ title, progress }));
    this.job = job;
    try {
      return await job.answer;
    } catch (error) {
      if (error instanceof ServerError && !error.cancelled) this.failure.set(error);
      else this.studio.notes.complain(error);
      return null;
    } finally {
      this.job = null;
      this.work.set(null);
    }
  }

  cancel(): void {
    this.job?.cancel();
  }
}
