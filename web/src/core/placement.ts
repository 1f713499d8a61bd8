/** Placements as the server sends them: x y z qx qy qz qw, seven numbers a row. */
export const ROW = 7;

/** Blend of two placements: positions along the line, rotations along the shorter arc. */
export function blend(values: ArrayLike<number>, a: number, b: number, share: number, out: Float32Array, at: number): void {
  let dot = 0;
  for (let i = 3; i < ROW; i += 1) dot += values[a + i] * values[b + i];
  const sign = dot < 0 ? -1 : 1;
  let length = 0;
  for (let i = 0; i < ROW; i += 1) {
    const end = i < 3 ? values[b + i] : sign * values[b + i];
    const mixed = values[a + i] + (end - values[a + i]) * share;
    out[at + i] = mixed;
    if (i >= 3) length += mixed * mixed;
  }
  // Samples are close: a normalised straight blend of quaternions is within a hair of the arc.
  const scale = length > 0 ? 1 / Math.sqrt(length) : 1;
  for (let i = 3; i < ROW; i += 1) out[at + i] *= scale;
}
