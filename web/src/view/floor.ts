import { BufferAttribute, BufferGeometry, Color, Group, LineSegments, ShaderMaterial } from "three";
import { token } from "../core/theme";

const CELLS = 10; // to each side

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
    for (const old of this.root.children as LineSegments<BufferGeometry, ShaderMaterial>[]) {
      old.geometry.dispose();
      old.material.dispose();
    }
    this.root.clear();
    const step = spacing(size);
    const extent = CELLS * step;
    const places = Array.from({ length: 2 * CELLS + 1 }, (_, i) => (i - CELLS) * step);
    this.root.add(
      lines(places.filter((at) => at !== 0), extent, token("grid")),
      lines([0], extent, token("grid-strong")),
    );
  }
}

/** Lines along x and along y at the same places. */
function lines(places: number[], extent: number, colour: string): LineSegments {
  const points = places.flatMap((at) => [at, -extent, 0, at, extent, 0, -extent, at, 0, extent, at, 0]);
  const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
  const grid = new LineSegments(geometry, fading(extent, colour));
  grid.matrixAutoUpdate = false;
  return grid;
}

/** Drawn ever more faintly towards the edge. */
const fading = (extent: number, colour: string): ShaderMaterial =>
  new ShaderMaterial({
    transparent: true,
    uniforms: { colour: { value: new Color(colour) }, extent: { value: extent } },
    vertexShader: `
      varying vec2 place;
      void main() {
        place = position.xy;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: `
      uniform vec3 colour;
      uniform float extent;
      varying vec2 place;
      void main() {
        gl_FragColor = vec4(colour, max(0.0, 1.0 - dot(place, place) / (extent * extent)));
        #include <colorspace_fragment>
      }`,
  });
