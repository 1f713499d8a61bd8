import type { Object3D } from "three";
import type { State } from "../core/state";
import type { PayloadScene } from "../messages";
import type { Arm } from "./arm";
import { payloadMark } from "./marks";

/** What the arm holds, as balls in its bodies: of the run at the time shown, else of the robot. */
export class Held {
  marks: Object3D[] = [];
  private payloads: PayloadScene[] = [];
  private by: Arm | null = null;

  constructor(private readonly state: State) {}

  /** Puts what is held now into an arm. */
  update(arm: Arm): void {
    const payloads = this.now();
    if (payloads === this.payloads && this.by === arm) return;
    [this.payloads, this.by] = [payloads, arm];
    for (const old of this.marks) old.removeFromParent();
    const size = this.state.robot.get()?.size ?? 1;
    const shown = this.state.layers.get().has("payload");
    this.marks = payloads.map((payload) => {
      const ball = payloadMark(payload, size);
      ball.visible = shown;
      arm.bodies[payload.body]?.add(ball);
      return ball;
    });
  }

  private now(): PayloadScene[] {
    const { run, robot, posture, time } = this.state;
    const played = posture.get()?.from === "run" ? run.get() : null;
    return played ? played.payloadsAt(time.get()) : (robot.get()?.payloads ?? []);
  }
}
