import type { BufferGeometry, Object3D } from "three";
import { BoxGeometry, CapsuleGeometry, Color, CylinderGeometry, Group, Matrix4, Mesh, MeshStandardMaterial, SphereGeometry, Vector3 } from "three";
import type { Visual } from "../messages";
import { readMesh } from "./mesh_file";

const ROUND = 40;

/** Soft colours for bodies that have none: links that follow one another differ. */
const LINKS = [0x5b7fb5, 0xdde2e9];
export const BASE = 0x77818f;

const materials = new Map<string, MeshStandardMaterial>();

export function bodyMaterial(visual: Visual, body: number): MeshStandardMaterial {
  const colour = visual.color
    ? new Color().setRGB(visual.color[0], visual.color[1], visual.color[2], "srgb")
    : new Color(body < 0 ? BASE : LINKS[body % LINKS.length]);
  const opacity = visual.color?.[3] ?? 1;
  const key = `${colour.getHexString()} ${opacity}`;
  let material = materials.get(key);
  if (!material) {
    material = new MeshStandardMaterial({ color: colour, roughness: 0.62, metalness: 0.08, opacity, transparent: opacity < 1 });
    materials.set(key, material);
  }
  return material;
}

/** The surface of a simple shape, centred, its axis along z. */
export function surface(visual: Visual): BufferGeometry {
  const [a, b, c] = visual.size;
  switch (visual.shape) {
    case "box":
      return new BoxGeometry(a, b, c);
    case "sphere":
      return new SphereGeometry(a, ROUND, ROUND / 2);
    case "taper":
      return new CylinderGeometry(b, a, c, ROUND).rotateX(Math.PI / 2);
    case "cylinder":
      return new CylinderGeometry(a, a, b, ROUND).rotateX(Math.PI / 2);
    default:
      return new CapsuleGeometry(a, b, 10, ROUND).rotateX(Math.PI / 2);
  }
}

/** The object of a visual, placed in its body; a mesh appears when it has been read. */
export function visualObject(visual: Visual, body: number, ready: (object: Object3D) => void, failed: (error: unknown) => void): Object3D {
  const material = bodyMaterial(visual, body);
  const holder = new Group();
  holder.matrixAutoUpdate = false;
  holder.matrix.copy(new Matrix4().fromArray(visual.matrix));
  if (visual.shape !== "mesh" || visual.mesh === null) {
    holder.add(still(new Mesh(surface(visual), material)));
    return holder;
  }
  if (visual.scale) holder.matrix.scale(new Vector3().fromArray(visual.scale));
  readMesh(visual.mesh, material).then((object) => {
    holder.add(object);
    ready(holder);
  }, failed);
  return holder;
}

function still(mesh: Mesh): Mesh {
  mesh.matrixAutoUpdate = false;
  return mesh;
}
