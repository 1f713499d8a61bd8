import type { StateRequest, StateResult } from "../messages";
import { ConnectionLost } from "./connection";
import { Latest } from "./latest";
import type { Layer, Posture, State } from "./state";
import type { Studio } from "./studio";

type Wish = NonNullable<StateRequest["want"]>[number];

const FOR_LAYERS: Partial<Record<Layer, Wish>> = { ellipsoid: "ellipsoid", polytope: "polytope", reactions: "reactions" };
const FOR_POSE: Wish[] = ["gravity", "mass_matrix", "motor"];

/** What the server is asked about a posture: what is on the page, no more. */
export function wanted(state: State): Wish[] {
  const want = new Set<Wish>(state.tab.get() === "pose" ? FOR_POSE : []);
  for (const layer of state.layers.get()) {
    const name = FOR_LAYERS[layer];
    if (name) want.add(name);
  }
  return [...want];
}

/** Keeps the snapshot of the posture shown: one request in flight, the latest wins. */
export function followPosture(studio: Studio): void {
  const { state, connection, notes } = studio;
  const latest = new Latest<Posture>(async (posture) => {
    const robot = state.robot.get();
    if (!robot) return;
    try {
      const { q, qd, qdd } = posture;
      const moving = qd ? { qd, qdd: qdd ?? q.map(() => 0) } : {};
      const snapshot = await connection.ask("state", { robot: robot.robot, q, ...moving, want: wanted(state), settings: state.settings.get() });
      take(state, posture, snapshot);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) notes.complain(error);
    }
  }, (computing) => state.computing.set(computing));
  const ask = () => {
    const posture = state.posture.get();
    if (!posture || state.robot.get()?.n !== posture.q.length) return;
    if (posture.from === "pose" || wanted(state).length > 0) latest.want(posture);
  };
  for (const source of [state.posture, state.settings, state.layers, state.tab, state.robot]) source.on(ask);
  state.time.on(() => {
    followRun(state);
  });
  state.run.on((run) => {
    if (run) followRun(state);
    else {
      state.time.set(0);
      state.line.set(null);
    }
  });
}

function take(state: State, posture: Posture, snapshot: StateResult): void {
  if (posture.q.length !== state.robot.get()?.n) return; // another robot since
  state.snapshot.set(snapshot); // numbers first, the picture is drawn with the next frame
  if (state.posture.get()?.from === "pose" && posture.from === "pose") state.poses.set(Float32Array.from(snapshot.poses.flat()));
}

/** The posture of the run at the time shown. */
function followRun(state: State): void {
  const run = state.run.get();
  if (!run) return;
  const t = state.time.get();
  state.poses.set(run.posesAt(t));
  const q = run.rowAt("q", t);
  if (q) state.posture.set({ from: "run", q, qd: run.rowAt("qd", t), qdd: run.rowAt("qdd", t) });
  state.line.set(run.lineAt(t));
}
