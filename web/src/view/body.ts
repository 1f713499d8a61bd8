import { BufferAttribute, type BufferGeometry, type Material, Matrix4, Mesh, MeshLambertMaterial } from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Visual } from "../messages";
import { SHADE } from "./shadow";
import { colourOf, isPlain, ROUND, surface } from "./visual";

const ROUND_IN_SHADOW = 12;

/** Colours are in the vertices: so that all plain shapes of a body are one drawing, and all bodies one material. */
const PLAIN = new MeshLambertMaterial({ vertexColors: true });

/** All plain shapes of a body as one mesh; null where there are none. */
export function bodyMesh(visuals: Visual[], body: number): Mesh | null {
  return merged(visuals, PLAIN, (visual) => coloured(surface(visual, ROUND), visual, body));
}

/** What they throw on the floor: coarser, nobody sees it. */
export function bodyShadow(visuals: Visual[]): Mesh | null {
  return merged(visuals, SHADE, (visual) => placed(surface(visual, ROUND_IN_SHADOW), visual));
}

function merged(visuals: Visual[], material: Material, shape: (visual: Visual) => BufferGeometry): Mesh | null {
  const parts = visuals.filter(isPlain).map(shape);
  if (parts.length === 0) return null;
  const mesh = new Mesh(mergeGeometries(parts), material);
  mesh.matrixAutoUpdate = false;
  return mesh;
}

function coloured(geometry: BufferGeometry, visual: Visual, body: number): BufferGeometry {
  const { r, g, b } = colourOf(visual, body);
  const count = geometry.attributes.position.count;
  const colours = new Float32Array(3 * count);
  for (let i = 0; i < count; i += 1) colours.set([r, g, b], 3 * i);
  geometry.setAttribute("color", new BufferAttribute(colours, 3));
  return placed(geometry, visual);
}

function placed(geometry: BufferGeometry, visual: Visual): BufferGeometry {
  geometry.deleteAttribute("uv");
  return geometry.applyMatrix4(new Matrix4().fromArray(visual.matrix));
}
