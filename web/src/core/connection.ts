import type { Blocks } from "./binary";
import { readBinary } from "./binary";
import type { AnyEvent, Failure, Progress, Requests } from "../messages";
import type { Cell } from "./cell";
import { cell } from "./cell";

export type Status = "connecting" | "connected" | "lost";

export type Kind = keyof Requests;
/** A request without its number: what is asked, and about what. */
export type Asked<K extends Kind> = Omit<Requests[K]["request"], "id" | "do">;
export type Result<K extends Kind> = Requests[K]["result"];

/** What the server says when it cannot: a sentence, and where in a text. */
export class ServerError extends Error {
  constructor(
    message: string,
    readonly line: number | null = null,
    readonly column: number | null = null,
    readonly cancelled = false,
    /** A file there is not the one that was read: it can be overwritten all the same. */
    readonly conflict = false,
  ) {
    super(message);
    this.name = "ServerError";
  }
}

/** The connection ended before an answer came. */
export class ConnectionLost extends Error {
  constructor() {
    super("the connection to the studio's server was lost; it is tried again");
    this.name = "ConnectionLost";
  }
}

export interface Answer<R> {
  result: R;
  blocks: Blocks;
}

interface Pending {
  resolve: (answer: Answer<never>) => void;
  reject: (error: Error) => void;
  progress: ((progress: Progress) => void) | undefined;
}

interface Incoming {
  id?: number;
  result?: never;
  error?: Failure;
  progress?: Progress;
  event?: string;
}

const PAUSES = [250, 500, 1000, 2000];

/** A request under way: its answer, and how to stop it. */
export interface Job<R> {
  answer: Promise<Answer<R>>;
  cancel: () => void;
}

/** The websocket to the server: requests with answers, events, and a new try when it is lost. */
export class Connection {
  readonly status: Cell<Status> = cell<Status>("connecting");
  private socket: WebSocket | null = null;
  private next = 1;
  private tries = 0;
  private readonly pending = new Map<number, Pending>();
  private readonly listeners = new Set<(event: AnyEvent, blocks: Blocks) => void>();

  constructor(private readonly url: string) {}

  open(): void {
    const socket = new WebSocket(this.url);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.tries = 0;
      this.status.set("connected");
    };
    socket.onmessage = (message: MessageEvent<string | ArrayBuffer>) => {
      this.receive(message.data);
    };
    socket.onclose = () => {
      this.lose();
    };
    this.socket = socket;
  }

  /** Asks and waits for the answer. */
  async ask<K extends Kind>(kind: K, asked: Asked<K>): Promise<Result<K>> {
    return (await this.job(kind, asked).answer).result;
  }

  /** Starts a job that tells of its progress and can be stopped. */
  job<K extends Kind>(kind: K, asked: Asked<K>, progress?: (progress: Progress) => void): Job<Result<K>> {
    const id = this.next;
    this.next += 1;
    const answer = new Promise<Answer<Result<K>>>((resolve, reject) => {
      if (this.socket?.readyState !== WebSocket.OPEN) {
        reject(new ConnectionLost());
        return;
      }
      this.pending.set(id, { resolve: resolve as Pending["resolve"], reject, progress });
      this.send({ id, do: kind, ...asked });
    });
    return { answer, cancel: () => this.cancel(id) };
  }

  /** Listens to what the server says unasked. */
  onEvent(listener: (event: AnyEvent, blocks: Blocks) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private cancel(job: number): void {
    if (!this.pending.has(job) || this.socket?.readyState !== WebSocket.OPEN) return;
    const id = this.next;
    this.next += 1;
    this.send({ id, do: "cancel", job });
  }

  private send(message: Record<string, unknown>): void {
    this.socket?.send(JSON.stringify(message));
  }

  private receive(data: string | ArrayBuffer): void {
    const { json, blocks } = typeof data === "string" ? { json: JSON.parse(data) as Incoming, blocks: {} } : readBinary(data);
    const message = json as Incoming;
    if (message.event !== undefined) {
      for (const listener of [...this.listeners]) listener(json as unknown as AnyEvent, blocks);
    } else if (message.id !== undefined) {
      this.settle(message.id, message, blocks);
    }
  }

  private settle(id: number, message: Incoming, blocks: Blocks): void {
    const waiting = this.pending.get(id);
    if (!waiting) return;
    if (message.progress) {
      waiting.progress?.(message.progress);
      return;
    }
    this.pending.delete(id);
    if (message.error) {
      const { message: sentence, line, column, cancelled, conflict } = message.error;
      waiting.reject(new ServerError(sentence, line, column, cancelled, conflict));
    } else {
      waiting.resolve({ result: message.result as never, blocks });
    }
  }

  private lose(): void {
    this.status.set("lost");
    const ended = [...this.pending.values()];
    this.pending.clear();
    for (const waiting of ended) waiting.reject(new ConnectionLost());
    const pause = PAUSES[Math.min(this.tries, PAUSES.length - 1)];
    this.tries += 1;
    setTimeout(() => {
      this.open();
    }, pause);
  }
}
