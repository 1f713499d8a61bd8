import type { Progress } from "../messages";
import type { Cell } from "./cell";
import { cell } from "./cell";
import type { Answer, Asked, Kind, Result } from "./connection";
import { ConnectionLost, ServerError } from "./connection";
import type { Studio } from "./studio";

/** A job under way, as the page shows it. */
export interface Work {
  title: string;
  progress: Progress;
}

type Tell = (progress: Progress) => void;

const progress = (text: string): Progress => ({ fraction: null, text, queued: false });

/** A place for one job at a time: how far it is, why it failed, and how to stop it. */
export class JobSlot {
  readonly work: Cell<Work | null> = cell<Work | null>(null);
  readonly failure: Cell<ServerError | null> = cell<ServerError | null>(null);
  private stop: (() => void) | null = null;

  constructor(private readonly studio: Pick<Studio, "connection" | "notes">) {}

  /** Does a job; null if it failed, was stopped, or another is under way. */
  async perform<K extends Kind>(title: string, kind: K, asked: Asked<K>): Promise<Answer<Result<K>> | null> {
    if (this.work.get()) return null;
    const tell: Tell = (progress) => this.work.set({ title, progress });
    this.failure.set(null);
    tell(progress(""));
    try {
      return await this.answered(kind, asked, tell);
    } catch (error) {
      if (error instanceof ConnectionLost) this.refuse("The connection to the studio's server was lost again, and this work with it: start it again.");
      else if (error instanceof ServerError && !error.cancelled) this.failure.set(error);
      else this.studio.notes.complain(error);
      return null;
    } finally {
      this.stop = null;
      this.work.set(null);
    }
  }

  /** Says why a job is not even begun. */
  refuse(why: string): void {
    this.failure.set(new ServerError(why));
  }

  cancel(): void {
    this.stop?.();
  }

  /** A job that is lost with its server is begun again, once, when there is one: it says all that it needs. */
  private async answered<K extends Kind>(kind: K, asked: Asked<K>, tell: Tell): Promise<Answer<Result<K>>> {
    try {
      return await this.begun(kind, asked, tell);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
    }
    tell(progress("connection lost; begun again when it is back"));
    await this.connected();
    return this.begun(kind, asked, tell);
  }

  private begun<K extends Kind>(kind: K, asked: Asked<K>, tell: Tell): Promise<Answer<Result<K>>> {
    const job = this.studio.connection.job(kind, asked, tell);
    this.stop = job.cancel;
    return job.answer;
  }

  private connected(): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = this.studio.connection.status.on((status) => {
        if (status !== "connected") return;
        leave();
        resolve();
      });
      this.stop = () => {
        leave();
        reject(new ServerError("cancelled", null, null, true));
      };
    });
  }
}
