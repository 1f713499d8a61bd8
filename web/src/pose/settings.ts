import { h, refill } from "../core/dom";
import type { Studio } from "../core/studio";
import type { Settings } from "../messages";
import { button, field, numberField, select, showNumber, triple } from "../page/controls";
import { PayloadFields } from "./payload";

type Motors = NonNullable<Settings["motors"]> | "file";

/** Payload, gravity, motors and friction: they hold for poses, runs and studies alike. */
export function settingControls(studio: Studio): HTMLElement {
  const { state } = studio;
  const change = (patch: Settings) => {
    state.settings.set({ ...state.settings.get(), ...patch });
  };
  const payload = new PayloadFields({ mass: "Payload mass in kilograms", place: (axis) => `Payload ${axis} in millimetres` }, (held) => change({ payload: held }));
  const pull = () => state.settings.get().gravity ?? state.robot.get()?.gravity ?? [0, 0, 0];
  const gravity = ["x", "y", "z"].map((axis, i) =>
    numberField(`Gravity ${axis} in m/s²`, (value) => change({ gravity: pull().map((one, j) => (j === i ? value : one)) as [number, number, number] }), { step: 0.01 }),
  );
  const motors = select<Motors>(
    [["file", "as the file says"], ["exact", "exact"], ["augmented", "augmented"], ["coupled", "coupled"], ["reflected", "reflected"], ["none", "none"]],
    "file",
    (value) => change({ motors: value === "file" ? null : value }),
  );
  const friction = select([["file", "as the file says"], ["on", "on"], ["off", "off"]], "file", (value) => change({ friction: value === "file" ? null : value === "on" }));
  const show = () => {
    const { payload: held, motors: model, friction: rub } = state.settings.get();
    payload.show(held);
    payload.carriedBy(state.robot.get());
    gravity.forEach((one, i) => showNumber(one, String(Math.round(pull()[i] * 1e6) / 1e6)));
    motors.value = model ?? "file";
    friction.value = rub === null || rub === undefined ? "file" : rub ? "on" : "off";
  };
  state.settings.watch(show);
  state.robot.on(show);
  state.settings.on(() => void refresh(studio));
  const note = h("p", { class: "hint" });
  state.robot.watch((robot) => refill(note, robot ? `Now: motors ${robot.motors}, friction ${robot.friction ? "on" : "off"}.` : ""));
  return h(
    "div",
    { class: "settings" },
    payload.elements,
    triple("Gravity", gravity, "m/s²"),
    h("div", { class: "pair" }, field("Motors", motors), field("Friction", friction)),
    note,
    h("div", { class: "actions" }, button("As the file says", () => state.settings.set({}), { class: "button small" })),
  );
}

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
