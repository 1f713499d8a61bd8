import { h } from "../core/dom";
import type { Studio } from "../core/studio";
import { askText, askYes, openDialog } from "../page/dialog";
import type { ProgramPanel } from "./panel";
import type { Runner } from "./runner";

const EMPTY = `program untitled;
var
endvar
seq
endseq
endprogram
`;

/** New, open, save: programs as files of the studio's folder. */
export class FileActions {
  constructor(
    private readonly studio: Studio,
    private readonly runner: Runner,
    private readonly panel: ProgramPanel,
  ) {}

  async create(): Promise<void> {
    if (await this.mayLeave()) this.panel.open("untitled.lirl", EMPTY, null);
  }

  async open(): Promise<void> {
    const { state, connection } = this.studio;
    if (!(await this.mayLeave())) return;
    try {
      const { files } = await connection.ask("files", {});
      state.files.set(files);
    } catch (error) {
      this.studio.notes.complain(error);
    }
    this.choose();
  }

  /** Writes to the document's file, or asks for one. */
  async save(): Promise<void> {
    const { state } = this.studio;
    const { path, name } = state.document.get();
    const wanted = path ?? (await askText("Save program", "File name", name, "Save"));
    if (wanted === null) return;
    const file = wanted.endsWith(".lirl") ? wanted : `${wanted}.lirl`;
    const known = state.files.get().some((entry) => entry.path === file);
    const overwrite = path === file || (known && (await askYes("Replace file", `${file} is there already. Replace it?`, "Replace")));
    if (known && !overwrite) return;
    try {
      await this.studio.connection.ask("write", { path: file, text: this.panel.editor.text, overwrite });
      state.document.set({ name: file, path: file, saved: true });
      this.studio.notes.say(`Saved ${file}.`, "good");
    } catch (error) {
      this.studio.notes.complain(error);
    }
  }

  private async mayLeave(): Promise<boolean> {
    if (this.studio.state.document.get().saved) return true;
    return askYes("Not saved", "The program has changes that are not saved. Leave them?", "Leave them");
  }

  private choose(): void {
    const { state } = this.studio;
    const files = state.files.get();
    const hello = state.hello.get();
    const list = (title: string, entries: [string, string, () => Promise<void>][]) =>
      entries.length
        ? h("section", {}, h("h3", {}, title), h("ul", { class: "choices" }, entries.map(([name, hint, act]) => h("li", {}, choice(name, hint, act)))))
        : null;
    const choice = (name: string, hint: string, act: () => Promise<void>) =>
      h("button", { type: "button", class: "choice", onclick: () => (dialog.close(), void act()) }, h("span", {}, name), h("small", {}, hint));
    const of = (kind: string): [string, string, () => Promise<void>][] =>
      files.filter((file) => file.kind === kind).map((file) => [file.path, `${Math.ceil(file.size / 1024)} kB`, () => (kind === "run" ? this.runner.openRun(file.path) : this.read(file.path))]);
    const examples = (hello?.examples ?? []).map((name): [string, string, () => Promise<void>] => [name, "example", () => this.read(name)]);
    const dialog = openDialog("Open", [
      list("Programs in the folder", of("program")),
      list("Runs and recordings", of("run")),
      list("Examples", examples),
      files.length ? null : h("p", { class: "empty" }, `No programs lie in ${hello?.folder ?? "the folder"} yet.`),
    ]);
  }

  /** Reads a program into the editor; an example has no file of its own. */
  async read(path: string): Promise<void> {
    try {
      const { text, writable } = await this.studio.connection.ask("read", { path });
      this.panel.open(path.endsWith(".lirl") ? path : `${path}.lirl`, text, writable ? path : null);
    } catch (error) {
      this.studio.notes.complain(error);
    }
  }
}
