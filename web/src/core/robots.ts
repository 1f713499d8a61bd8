import type { RobotScene } from "../messages";
import type { Studio } from "./studio";

const MOST_NAMED = 3;

/** Shows a robot of the catalog or of a file, at its home; the run of another is put away. */
export async function openRobot(studio: Studio, name: string): Promise<void> {
  const { state, connection, notes } = studio;
  try {
    const robot = await connection.ask("robot", { robot: name, settings: state.settings.get() });
    state.run.set(null);
    showRobot(studio, robot);
  } catch (error) {
    notes.complain(error);
  }
}

/** Takes a scene as the robot shown; a posture that fits is kept. */
export function showRobot(studio: Studio, robot: RobotScene): void {
  const { state } = studio;
  const same = state.robot.get()?.robot === robot.robot && state.posture.get()?.q.length === robot.n;
  state.robot.set(robot);
  if (!same) {
    if (robot.missing_meshes.length) studio.notes.say(missingMeshes(robot.missing_meshes), "bad");
    state.axis.set(null);
    state.posture.set({ from: "pose", q: robot.home, qd: null, qdd: null });
  }
}

/** Shows the robot that a program names, or the one given otherwise; a file that was chosen stays. */
export async function showProgramRobot(studio: Studio, text: string, otherwise: string | null = null): Promise<void> {
  const { state, connection } = studio;
  const { robot } = await connection.ask("check", { text });
  const wanted = robot ?? otherwise;
  if (wanted !== null && wanted !== state.robot.get()?.robot && chosenFile(studio) === null) await openRobot(studio, wanted);
}

/** The file of the robot shown; null where that is one of the catalog. */
export function chosenFile({ state }: Studio): string | null {
  const shown = state.robot.get()?.robot ?? null;
  return state.hello.get()?.robots.some(({ name }) => name === shown) ? null : shown;
}

/** Which meshes of a robot's file are not there. */
export function missingMeshes(names: string[]): string {
  const shown = names.slice(0, MOST_NAMED).map((name) => `"${name}"`).join(", ");
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
  return `${names.length} ${names.length === 1 ? "mesh is" : "meshes are"} not found below the folder, simple bodies are drawn instead: ${shown}${more}.`;
}

/** The robot that a program is run with: a file that was chosen, else the one that its text names, else the one shown. */
export function robotOfProgram(studio: Studio) {
  const { robot, settings } = studio.state;
  return { robot: chosenFile(studio), otherwise: robot.get()?.robot ?? null, settings: settings.get() };
}
