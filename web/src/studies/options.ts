/** Options of studies as they are typed: numbers, lists, or a value for each joint named. */
export type OptionValue = number | string | (number | string)[] | Record<string, unknown>;

/** What people call an option, and an example of it. */
export const OPTIONS: Record<string, [string, string]> = {
  joints: ["Joints", "1, 2, 3"],
  ranges: ["Ranges", "2=0:1.5, 3=-1:1"],
  velocity: ["Speeds", "1 or 1=0.5, 2=1"],
  acceleration: ["Accelerations", "1 or 1=0.5, 2=1"],
  share: ["Share of inertia torque", "0.1"],
  over: ["Curves over joint", "2"],
  natural_frequency: ["Natural frequency [rad/s]", "20"],
  damping: ["Damping", "1"],
  nominal: ["Gains for inertia", "smallest or home"],
  others: ["Other joints", "locked or free"],
  task: ["Task axes", "x, y, z"],
  measures: ["Measures", "isotropy, acceleration"],
  cells: ["Cells of the map", "40"],
  limits: ["Joint torques", "100"],
  effort: ["Effort (boxes searched)", "20000"],
  motions: ["Motions (files of the folder)", "the run that is shown"],
  candidates: ["Motors to choose from (file)", "motors.toml"],
  gears: ["Gear ratios", "50, 100"],
};

const number = (text: string): number | string => (text !== "" && Number.isFinite(Number(text)) ? Number(text) : text);

/** `2` is a number, `1, 2` a list, `1=0.5, 2=1` a value each, `2=0:1.5` a range each. */
export function parseOption(text: string): OptionValue | null {
  const parts = text.split(",").map((part) => part.trim()).filter(Boolean);
  if (parts.length === 0) return null;
  if (parts.every((part) => part.includes("="))) {
    return Object.fromEntries(
      parts.map((part) => {
        const [key, value] = part.split("=", 2).map((one) => one.trim());
        return [key, value.includes(":") ? value.split(":").map((one) => number(one.trim())) : number(value)];
      }),
    );
  }
  const values = parts.map(number);
  return values.length === 1 ? values[0] : values;
}

/** Options that are lists even where one is given. */
const LISTS = new Set(["joints", "task", "measures", "motions", "gears"]);

export function readOptions(typed: Record<string, string>): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(typed)) {
    const value = parseOption(text);
    if (value === null) continue;
    options[name] = LISTS.has(name) && !Array.isArray(value) ? [value] : value;
  }
  return options;
}
