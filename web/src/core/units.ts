/** What people read: degrees and millimetres, a few digits. */
export type Kind = "revolute" | "prismatic";

const DEGREE = 180 / Math.PI;

/** Factor from SI to what is shown of a joint's position. */
export const shownFactor = (kind: string): number => (kind === "prismatic" ? 1000 : DEGREE);
export const shownUnit = (kind: string): string => (kind === "prismatic" ? "mm" : "°");
export const toDegrees = (angle: number): number => angle * DEGREE;
export const toRadians = (angle: number): number => angle / DEGREE;

/** A number with about `digits` that count, without an exponent where it can be helped. */
export function figure(value: number | null | undefined, digits = 3): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e6 || size < 1e-4)) return signed(value.toExponential(digits - 1));
  const before = size < 1 ? 0 : Math.floor(Math.log10(size));
  return signed(value.toFixed(Math.max(0, digits - 1 - before)));
}

/** A number with as many decimals as asked. */
export const fixed = (value: number, decimals: number): string => signed(value.toFixed(decimals));

/** A joint's position with its unit. */
export const shownPosition = (kind: string, position: number, decimals = 0): string =>
  `${fixed(position * shownFactor(kind), decimals)}${kind === "prismatic" ? " mm" : "°"}`;

/** Joints' names where it is plain that they are joints of one robot: without what all of them begin or end with. */
export function shortNames(names: string[]): string[] {
  const plain = names.map((name) => name.replace(/_joint$/, ""));
  const prefixes = [...(plain[0] ?? "").matchAll(/_/g)].map(({ index }) => plain[0].slice(0, index + 1));
  const common = prefixes.findLast((prefix) => plain.every((name) => name.startsWith(prefix) && /^[A-Za-z]/.test(name.slice(prefix.length))));
  return plain.map((name) => name.slice(common?.length ?? 0));
}

/** A number with `digits` that count, however small it is. */
export function significant(value: number, digits = 3): string {
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 1e6 || size < 1e-4) return signed(value.toExponential(digits - 1));
  return signed(value.toFixed(Math.max(0, digits - 1 - Math.floor(Math.log10(size)))));
}

/** An instant or a duration, to a millisecond, as the command line has it. */
export const seconds = (t: number): string => `${t.toFixed(3)} s`;

/** The true minus sign, and no minus before a zero. */
function signed(text: string): string {
  if (!text.startsWith("-")) return text;
  return /^-[0.]*$/.test(text) ? text.slice(1) : `−${text.slice(1)}`;
}
