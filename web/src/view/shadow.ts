import type { Mesh} from "three";
import { EqualStencilFunc, IncrementStencilOp, Matrix4, MeshBasicMaterial, type Object3D } from "three";

const LIGHT = [0.28, -0.2, 1] as const; // where the sun stands
const LIFT = 0.0008;

/** Each pixel of the floor is darkened once, however many bodies stand over it. */
export const SHADE = new MeshBasicMaterial({
  color: 0x1c2733,
  opacity: 0.13,
  transparent: true,
  depthWrite: false,
  stencilWrite: true,
  stencilRef: 0,
  stencilFunc: EqualStencilFunc,
  stencilZPass: IncrementStencilOp,
});

/** Projects along the light onto the floor. */
export function flattening(): Matrix4 {
  const [x, y, z] = LIGHT;
  return new Matrix4().set(1, 0, -x / z, 0, 0, 1, -y / z, 0, 0, 0, 0, LIFT, 0, 0, 0, 1);
}

/** Makes an object its own shadow: flat and grey, whatever it was. */
export function asShadow(object: Object3D): Object3D {
  object.traverse((part) => {
    part.matrixAutoUpdate = false;
    part.userData = { shadow: true };
    if ((part as Mesh).isMesh) {
      (part as Mesh).material = SHADE;
      part.renderOrder = 1;
      part.frustumCulled = false;
    }
  });
  return object;
}
