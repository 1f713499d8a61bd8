/** What is plotted where nobody has chosen, the most telling first. */
export const FIRST = ["motor_torque", "motor_speed", "qd", "tau", "q"];
export const FIRST_COUNT = 3;

/** The plots of a run: of those that are wanted what it has, filled up where it lacks some. */
export function plotsOf(wanted: readonly string[], has: (name: string) => boolean): string[] {
  const kept = wanted.filter(has);
  const others = FIRST.filter((name) => has(name) && !kept.includes(name));
  const room = Math.min(wanted.length || FIRST_COUNT, FIRST_COUNT) - kept.length;
  return [...kept, ...others.slice(0, Math.max(0, room))];
}
