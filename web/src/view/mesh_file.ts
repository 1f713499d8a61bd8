import type { BufferGeometry, Material, Object3D } from "three";
import { Group, Mesh } from "three";

type Reader = (data: ArrayBuffer, material: Material) => Promise<Object3D>;

/** The readers come with the first mesh of their kind: most robots need none. */
const READERS: Record<string, Reader> = {
  stl: async (data, material) => {
    const { STLLoader } = await import("three/examples/jsm/loaders/STLLoader.js");
    const surface = new STLLoader().parse(data);
    surface.computeVertexNormals(); // many files have none, and zeros in their place
    return new Mesh(surface, material);
  },
  obj: async (data, material) => {
    const { OBJLoader } = await import("three/examples/jsm/loaders/OBJLoader.js");
    return painted(new OBJLoader().parse(new TextDecoder().decode(data)), material);
  },
  dae: async (data) => {
    const { ColladaLoader } = await import("three/examples/jsm/loaders/ColladaLoader.js");
    const read = new ColladaLoader().parse(new TextDecoder().decode(data), "");
    if (!read) throw new Error("a DAE mesh holds no scene");
    return withoutTurn(read.scene);
  },
  glb: async (data) => {
    const { GLTFLoader } = await import("three/examples/jsm/loaders/GLTFLoader.js");
    return (await new GLTFLoader().parseAsync(data, "")).scene;
  },
};

const read = new Map<string, Promise<ArrayBuffer>>();

/** Reads a mesh of the robot; its kind stands at the end of its address. */
export async function readMesh(url: string, material: Material): Promise<Object3D> {
  const kind = /\.(\w+)(?:\?.*)?$/.exec(url)?.[1].toLowerCase() ?? "";
  const reader = READERS[kind === "gltf" ? "glb" : kind] as Reader | undefined;
  if (!reader) throw new Error(`mesh ${url}: "${kind}" is no form that is drawn; stl, obj, dae and glb are`);
  const object = await reader(await bytes(url), material);
  object.updateMatrixWorld(true);
  object.traverse((part) => {
    part.matrixAutoUpdate = false;
    const { geometry } = part as Mesh<BufferGeometry>;
    if ((part as Mesh).isMesh && !geometry.attributes.normal) geometry.computeVertexNormals();
  });
  return object;
}

function bytes(url: string): Promise<ArrayBuffer> {
  const known = read.get(url);
  if (known) return known;
  const fetched = fetch(url).then((answer) => {
    if (!answer.ok) throw new Error(`mesh ${url}: the server answered ${answer.status}`);
    return answer.arrayBuffer();
  });
  read.set(url, fetched);
  return fetched;
}

function painted(object: Object3D, material: Material): Object3D {
  object.traverse((part) => {
    if ((part as Mesh).isMesh) (part as Mesh).material = material;
  });
  return object;
}

/** Robot descriptions take the numbers of a DAE file as they are: the turn from y-up is undone. */
function withoutTurn(scene: Object3D): Object3D {
  const group = new Group();
  scene.rotation.set(0, 0, 0);
  group.add(scene);
  return group;
}
