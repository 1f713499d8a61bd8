import { ConeGeometry, CylinderGeometry, Group, Matrix4, Mesh, MeshLambertMaterial, Quaternion, Vector3 } from "three";
import type { Reaction } from "../messages";

const SHARE = 0.3; // of the robot's size that the largest arrow is long
const SHAFT = new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0);
const HEAD = new ConeGeometry(1, 1, 16).translate(0, 0.5, 0);
const FORCE = new MeshLambertMaterial({ color: 0xd2452d, depthTest: false, transparent: true });
const MOMENT = new MeshLambertMaterial({ color: 0x2f7fd6, depthTest: false, transparent: true });
const UP = new Vector3(0, 1, 0);

/** Forces (red) and moments (blue) that each body takes at its joint; the longest of each is as long. */
export function reactionArrows(reactions: Reaction[], size: number): Group {
  const group = new Group();
  group.matrixAutoUpdate = false;
  for (const [pick, material] of [
    [(reaction: Reaction) => reaction.force, FORCE],
    [(reaction: Reaction) => reaction.moment, MOMENT],
  ] as const) {
    const largest = Math.max(...reactions.map((reaction) => Math.hypot(...pick(reaction))));
    if (largest <= 0) continue;
    for (const reaction of reactions) {
      const length = (Math.hypot(...pick(reaction)) / largest) * SHARE * size;
      if (length > 0.004 * size) group.add(...arrow(reaction.at, pick(reaction), length, size, material));
    }
  }
  return group;
}

function arrow(at: number[], along: number[], length: number, size: number, material: MeshLambertMaterial): Mesh[] {
  const turn = new Quaternion().setFromUnitVectors(UP, new Vector3().fromArray(along).normalize());
  const head = Math.min(0.4 * length, 0.045 * size);
  const frame = new Matrix4().compose(new Vector3().fromArray(at), turn, new Vector3(1, 1, 1));
  const shaft = new Mesh(SHAFT, material);
  shaft.matrix.copy(frame).scale(new Vector3(0.006 * size, length - head, 0.006 * size));
  const tip = new Mesh(HEAD, material);
  tip.matrix.copy(frame).multiply(new Matrix4().makeTranslation(0, length - head, 0)).scale(new Vector3(0.35 * head, head, 0.35 * head));
  return [shaft, tip].map((mesh) => {
    mesh.matrixAutoUpdate = false;
    mesh.renderOrder = 5;
    mesh.userData.mark = true;
    return mesh;
  });
}
