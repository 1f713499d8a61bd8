import type { Box3} from "three";
import { OrthographicCamera, PerspectiveCamera, Spherical, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Projection } from "../core/state";

export type StandardView = "front" | "side" | "top" | "iso";

/** Where one looks from; the arm's base looks along x, z is up. */
export const DIRECTIONS: Record<StandardView, [number, number, number]> = {
  front: [1, 0, 0.0001],
  side: [0, -1, 0.0001],
  top: [-0.0001, 0, 1],
  iso: [1, -1.15, 0.72],
};

const FIELD = 32; // degrees; narrow, so that lines that are parallel look so
const NEAR_SHARE = 0.005;
const TURN = 0.1;
const MARGIN = 0.82; // of the picture that a fit fills

export interface CameraPlace {
  position: number[];
  target: number[];
  zoom: number;
}

/** One eye that sees in perspective or not, moved by the mouse, fingers or keys. */
export class Cameras {
  readonly perspective = new PerspectiveCamera(FIELD, 1, 0.01, 100);
  readonly orthographic = new OrthographicCamera(-1, 1, 1, -1, -100, 100);
  readonly controls: OrbitControls;
  current: PerspectiveCamera | OrthographicCamera = this.perspective;
  private aspect = 1;

  constructor(canvas: HTMLElement, changed: () => void) {
    for (const camera of [this.perspective, this.orthographic]) camera.up.set(0, 0, 1);
    this.perspective.position.set(2, -2.3, 1.5);
    this.controls = new OrbitControls(this.current, canvas);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", changed);
  }

  resize(width: number, height: number): void {
    this.aspect = width / height;
    this.perspective.aspect = this.aspect;
    this.perspective.updateProjectionMatrix();
    this.shape(this.distance);
  }

  /** Changes the projection and keeps what is seen at the target at its size. */
  project(projection: Projection): void {
    const next = projection === "perspective" ? this.perspective : this.orthographic;
    if (next === this.current) return;
    const apparent = this.distance / this.current.zoom;
    next.position.copy(this.current.position);
    next.zoom = 1;
    const away = next.position.clone().sub(this.controls.target).setLength(apparent);
    next.position.copy(this.controls.target).add(away);
    this.current = next;
    this.controls.object = next;
    this.shape(apparent);
    this.controls.update();
  }

  /** Looks from a side, at the box, so that all of it is seen. */
  look(view: StandardView, box: Box3): void {
    const direction = new Vector3(...DIRECTIONS[view]).normalize();
    this.frame(direction, box);
  }

  /** Keeps the direction and shows all of the box. */
  fit(box: Box3): void {
    this.frame(this.current.position.clone().sub(this.controls.target).normalize(), box);
  }

  /** Turns about the target: `right` and `up` in steps. */
  turn(right: number, up: number): void {
    const { target } = this.controls;
    const offset = this.current.position.clone().sub(target);
    const lying = new Spherical().setFromVector3(new Vector3(offset.x, offset.z, -offset.y));
    lying.theta += right * TURN;
    lying.phi = Math.min(Math.PI - 1e-3, Math.max(1e-3, lying.phi - up * TURN));
    const turned = new Vector3().setFromSpherical(lying);
    this.current.position.set(target.x + turned.x, target.y - turned.z, target.z + turned.y);
    this.controls.update();
  }

  /** Nearer (factor above 1) or farther. */
  zoom(factor: number): void {
    if (this.current === this.orthographic) {
      this.current.zoom *= factor;
      this.current.updateProjectionMatrix();
    } else {
      const { target } = this.controls;
      this.current.position.sub(target).divideScalar(factor).add(target);
    }
    this.controls.update();
    this.controls.dispatchEvent({ type: "change" });
  }

  place(): CameraPlace {
    return {
      position: this.current.position.toArray().map(short),
      target: this.controls.target.toArray().map(short),
      zoom: short(this.current.zoom),
    };
  }

  restore(place: CameraPlace): void {
    this.current.position.fromArray(place.position);
    this.controls.target.fromArray(place.target);
    this.current.zoom = place.zoom;
    this.shape(this.distance);
    this.controls.update();
  }

  private get distance(): number {
    return this.current.position.distanceTo(this.controls.target);
  }

  private frame(direction: Vector3, box: Box3): void {
    const centre = box.getCenter(new Vector3());
    const distance = Math.max(1e-3, this.distanceFor(direction, box, centre));
    this.current.zoom = 1;
    this.controls.target.copy(centre);
    this.current.position.copy(centre).addScaledVector(direction, distance);
    this.perspective.near = distance * NEAR_SHARE;
    this.perspective.far = distance * 20;
    this.shape(distance);
    this.controls.update();
    this.controls.dispatchEvent({ type: "change" });
  }

  /** How far away all corners of a box are seen, with a margin for what stands over the picture. */
  private distanceFor(direction: Vector3, box: Box3, centre: Vector3): number {
    const right = new Vector3(0, 0, 1).cross(direction).normalize();
    const up = direction.clone().cross(right);
    const high = Math.tan((FIELD * Math.PI) / 360) * MARGIN;
    const wide = high * this.aspect;
    const flat = this.current === this.orthographic;
    let distance = 0;
    for (const x of [box.min.x, box.max.x]) {
      for (const y of [box.min.y, box.max.y]) {
        for (const z of [box.min.z, box.max.z]) {
          const corner = new Vector3(x, y, z).sub(centre);
          const nearer = flat ? 0 : corner.dot(direction);
          distance = Math.max(distance, nearer + Math.abs(corner.dot(right)) / wide, nearer + Math.abs(corner.dot(up)) / high);
        }
      }
    }
    return distance;
  }

  private shape(distance: number): void {
    const half = distance * Math.tan((FIELD * Math.PI) / 360);
    const { orthographic } = this;
    [orthographic.top, orthographic.bottom] = [half, -half];
    [orthographic.right, orthographic.left] = [half * this.aspect, -half * this.aspect];
    [orthographic.near, orthographic.far] = [-distance * 10, distance * 20];
    orthographic.updateProjectionMatrix();
    this.perspective.updateProjectionMatrix();
  }
}

const short = (value: number): number => Math.round(value * 1e4) / 1e4;
