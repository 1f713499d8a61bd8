import type { Violation } from "../messages";

/** Violations of one move, axis and quantity: the worst of them stands for all. */
export interface Finding {
  worst: Violation;
  count: number;
}

/** What is asked for as a share of the limit; what is no matter of shares comes first. */
export const excess = (violation: Violation): number => violation.share ?? Infinity;

const ofMotor = ({ worst }: Finding): number => (worst.quantity.startsWith("motor") ? 0 : 1);

/** Groups violations, in the order of the program; within a line what saturates motors first, the worst first. */
export function findings(violations: Violation[]): Finding[] {
  const groups = new Map<string, Finding>();
  for (const violation of violations) {
    const key = `${violation.move} ${violation.joint} ${violation.quantity}`;
    const known = groups.get(key);
    if (!known) groups.set(key, { worst: violation, count: 1 });
    else {
      known.count += 1;
      if (excess(violation) > excess(known.worst)) known.worst = violation;
    }
  }
  return [...groups.values()].sort((a, b) => (a.worst.line ?? 0) - (b.worst.line ?? 0) || ofMotor(a) - ofMotor(b) || excess(b.worst) - excess(a.worst));
}

const NAMES: Record<string, string> = {
  motor_torque: "torque",
  motor_speed: "speed",
  joint_speed: "speed",
  joint_acceleration: "acceleration",
  joint_torque: "torque",
  position: "position",
  singularity: "singular posture",
};

/** What is asked too much of; the axis or motor stands beside it. */
export const quantityName = (quantity: string): string => NAMES[quantity] ?? quantity.replaceAll("_", " ");

/** Name of the channel whose plot shows a quantity. */
export const CHANNEL_OF: Record<string, string> = {
  motor_torque: "motor_torque",
  motor_speed: "motor_speed",
  joint_speed: "qd",
  joint_acceleration: "qdd",
  joint_torque: "tau",
  position: "q",
  singularity: "q",
};
