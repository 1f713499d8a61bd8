import type { Box3} from "three";
import { Group, type Object3D } from "three";
import { h } from "../core/dom";
import type { Layer } from "../core/state";
import type { Studio } from "../core/studio";
import type { RobotScene } from "../messages";
import { Arm } from "./arm";
import type { CameraPlace } from "./cameras";
import { Floor } from "./floor";
import { Held } from "./held";
import { legend } from "./legend";
import { frameMarks, massMarks } from "./marks";
import { reactionArrows } from "./reactions";
import { Stage } from "./stage";
import { steerByKeys } from "./steering";
import { abilities } from "./tool_ability";
import { achievedPath, programmedPath } from "./tool_path";
import { viewToolbar } from "./toolbar";
import { upright } from "./upright";

/** The picture of the arm and what is switched on around it. */
export class View {
  readonly element = h("section", { class: "view", "aria-label": "3D view" });
  readonly stage: Stage;
  private readonly floor = new Floor();
  /** All that is given in the axes of the base: turned so that weights fall to the floor. */
  private readonly world = new Group();
  private readonly paths = new Group();
  private readonly abilities = new Group();
  private arm: Arm | null = null;
  private readonly held: Held;
  private readonly marks = new Map<Layer, Object3D[]>();

  constructor(private readonly studio: Studio) {
    this.held = new Held(studio.state);
    const holder = h("div", { class: "stage" });
    this.element.append(holder);
    this.stage = new Stage(holder);
    this.stage.canvas.setAttribute("role", "img");
    this.stage.canvas.setAttribute("aria-label", "The arm in 3D; arrow keys turn the view, plus and minus zoom");
    for (const group of [this.world, this.paths, this.abilities]) group.matrixAutoUpdate = false;
    this.world.add(this.paths, this.abilities);
    this.stage.scene.add(this.floor.root, this.world);
    this.element.append(viewToolbar(studio.state, this), legend(studio.state));
    this.listen();
  }

  /** Looks from where a link says. */
  look(place: CameraPlace): void {
    this.fitAtFirst = false;
    this.stage.cameras.restore(place);
    this.stage.redraw();
  }

  /** Shows all of the arm and its path. */
  fit(): void {
    this.stage.cameras.fit(this.extent());
  }

  /** What a fit shows: the arm, the paths, and the place of its base. */
  extent(): Box3 {
    const box = this.arm ? this.arm.box() : this.stage.box.clone();
    for (const path of this.paths.children) if (path.visible) box.expandByObject(path);
    return box.isEmpty() ? this.stage.box.clone() : box;
  }

  private listen(): void {
    const { state } = this.studio;
    state.robot.on((robot) => {
      if (robot) this.build(robot);
    });
    state.poses.on((poses) => {
      this.place(poses);
    });
    for (const source of [state.run, state.dark]) source.on(() => this.drawPaths());
    state.run.on((run) => {
      if (run && !this.moved) this.fit();
    });
    this.stage.cameras.controls.addEventListener("start", () => (this.moved = true));
    state.dark.watch((dark) => {
      this.stage.dim(dark);
      this.floor.draw(state.robot.get()?.size ?? 1);
    });
    state.snapshot.on(() => this.drawAbilities());
    state.layers.on(() => this.showLayers());
    state.projection.on((projection) => {
      this.stage.cameras.project(projection);
      this.stage.redraw();
    });
    steerByKeys(this.stage.canvas, this.stage.cameras);
  }

  private build(robot: RobotScene): void {
    const { state, notes } = this.studio;
    const fresh = this.arm === null || this.robotName !== robot.robot;
    this.robotName = robot.robot;
    this.arm?.root.removeFromParent();
    this.arm?.shadowRoot.removeFromParent();
    this.arm = new Arm(robot, () => this.stage.redraw(), (error) => notes.complain(error));
    upright(robot.gravity, this.world.matrix);
    this.arm.stand(this.world.matrix);
    this.world.add(this.arm.root);
    this.stage.scene.add(this.arm.shadowRoot);
    this.world.updateMatrixWorld(true);
    this.dress(robot);
    this.floor.draw(robot.size);
    this.place(state.poses.get());
    this.fitAtFirst = fresh;
    this.showLayers();
  }
  private robotName = "";
  /** Whether someone has chosen the view: then it stays. */
  private moved = false;
  private fitAtFirst = false;

  private dress(robot: RobotScene): void {
    const { arm } = this;
    if (!arm) return;
    const attach = (groups: Group[]) => {
      groups.forEach((group, i) => arm.bodies[i].add(group));
      return groups;
    };
    this.marks.set("frames", attach(frameMarks(robot)));
    this.marks.set("masses", attach(massMarks(robot)));
    this.held.update(arm);
  }

  private place(poses: Float32Array): void {
    if (!this.arm || poses.length === 0) return;
    this.held.update(this.arm);
    this.arm.place(poses);
    if (this.fitAtFirst) {
      this.fitAtFirst = false;
      this.stage.cameras.look("iso", this.roomOf());
    }
    this.stage.redraw();
  }

  /** The first look leaves room for the arm to move in. */
  private roomOf(): Box3 {
    const box = this.extent();
    const size = this.studio.state.robot.get()?.size ?? 1;
    return box.expandByScalar(0.06 * size);
  }

  private drawPaths(): void {
    const { state } = this.studio;
    const run = state.run.get();
    const size = state.robot.get()?.size ?? 1;
    this.paths.clear();
    const drawn: [Layer, Object3D | null][] = run
      ? [
          ["programmed", programmedPath(run, size)],
          ["achieved", achievedPath(run, size)],
        ]
      : [];
    for (const [layer, path] of drawn) {
      this.marks.set(layer, path ? [path] : []);
      if (path) this.paths.add(path);
    }
    this.showLayers();
  }

  private drawAbilities(): void {
    const { state } = this.studio;
    const snapshot = state.snapshot.get();
    const robot = state.robot.get();
    this.abilities.clear();
    if (snapshot && robot) {
      const on = state.layers.get();
      const ellipsoid = on.has("ellipsoid") ? snapshot.ellipsoid : null;
      const polytope = on.has("polytope") ? snapshot.polytope : null;
      if (ellipsoid || polytope) this.abilities.add(abilities(ellipsoid, polytope, snapshot.tool.position, robot.size));
      if (on.has("reactions") && snapshot.reactions) this.abilities.add(reactionArrows(snapshot.reactions, robot.size));
      this.abilities.updateMatrixWorld(true);
    }
    this.stage.redraw();
  }

  private showLayers(): void {
    const layers = this.studio.state.layers.get();
    for (const [layer, objects] of this.marks) {
      for (const object of objects) object.visible = layers.has(layer);
    }
    for (const ball of this.held.marks) ball.visible = layers.has("payload");
    this.floor.root.visible = layers.has("floor");
    this.arm?.shade(layers.has("floor"));
    this.arm?.root.updateMatrixWorld(true);
    this.drawAbilities();
  }
}
