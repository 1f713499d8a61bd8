import { Color } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { ROW } from "../core/placement";
import type { Run } from "../core/run";
import { token } from "../core/theme";
import { utilisationColour } from "./utilisation";

const SAME = 1e-7; // points closer than this are one: the tool stands

/** The path that the tool really takes, coloured by the most used motor. */
export function achievedPath(run: Run): Line2 | null {
  const block = run.blocks.poses;
  if (!block) return null;
  const width = block.shape[1] * ROW;
  const shares = run.values("utilisation");
  const points: number[] = [];
  const colours: number[] = [];
  const linear = new Color();
  for (let i = 0; i < block.shape[0]; i += 1) {
    const at = (i + 1) * width - ROW;
    if (!farEnough(points, block.values, at)) continue;
    points.push(block.values[at], block.values[at + 1], block.values[at + 2]);
    const [r, g, b] = utilisationColour(shares.length ? shares[i] : NaN);
    linear.setRGB(r, g, b, "srgb");
    colours.push(linear.r, linear.g, linear.b);
  }
  return line(points, colours, new LineMaterial({ vertexColors: true, linewidth: 3.2 }));
}

/** The path that the program asks for, dashed. */
export function programmedPath(run: Run, size: number): Line2 | null {
  const block = run.blocks.tool_programmed;
  if (!block) return null;
  const points: number[] = [];
  for (let i = 0; i < block.shape[0]; i += 1) {
    const at = (i + 1) * ROW - ROW;
    if (farEnough(points, block.values, at)) points.push(block.values[at], block.values[at + 1], block.values[at + 2]);
  }
  const dash = size * 0.014;
  const material = new LineMaterial({ color: new Color(token("programmed")).getHex(), linewidth: 1.8, dashed: true, dashSize: dash, gapSize: dash });
  const path = line(points, null, material);
  path?.computeLineDistances();
  return path;
}

function farEnough(points: number[], values: Float32Array, at: number): boolean {
  const n = points.length;
  return n === 0 || Math.hypot(values[at] - points[n - 3], values[at + 1] - points[n - 2], values[at + 2] - points[n - 1]) > SAME;
}

function line(points: number[], colours: number[] | null, material: LineMaterial): Line2 | null {
  if (points.length < 6) return null;
  const geometry = new LineGeometry();
  geometry.setPositions(points);
  if (colours) geometry.setColors(colours);
  const path = new Line2(geometry, material);
  path.matrixAutoUpdate = false;
  path.frustumCulled = false;
  return path;
}
