/** Colours of a motor's utilisation: calm below 60 %, amber near its limit, red and darker above. */
export const STOPS: [number, string][] = [
  [0, "#2f6fce"],
  [0.6, "#23a58c"],
  [0.85, "#e5a82a"],
  [1, "#dc3f2c"],
  [1.3, "#8e1457"],
];

type Rgb = [number, number, number];

/** Red, green and blue in [0, 1] of a share of what the most used motor can give. */
export function utilisationColour(share: number): Rgb {
  if (!Number.isFinite(share)) return rgb("#8a93a0");
  const above = STOPS.findIndex(([at]) => at >= share);
  if (above === 0) return rgb(STOPS[0][1]);
  if (above < 0) return rgb(STOPS[STOPS.length - 1][1]);
  const [low, from] = STOPS[above - 1];
  const [high, to] = STOPS[above];
  const part = (share - low) / (high - low);
  const [a, b] = [rgb(from), rgb(to)];
  return [0, 1, 2].map((i) => a[i] + (b[i] - a[i]) * part) as Rgb;
}

function rgb(hex: string): Rgb {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255) as Rgb;
}
