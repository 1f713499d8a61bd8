import type { Asked } from "../core/connection";
import { ServerError } from "../core/connection";
import { h } from "../core/dom";
import { showProgramRobot } from "../core/robots";
import type { Studio } from "../core/studio";
import type { Written } from "../messages";
import { askYes, openDialog } from "../page/dialog";
import type { Named, ProgramPanel } from "./panel";
import type { Runner } from "./runner";
import { askFileName } from "./save_dialog";
import { tooLong } from "./text_limit";

const EMPTY = `program untitled;
var
endvar
seq
endseq
endprogram
`;

/** An example has no file of its own; it is saved under its name. */
export const ofExample = (example: string): Named => ({ name: `${example}.lirl`, example });

/** New, open, save: programs as files of the studio's folder. */
export class FileActions {
  constructor(
    private readonly studio: Studio,
    private readonly runner: Runner,
    private readonly panel: ProgramPanel,
  ) {}

  async create(): Promise<void> {
    if (await this.mayLeave()) this.panel.open(EMPTY, { name: "untitled.lirl" });
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
    const { path } = this.studio.state.document.get();
    if (path === null) this.saveAs();
    else {
      const complaint = await this.write(path);
      if (complaint !== null) this.studio.notes.say(complaint, "bad");
    }
  }

  /** Asks for a file and writes to it. */
  saveAs(): void {
    if (document.querySelector("dialog[open]")) return;
    const { name } = this.studio.state.document.get();
    askFileName("Save program", name, (wanted) => this.write(wanted.endsWith(".lirl") ? wanted : `${wanted}.lirl`));
  }

  /** Writes to a file; why not, in a sentence, or null. */
  private async write(file: string): Promise<string | null> {
    const { text } = this.panel.editor;
    const { path, digest } = this.studio.state.document.get();
    const asked = { path: file, text, known: file === path ? digest : null };
    try {
      const written = tooLong(text) ?? (await this.written(asked));
      if (typeof written === "string") return written;
      this.panel.keep(text, { name: file, path: file, digest: written.digest });
      this.studio.notes.say(`Saved ${file}.`, "good");
      return null;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return error.message;
    }
  }

  /** Another file than the one that was read is replaced only if that is wanted. */
  private async written(asked: Asked<"write">): Promise<Written> {
    const { connection } = this.studio;
    try {
      return await connection.ask("write", asked);
    } catch (error) {
      const conflict = error instanceof ServerError && error.conflict;
      if (!conflict || !(await askYes("Replace file", `${error.message.split(";")[0]}. Save it all the same?`, "Save all the same"))) throw error;
      return connection.ask("write", { ...asked, overwrite: true });
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

  /** Reads a program into the editor, and shows the robot that it names. */
  async read(path: string): Promise<void> {
    try {
      const { text, writable, digest } = await this.studio.connection.ask("read", { path });
      this.panel.open(text, writable ? { name: path, path, digest } : ofExample(path));
      await showProgramRobot(this.studio, text);
    } catch (error) {
      this.studio.notes.complain(error);
    }
  }
}
