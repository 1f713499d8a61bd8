import type { Channel, DownloadRequest, Move, PayloadScene, RunResult, TermsRequest } from "../messages";
import type { Block, Blocks } from "./binary";
import { blend, ROW } from "./placement";
import { indexAt, placeAt, rowAt } from "./series";

/** The request that made a run: what more is asked about it names it so. */
export type RunTask = TermsRequest["of"] & DownloadRequest["of"];

const NOTHING = new Float32Array(0);

/** A run that was received whole: what is where at any time, without asking again. */
export class Run {
  readonly times: Float32Array;
  readonly programmedTimes: Float32Array;
  readonly end: number;
  /** What can be plotted: of the run, and what was asked for later. */
  readonly channels: Channel[];

  constructor(
    readonly task: RunTask,
    readonly info: RunResult,
    readonly blocks: Blocks,
  ) {
    this.times = this.values("time");
    this.programmedTimes = blocks.time_programmed ? this.values("time_programmed") : this.times;
    this.channels = [...info.channels];
    this.end = Math.max(last(this.times), last(this.programmedTimes));
  }

  values(name: string): Float32Array {
    return (this.blocks[name] as Block | undefined)?.values ?? NOTHING;
  }

  /** Takes more about the same times, the terms of the torques for one. */
  add(channels: Channel[], blocks: Blocks): void {
    Object.assign(this.blocks, blocks);
    this.channels.push(...channels);
  }

  has(name: string): boolean {
    return this.values(name).length > 0;
  }

  /** Placements of all bodies and the tool at a time, seven numbers each. */
  posesAt(t: number): Float32Array {
    const block = this.blocks.poses as Block | undefined;
    if (!block) return NOTHING;
    const width = block.shape[1] * ROW;
    const out = new Float32Array(width);
    const { index, next, share } = placeAt(this.times, t);
    for (let at = 0; at < width; at += ROW) {
      blend(block.values, index * width + at, next * width + at, share, out, at);
    }
    return out;
  }

  /** The row of an array (joint positions, torques) at a time. */
  rowAt(name: string, t: number): number[] | null {
    const block = this.blocks[name] as Block | undefined;
    if (!block) return null;
    const times = name.endsWith("_programmed") ? this.programmedTimes : this.times;
    return rowAt(block.values, block.shape[1] ?? 1, placeAt(times, t));
  }

  /** The program line that is executed at a time. */
  lineAt(t: number): number | null {
    const lines = this.values("line");
    if (lines.length === 0) return null;
    const line = lines[indexAt(this.times, Math.fround(t))]; // times are rounded so, too
    return Number.isFinite(line) && line > 0 ? line : null;
  }

  moveAt(t: number): Move | null {
    return this.info.moves.find((move) => t >= move.begin && t <= endOf(move)) ?? null;
  }

  /** What is held at a time. */
  payloadsAt(t: number): PayloadScene[] {
    const phase = this.info.phases.find(({ begin, end }) => t >= begin && t <= end);
    return phase?.payloads ?? this.info.robot.payloads;
  }

  /** The time of the first sample that is not before `t`: where a move begins, the one before is still of the last. */
  sampleFrom(t: number): number {
    const { times } = this;
    const index = indexAt(times, t);
    return times[index] < t - 1e-6 ? times[Math.min(index + 1, times.length - 1)] : times[index];
  }

  /** The time of the sample before or after. */
  step(t: number, direction: 1 | -1): number {
    const { times } = this;
    const index = indexAt(times, t);
    if (direction > 0) return times[Math.min(index + 1, times.length - 1)];
    const reached = times[index] < t - 1e-6 ? index : index - 1;
    return times[Math.max(0, reached)];
  }
}

/** When a move really ends. */
export const endOf = (move: Move): number => move.achieved_end ?? move.end;

const last = (times: Float32Array): number => (times.length ? times[times.length - 1] : 0);
