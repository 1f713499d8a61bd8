import { h, refill } from "../core/dom";
import { openRobot } from "../core/robots";
import type { Studio } from "../core/studio";
import { openDialog } from "./dialog";
import { icon } from "./icons";

interface Entry {
  key: string;
  name: string;
  hint: string;
  text: string;
}

/** The robot's name; a click lists the catalog and the files to choose from. */
export function robotChooser(studio: Studio): HTMLElement {
  const name = h("span", { class: "robot-name" }, "No robot");
  const opener = h("button", { type: "button", class: "button robot-button", "aria-label": "Choose robot", "aria-haspopup": "dialog", onclick: () => choose(studio) }, name, icon("chevron"));
  studio.state.robot.watch((robot) => {
    if (!robot) return;
    name.textContent = robot.robot;
    opener.title = `${robot.description || robot.name}: ${robot.n} joints`;
    opener.setAttribute("aria-label", `Choose robot, now ${robot.robot}`);
  });
  return opener;
}

function choose(studio: Studio): void {
  const list = h("ul", { class: "choices robots" });
  const search = h("input", { type: "search", placeholder: "Search the catalog and files", "aria-label": "Search robots" });
  const show = () => {
    const found = matching(entries(studio), search.value);
    refill(list, found.map((entry) => h("li", {}, choiceButton(entry))));
    if (found.length === 0) list.append(h("li", { class: "empty" }, "No robot has this in its name."));
  };
  const choiceButton = (entry: Entry) =>
    h(
      "button",
      { type: "button", class: "choice", onclick: () => (dialog.close(), void openRobot(studio, entry.key)) },
      h("span", {}, entry.name),
      h("small", { class: "choice-text" }, entry.text),
      h("small", {}, entry.hint),
    );
  search.addEventListener("input", show);
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") list.querySelector("button")?.click();
  });
  const stop = studio.state.files.watch(show);
  const dialog = openDialog("Choose robot", [search, list]);
  dialog.addEventListener("close", stop);
  void listAnew(studio);
  search.focus();
}

/** Files may have come or gone since they were listed. */
async function listAnew({ state, connection, notes }: Studio): Promise<void> {
  try {
    state.files.set((await connection.ask("files", {})).files);
  } catch (error) {
    notes.complain(error);
  }
}

function entries({ state }: Studio): Entry[] {
  const catalog = (state.hello.get()?.robots ?? []).map(({ name, joints, description }) => ({ key: name, name, hint: `${joints} joint${joints === 1 ? "" : "s"}`, text: description }));
  const files = state.files.get().filter((file) => file.kind === "robot");
  return [...files.map(({ path }) => ({ key: path, name: path, hint: "file", text: "" })), ...catalog];
}

/** Entries that have every word somewhere. */
export function matching<T extends { name: string; text: string }>(list: T[], wanted: string): T[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  return list.filter((entry) => words.every((word) => `${entry.name} ${entry.text}`.toLowerCase().includes(word)));
}
