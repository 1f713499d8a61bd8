import { h, refill } from "../core/dom";
import type { Studio } from "../core/studio";
import type { Settings } from "../messages";
import { button, field, numberField, select } from "../page/controls";

type Motors = NonNullable<Settings["motors"]> | "file";

/** Payload, gravity, motors and friction: they hold for poses, runs and studies alike. */
export function settingControls(studio: Studio): HTMLElement {
  const { state } = studio;
  const change = (patch: Settings) => {
    state.settings.set({ ...state.settings.get(), ...patch });
  };
  const mass = numberField("Payload mass in kilograms", () => payload(), { min: 0, step: 0.1, value: 0 });
  const place = ["x", "y", "z"].map((axis) => numberField(`Payload ${axis} in millimetres`, () => payload(), { value: 0, step: 1 }));
  const payload = () => {
    const com = place.map((one) => one.valueAsNumber / 1000) as [number, number, number];
    change({ payload: mass.valueAsNumber > 0 ? { mass: mass.valueAsNumber, com } : null });
  };
  const gravity = ["x", "y", "z"].map((axis) => numberField(`Gravity ${axis} in m/s²`, () => change({ gravity: gravity.map((one) => one.valueAsNumber) as [number, number, number] }), { step: 0.01 }));
  const motors = select<Motors>(
    [["file", "as the file says"], ["exact", "exact"], ["augmented", "augmented"], ["coupled", "coupled"], ["reflected", "reflected"], ["none", "none"]],
    "file",
    (value) => change({ motors: value === "file" ? null : value }),
  );
  const friction = select([["file", "as the file says"], ["on", "on"], ["off", "off"]], "file", (value) => change({ friction: value === "file" ? null : value === "on" }));
  const show = () => {
    const { payload: held, gravity: pull, motors: model, friction: rub } = state.settings.get();
    const robot = state.robot.get();
    set(mass, held?.mass ?? 0);
    place.forEach((one, i) => set(one, (held?.com?.[i] ?? 0) * 1000));
    gravity.forEach((one, i) => set(one, pull?.[i] ?? robot?.gravity[i] ?? 0));
    motors.value = model ?? "file";
    friction.value = rub === null || rub === undefined ? "file" : rub ? "on" : "off";
  };
  state.settings.watch(show);
  state.robot.on(show);
  state.settings.on(() => void refresh(studio));
  const note = h("p", { class: "hint" });
  state.robot.watch((robot) => refill(note, robot ? `Now: motors ${robot.motors}, friction ${robot.friction ? "on" : "off"}.` : ""));
  const triple = (label: string, fields: HTMLElement[], unit: string) =>
    h("div", { class: "triple", role: "group", "aria-label": label }, h("span", {}, label), fields.map((one) => one), h("span", { class: "unit" }, unit));
  return h(
    "div",
    { class: "settings" },
    triple("Payload", [mass], "kg"),
    triple("at", place, "mm"),
    triple("Gravity", gravity, "m/s²"),
    h("div", { class: "pair" }, field("Motors", motors), field("Friction", friction)),
    note,
    h("div", { class: "actions" }, button("As the file says", () => state.settings.set({}), { class: "button small" })),
  );
}

const set = (input: HTMLInputElement, value: number): void => {
  if (document.activeElement !== input) input.value = String(Math.round(value * 1e6) / 1e6);
};

/** The scene has the payload and the motor model in it: it is asked for again. */
async function refresh({ state, connection, notes }: Studio): Promise<void> {
  const robot = state.robot.get();
  if (!robot) return;
  try {
    state.robot.set(await connection.ask("robot", { robot: robot.robot, settings: state.settings.get() }));
  } catch (error) {
    notes.complain(error);
  }
}
