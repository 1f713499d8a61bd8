import { BufferAttribute, BufferGeometry, Color, Group, LineSegments, ShaderMaterial } from "three";
import { token } from "../core/theme";

const CELLS = 10; // to each side
const INNER = Array.from({ length: 2 * CELLS - 1 }, (_, i) => i + 1 - CELLS); // at the edge nothing is seen

/** The spacing of the floor's lines: 1, 2 or 5 times a power of ten, about a tenth of the robot. */
export function spacing(size: number): number {
  const wanted = size / 6;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= wanted) ?? power;
}

/** The floor's grid, its axes stronger; lines fade towards the edge. */
export class Floor {
  readonly root = new Group();
  private readonly fine = grid(INNER.filter((place) => place !== 0));
  private readonly strong = grid([0]);

  constructor() {
    this.root.matrixAutoUpdate = false;
    this.root.add(this.fine, this.strong);
  }

  draw(size: number): void {
    this.root.matrix.makeScale(spacing(size), spacing(size), 1);
    this.root.updateMatrixWorld(true);
    this.fine.material.uniforms.colour.value.set(token("grid"));
    this.strong.material.uniforms.colour.value.set(token("grid-strong"));
  }
}

type Grid = LineSegments<BufferGeometry, ShaderMaterial & { uniforms: { colour: { value: Color } } }>;

/** Lines along x and along y at the same places, in cells. */
function grid(places: number[]): Grid {
  const points = places.flatMap((at) => [at, -CELLS, 0, at, CELLS, 0, -CELLS, at, 0, CELLS, at, 0]);
  const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
  const lines = new LineSegments(geometry, fading() as Grid["material"]);
  lines.matrixAutoUpdate = false;
  return lines;
}

/** Drawn ever more faintly towards the edge. */
const fading = (): ShaderMaterial =>
  new ShaderMaterial({
    transparent: true,
    uniforms: { colour: { value: new Color() } },
    vertexShader: `
      varying vec2 place;
      void main() {
        place = position.xy;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: `
      uniform vec3 colour;
      varying vec2 place;
      void main() {
        gl_FragColor = vec4(colour, max(0.0, 1.0 - dot(place, place) / ${(CELLS * CELLS).toFixed(1)}));
        #include <colorspace_fragment>
      }`,
  });
