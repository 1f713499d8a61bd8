/**
 * Which points of a line are needed so that no other lies farther than one unit beside it, by halving at the farthest point
 * (Ramer, Douglas and Peucker). A point has `width` coordinates, each already divided by what may be missed of it.
 */
export function simplified(points: ArrayLike<number>, width: number): number[] {
  const count = Math.floor(points.length / width);
  if (count < 3) return Array.from({ length: count }, (_, i) => i);
  const kept = new Set([0, count - 1]);
  const stretches: [number, number][] = [[0, count - 1]];
  for (let stretch = stretches.pop(); stretch; stretch = stretches.pop()) {
    const [from, to] = stretch;
    const { index, square } = farthest(points, width, from, to);
    if (square <= 1) continue;
    kept.add(index);
    stretches.push([from, index], [index, to]);
  }
  return [...kept].sort((a, b) => a - b);
}

function farthest(points: ArrayLike<number>, width: number, from: number, to: number): { index: number; square: number } {
  let found = { index: from, square: 0 };
  for (let i = from + 1; i < to; i += 1) {
    const square = squareToSegment(points, width, i, from, to);
    if (square > found.square) found = { index: i, square };
  }
  return found;
}

/** The square of the distance of a point from the segment between two others. */
function squareToSegment(points: ArrayLike<number>, width: number, point: number, from: number, to: number): number {
  let along = 0;
  let length = 0;
  for (let k = 0; k < width; k += 1) {
    const edge = points[to * width + k] - points[from * width + k];
    along += (points[point * width + k] - points[from * width + k]) * edge;
    length += edge * edge;
  }
  const share = length > 0 ? Math.min(1, Math.max(0, along / length)) : 0;
  let square = 0;
  for (let k = 0; k < width; k += 1) {
    const start = points[from * width + k];
    square += (points[point * width + k] - start - share * (points[to * width + k] - start)) ** 2;
  }
  return square;
}
