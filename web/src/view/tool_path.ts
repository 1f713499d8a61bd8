import { BufferGeometry, Color, Float32BufferAttribute, Group, Line, LineBasicMaterial } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { ROW } from "../core/placement";
import type { Run } from "../core/run";
import { token } from "../core/theme";
import { simplified } from "./simplified";
import { FINELY, PLAINLY } from "./stage";
import { utilisationColour } from "./utilisation";

const MISSED = 5e-4; // of the robot's size that a line may pass beside a sample: nobody sees it
const MISSED_COLOUR = 0.05;

/** The path that the tool really takes, coloured by the most used motor. */
export function achievedPath(run: Run, size: number): Group | null {
  const block = run.blocks.poses;
  if (!block) return null;
  const width = block.shape[1] * ROW;
  const shares = run.values("utilisation");
  const colours: number[] = [];
  const points: number[] = [];
  const linear = new Color();
  for (let i = 0; i < block.shape[0]; i += 1) {
    points.push(...pointAt(block.values, (i + 1) * width - ROW));
    linear.setRGB(...utilisationColour(shares.length ? shares[i] : NaN), "srgb");
    colours.push(linear.r, linear.g, linear.b);
  }
  return line(points, colours, size, new LineMaterial({ vertexColors: true, linewidth: 3.2 }));
}

/** The path that the program asks for, dashed. */
export function programmedPath(run: Run, size: number): Group | null {
  const block = run.blocks.tool_programmed;
  if (!block) return null;
  const points: number[] = [];
  for (let i = 0; i < block.shape[0]; i += 1) points.push(...pointAt(block.values, i * ROW));
  const dash = size * 0.014;
  const material = new LineMaterial({ color: new Color(token("programmed")).getHex(), linewidth: 1.8, dashed: true, dashSize: dash, gapSize: dash });
  return line(points, null, size, material);
}

const pointAt = (values: Float32Array, at: number): [number, number, number] => [values[at], values[at + 1], values[at + 2]];

/** A line through as few of the points as show the same; thin where pictures are drawn plainly. */
function line(points: number[], colours: number[] | null, size: number, material: LineMaterial): Group | null {
  const kept = simplified(...measured(points, colours, size * MISSED));
  if (kept.length < 2 || points.every((value, i) => value === points[i % 3])) return null;
  const of = (values: number[]) => kept.flatMap((i) => values.slice(3 * i, 3 * i + 3));
  const path = new Group().add(fat(of(points), colours && of(colours), material), thin(of(points), colours && of(colours), material.color));
  for (const part of [path, ...path.children]) {
    part.matrixAutoUpdate = false;
    part.frustumCulled = false;
  }
  return path;
}

function fat(points: number[], colours: number[] | null, material: LineMaterial): Line2 {
  const geometry = new LineGeometry().setPositions(points);
  if (colours) geometry.setColors(colours);
  const path = new Line2(geometry, material).computeLineDistances();
  path.layers.set(FINELY);
  return path;
}

function thin(points: number[], colours: number[] | null, color: Color): Line {
  const geometry = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(points, 3));
  if (colours) geometry.setAttribute("color", new Float32BufferAttribute(colours, 3));
  const path = new Line(geometry, new LineBasicMaterial({ color, vertexColors: colours !== null }));
  path.layers.set(PLAINLY);
  return path;
}

/** Places and colours in units of what may be missed. */
function measured(points: number[], colours: number[] | null, missed: number): [Float32Array, number] {
  const width = colours ? 6 : 3;
  const rows = new Float32Array((points.length / 3) * width);
  points.forEach((value, i) => (rows[Math.floor(i / 3) * width + (i % 3)] = value / missed));
  colours?.forEach((value, i) => (rows[Math.floor(i / 3) * width + 3 + (i % 3)] = value / MISSED_COLOUR));
  return [rows, width];
}
