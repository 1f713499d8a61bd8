import type { BufferGeometry, Material } from "three";
import { BoxGeometry, BufferAttribute, Group, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, SphereGeometry, Vector3 } from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { EllipsoidScene, PayloadScene, RobotScene } from "../messages";

const BALL = new SphereGeometry(1, 32, 20);
const THICKNESS = 0.05; // of an axis of length 1
const AXES = barAxes();
const AXIS_BARS = new MeshBasicMaterial({ vertexColors: true, depthTest: false });
const CENTRE = new MeshBasicMaterial({ color: 0xd98a00, depthTest: false, transparent: true, opacity: 0.95 });
const INERTIA = new MeshLambertMaterial({ color: 0xe0a030, transparent: true, opacity: 0.3, depthWrite: false });
const HELD = new MeshLambertMaterial({ color: 0x9c6ade, transparent: true, opacity: 0.8 });

/** Frames of bodies and tool, red x, green y, blue z; one group for each row of placements. */
export function frameMarks(robot: RobotScene): Group[] {
  const length = robot.size * 0.09;
  return [...robot.bodies.map(() => axes(length)), axes(length * 1.3)];
}

/** Centre of mass and ellipsoid of inertia of each body. */
export function massMarks(robot: RobotScene): Group[] {
  return robot.bodies.map((body) => {
    const group = new Group();
    if (body.mass > 0) group.add(ball(CENTRE, new Matrix4().makeTranslation(...vector(body.com)), robot.size * 0.012, 3));
    if (body.ellipsoid) group.add(ellipsoidMesh(body.ellipsoid, INERTIA));
    return still(group);
  });
}

/** A payload as a ball of its mass, in its body. */
export function payloadMark(payload: PayloadScene, size: number): Group {
  const radius = Math.max(size * 0.012, payload.radius);
  const group = new Group();
  group.add(ball(HELD, new Matrix4().makeTranslation(...vector(payload.com)), radius, 0));
  return still(group);
}

export function ellipsoidMesh(ellipsoid: EllipsoidScene, material: Material): Mesh {
  const mesh = new Mesh(BALL, material);
  const radii = ellipsoid.radii.map((radius) => Math.max(radius ?? 0, 1e-5));
  mesh.matrix.fromArray(ellipsoid.matrix).scale(new Vector3().fromArray(radii));
  return marked(mesh);
}

function ball(material: Material, matrix: Matrix4, radius: number, order: number): Mesh {
  const mesh = new Mesh(BALL, material);
  mesh.matrix.copy(matrix).scale(new Vector3(radius, radius, radius));
  mesh.renderOrder = order;
  return marked(mesh);
}

function axes(length: number): Group {
  const bars = new Mesh(AXES, AXIS_BARS);
  bars.matrix.makeScale(length, length, length);
  bars.renderOrder = 4;
  const group = new Group();
  group.add(marked(bars));
  return still(group);
}

/** Bars instead of lines, which are one pixel wide however fine the picture is drawn. */
function barAxes(): BufferGeometry {
  const colours = [[0.86, 0.12, 0.12], [0.05, 0.55, 0.15], [0.12, 0.32, 0.95]];
  return mergeGeometries(
    colours.map((colour, axis) => {
      const along = (one: number, other: number): [number, number, number] => [0, 1, 2].map((k) => (k === axis ? one : other)) as [number, number, number];
      const bar = new BoxGeometry(...along(1, THICKNESS)).translate(...along(0.5, 0));
      const corners = bar.getAttribute("position").count;
      return bar.setAttribute("color", new BufferAttribute(new Float32Array(Array(corners).fill(colour).flat()), 3));
    }),
  );
}

function marked(mesh: Mesh): Mesh {
  mesh.matrixAutoUpdate = false;
  mesh.userData.mark = true;
  return mesh;
}

function still(group: Group): Group {
  group.matrixAutoUpdate = false;
  return group;
}

const vector = (numbers: number[]): [number, number, number] => [numbers[0], numbers[1], numbers[2]];
