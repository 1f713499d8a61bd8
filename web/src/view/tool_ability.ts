import { BufferAttribute, BufferGeometry, DoubleSide, EdgesGeometry, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshLambertMaterial } from "three";
import type { EllipsoidScene, Polytope } from "../messages";
import { ellipsoidMesh } from "./marks";

const SHARE = 0.3; // of the robot's size that the largest acceleration is drawn with
const FLAT = 1; // degrees between triangles of one face

const ELLIPSOID = new MeshLambertMaterial({ color: 0x7a5bd0, transparent: true, opacity: 0.34, depthWrite: false });
const FACES = new MeshLambertMaterial({ color: 0x1f9a8a, transparent: true, opacity: 0.14, depthWrite: false, side: DoubleSide, flatShading: true });
const EDGES = new LineBasicMaterial({ color: 0x178071, transparent: true, opacity: 0.7 });

/** The longest radius that is bounded. */
export const longest = (ellipsoid: EllipsoidScene): number => Math.max(...ellipsoid.radii.map((radius) => radius ?? 0));

/** The largest acceleration of a polytope. */
export const farthest = (polytope: Polytope): number => Math.max(...polytope.vertices.map((vertex) => Math.hypot(...vertex)));

/** What the tool can be accelerated by, about its origin: both shapes in one scale, so that they compare. */
export function abilities(ellipsoid: EllipsoidScene | null, polytope: Polytope | null, at: number[], size: number): Group {
  const reach = ellipsoid ? longest(ellipsoid) + Math.hypot(...ellipsoid.matrix.slice(12, 15)) : 0;
  const largest = Math.max(reach, polytope ? farthest(polytope) : 0);
  const scale = largest > 0 ? (SHARE * size) / largest : 0;
  const group = new Group();
  group.matrixAutoUpdate = false;
  group.matrix.makeTranslation(at[0], at[1], at[2]).multiply(new Matrix4().makeScale(scale, scale, scale));
  if (ellipsoid) group.add(ellipsoidMesh(ellipsoid, ELLIPSOID));
  if (polytope) group.add(...surface(polytope));
  return group;
}

function surface(polytope: Polytope): (Mesh | LineSegments)[] {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(polytope.vertices.flat()), 3));
  geometry.setIndex(polytope.faces.flat());
  geometry.computeVertexNormals();
  const parts = [new Mesh(geometry, FACES), new LineSegments(new EdgesGeometry(geometry, FLAT), EDGES)];
  for (const part of parts) {
    part.matrixAutoUpdate = false;
    part.userData.mark = true;
  }
  return parts;
}
