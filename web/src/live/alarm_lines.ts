import type { LiveEvent } from "../messages";

export interface AlarmLines {
  /** Whether nothing is alarming any more. */
  over: boolean;
  events: LiveEvent[];
}

/** What alarms, joint by joint; where all is over, how far each went. Events up to `seen` are known. */
export function alarmLines(events: readonly LiveEvent[], active: readonly boolean[], seen: number): AlarmLines {
  const latest = (kind: LiveEvent["kind"]) => {
    const found = events.filter((event) => event.kind === kind && event.number > seen);
    return new Map(found.map((event) => [event.joint, event]));
  };
  const raised = [...latest("alarm").values()];
  const now = raised.filter(({ joint }) => joint !== null && active[joint]);
  if (now.length) return { over: false, events: now };
  const over = latest("over");
  return { over: true, events: raised.map((event) => over.get(event.joint) ?? event) };
}
