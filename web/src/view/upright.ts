import { type Matrix4, Quaternion, Vector3 } from "three";

/** Turns gravity downwards; without any, the base's z is up. */
export function upright(gravity: number[], matrix: Matrix4): void {
  const up = new Vector3().fromArray(gravity).negate();
  const turn = new Quaternion();
  if (up.length() > 1e-9) turn.setFromUnitVectors(up.normalize(), new Vector3(0, 0, 1));
  matrix.makeRotationFromQuaternion(turn);
}
