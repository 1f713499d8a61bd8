import type { Blocks } from "../core/binary";
import { cell } from "../core/cell";
import { ConnectionLost } from "../core/connection";
import { openRobot } from "../core/robots";
import type { Studio } from "../core/studio";
import type { LiveBatch, LiveEvent, LiveScene, LiveStatus, LiveStream, LiveThreshold } from "../messages";
import { History } from "./history";

const CAPACITY = 12_000;
const PAST = 60;
const MOST_EVENTS = 100;
const POSTURES = 100; // [ms] between postures that the rest of the page is told of

/** The stream that is watched: what it is, how it is doing, its last minutes. */
export class Watch {
  readonly streams = cell<LiveStream[]>([]);
  readonly scene = cell<LiveScene | null>(null);
  readonly threshold = cell<LiveThreshold | null>(null);
  readonly status = cell<LiveStatus | null>(null);
  readonly events = cell<readonly LiveEvent[]>([]);
  /** Counts batches with samples. */
  readonly news = cell(0);
  /** Samples that this page was too slow for. */
  readonly skipped = cell(0);
  history = new History(0, 0);
  private on = false;
  private postureTold = 0;

  constructor(private readonly studio: Studio) {
    const { state, connection } = studio;
    connection.onEvent((event, blocks) => {
      if (event.event === "live") this.take(event, blocks);
      else if (event.event === "live_streams") this.meet(event.streams);
    });
    connection.status.on((status) => {
      if (status === "connected" && this.on) void this.begin();
      else if (status === "lost") this.status.set(null);
    });
    state.tab.watch((tab) => {
      if ((tab === "live") !== this.on) void (tab === "live" ? this.begin() : this.end());
    });
  }

  /** Watches a stream by its name, by default the one that was begun last. */
  async begin(name: string | null = this.scene.get()?.stream.name ?? null): Promise<void> {
    this.on = true;
    const known = this.streams.get().some((stream) => stream.name === name);
    await this.ask(async ({ connection }) => {
      const asked = { on: true, seconds: PAST };
      const { streams, watching } = await connection.ask("live_watch", known && name !== null ? { ...asked, stream: name } : asked);
      this.streams.set(streams);
      await this.show(watching);
    });
  }

  /** Changes what the torque is predicted with. */
  settings(change: Partial<Pick<LiveScene, "settings" | "window" | "velocity">>): Promise<void> {
    return this.ask(async ({ connection }) => {
      const scene = this.scene.get();
      if (!scene) return;
      const { settings, window, velocity } = { ...scene, ...change };
      this.scene.set(await connection.ask("live_settings", { settings, window, velocity }));
    });
  }

  alarm(change: { share?: number; absolute?: number[]; duration?: number }): Promise<void> {
    return this.ask(async ({ connection }) => {
      this.threshold.set(await connection.ask("live_alarm", change));
    });
  }

  record(on: boolean): Promise<void> {
    return this.ask(async ({ connection, notes }) => {
      const { path, samples } = await connection.ask("live_record", { on });
      notes.say(on ? `Recording to ${path}.` : `${path}: ${samples} samples.`, "good");
    });
  }

  private async end(): Promise<void> {
    this.on = false;
    const { state } = this.studio;
    const q = this.history.newest("q");
    if (q && q.length === state.robot.get()?.n) state.posture.set({ from: "pose", q, qd: null, qdd: null });
    await this.ask(({ connection }) => connection.ask("live_watch", { on: false }));
  }

  private async ask(what: (studio: Studio) => Promise<unknown>): Promise<void> {
    try {
      await what(this.studio);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) this.studio.notes.complain(error);
    }
  }

  /** A stream that was not there yet, or is of another robot now, is watched from its begin. */
  private meet(streams: LiveStream[]): void {
    this.streams.set(streams);
    if (!this.on) return;
    const now = this.scene.get()?.stream;
    const same = streams.find((stream) => stream.name === now?.name);
    if (streams.length && same?.number !== now?.number) void this.begin();
    else if (!now && streams.length) void this.begin();
  }

  private async show(scene: LiveScene | null): Promise<void> {
    const before = this.scene.get()?.stream.number;
    if (scene) {
      this.history = new History(scene.joints.length, CAPACITY);
      if (before !== scene.stream.number) {
        this.events.set([]);
        this.skipped.set(0);
      }
      this.threshold.set(scene.threshold);
      const { state } = this.studio;
      if (state.robot.get()?.robot !== scene.stream.robot || state.run.get()) await openRobot(this.studio, scene.stream.robot);
    }
    this.scene.set(scene);
  }

  private take(batch: LiveBatch, blocks: Blocks): void {
    if (!this.on || batch.stream !== this.scene.get()?.stream.name) return;
    if (batch.status) this.status.set(batch.status);
    if (batch.skipped) this.skipped.set(this.skipped.get() + batch.skipped);
    this.hear(batch.events);
    if (!blocks.time.values.length || blocks.q.shape[1] !== this.history.joints) return;
    this.history.add(batch.begin, blocks);
    this.news.set(this.news.get() + 1);
    this.follow(blocks);
  }

  private hear(events: LiveEvent[]): void {
    const known = this.events.get();
    const last = known.at(-1)?.number ?? -1;
    const fresh = events.filter((event) => event.number > last);
    if (fresh.length) this.events.set([...known, ...fresh].slice(-MOST_EVENTS));
  }

  /** The arm follows every batch; what is asked of the server about its posture is rarer. */
  private follow(blocks: Blocks): void {
    const { state } = this.studio;
    const poses = blocks.poses as Blocks[string] | undefined;
    if (!poses || state.robot.get()?.robot !== this.scene.get()?.stream.robot) return;
    state.poses.set(poses.values.slice());
    const now = performance.now();
    const q = this.history.newest("q");
    if (q && now - this.postureTold > POSTURES) {
      this.postureTold = now;
      state.posture.set({ from: "run", q, qd: this.history.newest("qd"), qdd: null });
    }
  }
}
