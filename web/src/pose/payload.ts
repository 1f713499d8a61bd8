import { h } from "../core/dom";
import type { RobotScene, Settings } from "../messages";
import { numberField, showNumber, triple } from "../page/controls";

export type Held = NonNullable<Settings["payload"]>;
type Place = [number, number, number];

const NOTHING: Held = { mass: 0, com: [0, 0, 0] };

/** Fields of a payload: its place is kept while its mass is zero. */
export class PayloadFields {
  readonly elements: HTMLElement[];
  private readonly mass: HTMLInputElement;
  private readonly place: HTMLInputElement[];
  private readonly frame = h("p", { class: "hint" });
  private held = NOTHING;

  constructor(names: { mass: string; place: (axis: string) => string }, private readonly changed: (held: Held | null) => void) {
    this.mass = numberField(names.mass, (mass) => this.take({ mass }), { min: 0, step: 0.1, value: 0 });
    this.place = ["x", "y", "z"].map((axis, i) => numberField(names.place(axis), (value) => this.move(i, value / 1000), { value: 0, step: 1 }));
    this.elements = [triple("Payload", [this.mass], "kg"), triple("at", this.place, "mm"), this.frame];
  }

  /** Shows what is held; null is nothing, at the place of before. */
  show(held: Held | null | undefined): void {
    this.held = held ?? (held === null ? { ...this.held, mass: 0 } : NOTHING);
    showNumber(this.mass, rounded(this.held.mass));
    this.place.forEach((one, i) => showNumber(one, rounded((this.held.com?.[i] ?? 0) * 1000)));
  }

  /** Says in whose frame it is placed. */
  carriedBy(robot: RobotScene | null): void {
    const body = robot?.bodies[robot.tool.body];
    this.frame.textContent = body ? `Its centre of mass in the frame of ${body.name}, the body that carries the tool.` : "";
  }

  private move(axis: number, value: number): void {
    const com = [...(this.held.com ?? [0, 0, 0])] as Place;
    com[axis] = value;
    this.take({ com });
  }

  private take(patch: Partial<Held>): void {
    this.held = { ...this.held, ...patch };
    this.changed(this.held.mass > 0 ? this.held : null);
  }
}

const rounded = (value: number): string => String(Math.round(value * 1e6) / 1e6);
