import { BufferAttribute, BufferGeometry, Color, Group, LineBasicMaterial, LineSegments } from "three";
import { token } from "../core/theme";

const CELLS = 10; // to each side
const PIECES = 8; // of a line: so smoothly it fades

/** The spacing of the floor's lines: 1, 2 or 5 times a power of ten, about a tenth of the robot. */
export function spacing(size: number): number {
  const wanted = size / 6;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= wanted) ?? power;
}

/** The floor's grid, its axes stronger; lines fade towards the edge. */
export class Floor {
  readonly root = new Group();

  constructor() {
    this.root.matrixAutoUpdate = false;
  }

  draw(size: number): void {
    for (const old of this.root.children) (old as LineSegments).geometry.dispose();
    this.root.clear();
    const step = spacing(size);
    const fine = new Color(token("grid"));
    const strong = new Color(token("grid-strong"));
    const points: number[] = [];
    const colours: number[] = [];
    const extent = CELLS * step;
    const line = (x0: number, y0: number, x1: number, y1: number, colour: Color) => {
      points.push(x0, y0, 0, x1, y1, 0);
      for (const end of [Math.hypot(x0, y0), Math.hypot(x1, y1)]) {
        colours.push(colour.r, colour.g, colour.b, Math.max(0, 1 - (end / extent) ** 2));
      }
    };
    for (let i = -CELLS; i <= CELLS; i += 1) {
      const colour = i === 0 ? strong : fine;
      for (let j = 0; j < PIECES; j += 1) {
        const [from, to] = [j, j + 1].map((piece) => extent * ((2 * piece) / PIECES - 1));
        line(i * step, from, i * step, to, colour);
        line(from, i * step, to, i * step, colour);
      }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(colours), 4));
    const lines = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, transparent: true }));
    lines.matrixAutoUpdate = false;
    this.root.add(lines);
  }
}
