import type { FileEntry, Hello, Planning, RobotScene, Settings, StateResult } from "../messages";
import type { Cell } from "./cell";
import { cell, keptCell } from "./cell";
import type { Run } from "./run";

/** What the 3D view can show beside the arm. */
export const LAYERS = [
  "floor",
  "frames",
  "masses",
  "programmed",
  "achieved",
  "payload",
  "ellipsoid",
  "polytope",
  "reactions",
] as const;
export type Layer = (typeof LAYERS)[number];

export const TABS = ["program", "pose", "studies", "live"] as const;
export type Tab = (typeof TABS)[number];
export type Projection = "perspective" | "orthographic";
export type Theme = "system" | "light" | "dark";

/** Where the arm is: set by a slider, or read from the run at the time shown. */
export interface Posture {
  from: "pose" | "run";
  q: number[];
  qd: number[] | null;
  qdd: number[] | null;
}

/** The document in the editor. */
export interface Document {
  name: string;
  /** Its file; null until it is saved. */
  path: string | null;
  /** The example that it is, as the command line calls it. */
  example: string | null;
  /** Of its file, as it was read or saved last. */
  digest: string | null;
  saved: boolean;
}

/** All that the parts of the page share. */
export interface State {
  hello: Cell<Hello | null>;
  files: Cell<FileEntry[]>;
  robot: Cell<RobotScene | null>;
  settings: Cell<Settings>;
  /** How the program is planned, besides its text. */
  planning: Cell<Planning>;
  run: Cell<Run | null>;
  time: Cell<number>;
  playing: Cell<boolean>;
  speed: Cell<number>;
  loop: Cell<boolean>;
  posture: Cell<Posture | null>;
  poses: Cell<Float32Array>;
  snapshot: Cell<StateResult | null>;
  /** Whether a newer snapshot is under way, and takes long. */
  computing: Cell<boolean>;
  axis: Cell<number | null>;
  /** The plots that are shown, by the names of their channels. */
  plots: Cell<readonly string[]>;
  line: Cell<number | null>;
  document: Cell<Document>;
  tab: Cell<Tab>;
  layers: Cell<ReadonlySet<Layer>>;
  projection: Cell<Projection>;
  theme: Cell<Theme>;
  dark: Cell<boolean>;
}

export function newState(): State {
  return {
    hello: cell<Hello | null>(null),
    files: cell<FileEntry[]>([]),
    robot: cell<RobotScene | null>(null),
    settings: cell<Settings>({}),
    planning: cell<Planning>({}),
    run: cell<Run | null>(null),
    time: cell(0),
    playing: cell(false),
    speed: cell(1),
    loop: cell(false),
    posture: cell<Posture | null>(null),
    poses: cell<Float32Array>(new Float32Array(0)),
    snapshot: cell<StateResult | null>(null),
    computing: cell(false),
    axis: cell<number | null>(null),
    plots: cell<readonly string[]>([]),
    line: cell<number | null>(null),
    document: cell<Document>({ name: "program.lirl", path: null, example: null, digest: null, saved: true }),
    tab: cell<Tab>("program"),
    layers: cell<ReadonlySet<Layer>>(new Set<Layer>(["floor", "programmed", "achieved", "payload"])),
    projection: cell<Projection>("perspective"),
    theme: keptCell<Theme>("theme", "system"),
    dark: cell(false),
  };
}

/** Switches one layer on or off. */
export function switchLayer(state: State, layer: Layer, on: boolean): void {
  const layers = new Set(state.layers.get());
  if (on) layers.add(layer);
  else layers.delete(layer);
  state.layers.set(layers);
}
