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

/** A joint's name where it is plain that it is a joint. */
export const shortName = (name: string): string => name.replace(/_joint$/, "");

/** An instant or a duration, to a millisecond, as the command line has it. */
export const seconds = (t: number): string => `${t.toFixed(3)} s`;

/** The true minus sign, and no minus before a zero. */
function signed(text: string): string {
  if (!text.startsWith("-")) return text;
  return /^-[0.]*$/.test(text) ? text.slice(1) : `−${text.slice(1)}`;
}
