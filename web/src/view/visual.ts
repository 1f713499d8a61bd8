import type { BufferGeometry, Object3D } from "three";
import { BoxGeometry, CapsuleGeometry, Color, CylinderGeometry, Group, Mesh, MeshLambertMaterial, SphereGeometry, Vector3 } from "three";
import type { Visual } from "../messages";
import { readMesh } from "./mesh_file";

export const ROUND = 24; // edges of what is round: at a radius of 60 pixels they are off by half a pixel

/** Soft colours for bodies that have none: links that follow one another differ. */
const LINKS = [0x5b7fb5, 0xdde2e9];
export const BASE = 0x77818f;

const materials = new Map<string, MeshLambertMaterial>();

/** The colour that a file gives, or the body's own. */
export function colourOf(visual: Visual, body: number): Color {
  return visual.color
    ? new Color().setRGB(visual.color[0], visual.color[1], visual.color[2], "srgb")
    : new Color(body < 0 ? BASE : LINKS[body % LINKS.length]);
}

/** Whether a visual is a simple shape through which nothing is seen. */
export const isPlain = (visual: Visual): boolean => visual.shape !== "mesh" && (visual.color?.[3] ?? 1) === 1;

function bodyMaterial(visual: Visual, body: number): MeshLambertMaterial {
  const colour = colourOf(visual, body);
  const opacity = visual.color?.[3] ?? 1;
  const key = `${colour.getHexString()} ${opacity}`;
  let material = materials.get(key);
  if (!material) {
    material = new MeshLambertMaterial({ color: colour, opacity, transparent: opacity < 1 });
    materials.set(key, material);
  }
  return material;
}

/** The surface of a simple shape, centred, its axis along z. */
export function surface(visual: Visual, round = ROUND): BufferGeometry {
  const [a, b, c] = visual.size;
  switch (visual.shape) {
    case "box":
      return new BoxGeometry(a, b, c);
    case "sphere":
      return new SphereGeometry(a, round, round / 2);
    case "taper":
      return new CylinderGeometry(b, a, c, round).rotateX(Math.PI / 2);
    case "cylinder":
      return new CylinderGeometry(a, a, b, round).rotateX(Math.PI / 2);
    default:
      return new CapsuleGeometry(a, b, round / 4, round).rotateX(Math.PI / 2);
  }
}

/** The object of a visual, placed in its body; a mesh is there when it has been read. */
export async function visualObject(visual: Visual, body: number): Promise<Object3D> {
  const material = bodyMaterial(visual, body);
  const holder = new Group();
  holder.matrixAutoUpdate = false;
  holder.matrix.fromArray(visual.matrix);
  if (visual.scale) holder.matrix.scale(new Vector3().fromArray(visual.scale));
  const isMesh = visual.shape === "mesh" && visual.mesh !== null;
  holder.add(isMesh ? await readMesh(visual.mesh!, material) : still(new Mesh(surface(visual), material)));
  return holder;
}

function still(mesh: Mesh): Mesh {
  mesh.matrixAutoUpdate = false;
  return mesh;
}
