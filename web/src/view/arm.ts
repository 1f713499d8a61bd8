import type { Matrix4} from "three";
import { Box3, Group, type Mesh, type Object3D, Quaternion, Vector3 } from "three";
import { ROW } from "../core/placement";
import type { RobotScene } from "../messages";
import { bodyMesh, bodyShadow } from "./body";
import { asShadow, flattening } from "./shadow";
import { isPlain, visualObject } from "./visual";

const position = new Vector3();
const turn = new Quaternion();
const ONE = new Vector3(1, 1, 1);

/** Writes the placement of row `index` into a matrix. */
export function placeRow(poses: ArrayLike<number>, index: number, matrix: Matrix4): void {
  const at = index * ROW;
  position.set(poses[at], poses[at + 1], poses[at + 2]);
  turn.set(poses[at + 3], poses[at + 4], poses[at + 5], poses[at + 6]);
  matrix.compose(position, turn, ONE);
}

/** The bodies of a robot: a group for each, one more for the tool; their matrices come from the server. */
export class Arm {
  readonly root = new Group();
  /** Bodies in order, then the tool. */
  readonly bodies: Group[];
  /** What the arm throws on the floor; it stands beside the world, not in it. */
  readonly shadowRoot = new Group();
  private readonly shadows: Group[];

  constructor(robot: RobotScene, changed: () => void, failed: (error: unknown) => void) {
    this.root.matrixAutoUpdate = false;
    this.shadowRoot.matrixAutoUpdate = false;
    this.bodies = [...robot.bodies.map(() => fixedGroup()), fixedGroup()];
    this.shadows = robot.bodies.map(() => fixedGroup());
    const base = fixedGroup();
    const baseShadow = fixedGroup();
    this.shadowRoot.add(baseShadow, ...this.shadows);
    this.root.add(base, ...this.bodies);
    const dress = (group: Group, shadow: Group, body: number, visuals: RobotScene["base_visuals"]) => {
      const put = (object: Object3D | null, shade: Object3D | null) => {
        if (object) group.add(object);
        if (shade) shadow.add(asShadow(shade));
      };
      put(bodyMesh(visuals, body), bodyShadow(visuals));
      for (const visual of visuals.filter((one) => !isPlain(one))) {
        visualObject(visual, body).then((object) => {
          put(object, object.clone(true));
          group.updateMatrixWorld(true);
          shadow.updateMatrixWorld(true);
          changed();
        }, failed);
      }
    };
    dress(base, baseShadow, -1, robot.base_visuals);
    robot.bodies.forEach((body, i) => dress(this.bodies[i], this.shadows[i], i, body.visuals));
  }

  /** Puts every body where a row of placements says. */
  place(poses: Float32Array): void {
    if (poses.length < this.bodies.length * ROW) return;
    this.bodies.forEach((body, i) => {
      placeRow(poses, i, body.matrix);
      if (i < this.shadows.length) this.shadows[i].matrix.copy(body.matrix);
    });
    this.root.updateMatrixWorld(true);
    this.shadowRoot.updateMatrixWorld(true);
  }

  /** How the world is turned against the floor. */
  stand(world: Matrix4): void {
    this.shadowRoot.matrix.copy(flattening()).multiply(world);
  }

  shade(on: boolean): void {
    this.shadowRoot.visible = on;
  }

  /** The box around all bodies as they stand. */
  box(): Box3 {
    const box = new Box3();
    this.root.updateWorldMatrix(true, true);
    this.root.traverse((part) => {
      if ((part as Mesh).isMesh && !part.userData.mark) {
        box.expandByObject(part);
      }
    });
    return box;
  }
}

function fixedGroup(): Group {
  const group = new Group();
  group.matrixAutoUpdate = false;
  return group;
}
