import { keymap } from "@codemirror/view";
import { Prec } from "@codemirror/state";
import { cell } from "../core/cell";
import { ConnectionLost } from "../core/connection";
import { h } from "../core/dom";
import { robotOfProgram } from "../core/robots";
import type { Document } from "../core/state";
import type { Studio } from "../core/studio";
import type { Problem, Suggestion } from "../messages";
import { button, iconButton } from "../page/controls";
import { failureBanner, progressRow } from "../page/job_row";
import { Editor } from "./editor";
import { FileActions } from "./files";
import { outdated } from "./freshness";
import { planningNote } from "./planning_note";
import type { Jump } from "./results";
import { results } from "./results";
import { runSettings } from "./run_settings";
import type { Runner } from "./runner";
import { tooLong } from "./text_limit";

/** What a text is called, and where it is from. */
export type Named = Pick<Document, "name"> & Partial<Document>;

/** The tab where a program is written, run and mended. */
export class ProgramPanel {
  readonly element = h("div", { class: "panel program-panel" });
  readonly editor: Editor;
  readonly focusChannel = cell<string | null>(null);
  private readonly files: FileActions;
  /** Why the results shown are not those of what would be run now. */
  private readonly outdated = cell<string | null>(null);
  private savedText: string | null = null;

  constructor(
    private readonly studio: Studio,
    private readonly runner: Runner,
  ) {
    this.editor = new Editor(this.check, this.changed, this.keys);
    this.files = new FileActions(studio, runner, this);
    this.element.append(
      this.toolbar(),
      planningNote(studio.state),
      this.editor.element,
      progressRow(runner.slot),
      failureBanner(runner.slot, (line, column) => {
        this.editor.jump(line, column);
        this.editor.focus();
      }),
      this.hint(),
      results(studio, this.outdated, (suggestion) => void this.apply(suggestion), (to) => this.jump(to)),
    );
    studio.state.line.on((line) => {
      this.mark();
      if (line !== null && this.fresh) this.editor.reveal(line);
    });
    studio.state.run.on(this.compare);
    for (const settings of [studio.state.settings, runner.planning, runner.follow]) settings.on(this.changedRun);
  }

  /** Shows another text; what was said of the one before is put away. */
  open(text: string, named: Named): void {
    const { state } = this.studio;
    this.runner.slot.cancel();
    this.editor.open(text, this.check, this.changed, this.keys);
    state.planning.set({}); // they belong to the program before
    state.run.set(null);
    this.runner.slot.failure.set(null);
    this.keep(this.editor.text, named);
  }

  /** Takes a text as what is in the file, unless it is said not to be saved. */
  keep(text: string, named: Named): void {
    this.savedText = named.saved === false ? null : text;
    this.studio.state.document.set({ path: null, example: null, digest: null, ...named, saved: this.editor.text === this.savedText });
  }

  async run(): Promise<void> {
    await this.runner.verify(this.editor.text);
  }

  save(): void {
    void this.files.save();
  }

  private readonly keys = Prec.highest(
    keymap.of([
      { key: "Mod-Enter", run: () => (void this.run(), true) },
      { key: "Mod-s", run: () => (this.save(), true), shift: () => (this.files.saveAs(), true) },
    ]),
  );

  private readonly check = async (text: string): Promise<Problem[]> => {
    if (!text.trim()) return [];
    const long = tooLong(text);
    if (long !== null) return [{ line: 1, column: 1, message: long }];
    try {
      const { problems } = await this.studio.connection.ask("check", { text, ...robotOfProgram(this.studio) });
      return problems;
    } catch (error) {
      if (!(error instanceof ConnectionLost)) this.studio.notes.complain(error);
      return [];
    }
  };

  private readonly changed = (): void => {
    const { document } = this.studio.state;
    document.set({ ...document.get(), saved: this.editor.text === this.savedText });
    this.changedRun();
  };

  /** What would be run is not what was run: why that failed is of no interest any more. */
  private readonly changedRun = (): void => {
    this.runner.slot.failure.set(null);
    this.compare();
  };

  private readonly compare = (): void => {
    const { run, settings } = this.studio.state;
    const { planning, follow } = this.runner;
    const task = run.get()?.task;
    this.outdated.set(task ? outdated(task, { text: this.editor.text, settings: settings.get(), planning: planning.get(), follow: follow.get() }) : null);
    this.mark();
  };

  /** Whether the run shown is of the text shown. */
  private get fresh(): boolean {
    const task = this.studio.state.run.get()?.task;
    return task !== undefined && task.do !== "run_file" && task.text === this.editor.text;
  }

  private mark(): void {
    const { state } = this.studio;
    const run = state.run.get();
    const bad = run && this.outdated.get() === null ? run.info.violations.map((violation) => violation.line ?? 0) : [];
    const now = this.fresh ? state.line.get() : null;
    // The editor may be in the middle of an update: its marks follow when that is done.
    queueMicrotask(() => this.editor.mark({ now, bad: [...new Set(bad)] }));
  }

  private jump({ line, time, axis, channel }: Jump): void {
    const { state, playback } = this.studio;
    playback.goto(time);
    if (line !== null) {
      this.editor.jump(line);
      state.line.set(line);
    }
    state.axis.set(axis);
    this.focusChannel.set(null);
    this.focusChannel.set(channel);
  }

  private async apply(suggestion: Suggestion): Promise<void> {
    const ran = this.editor.text;
    const text = await this.runner.better(ran, suggestion);
    if (text === null) return;
    if (this.editor.text !== ran) {
      this.studio.notes.say("The text was changed meanwhile: run again, and choose anew.", "bad");
      return;
    }
    if (text !== ran) this.editor.replace(text);
    this.studio.notes.say("The program is changed; Undo brings the text before back.", "good");
    await this.run();
  }

  /** What to do first. */
  private hint(): HTMLElement {
    const element = h("p", { class: "program-hint" }, "Run says whether the motors can do the program, where they cannot, and what would help.");
    const show = () => {
      element.hidden = this.studio.state.run.get() !== null || this.runner.slot.work.get() !== null;
    };
    this.studio.state.run.watch(show);
    this.runner.slot.work.watch(show);
    return element;
  }

  private toolbar(): HTMLElement {
    const { state } = this.studio;
    const name = h("span", { class: "document-name" });
    state.document.watch((document) => {
      name.textContent = document.name;
      name.classList.toggle("unsaved", !document.saved);
      name.title = document.saved ? document.name : `${document.name}: not saved`;
      if (!document.saved) name.append(h("span", { class: "unsaved-mark", role: "img", "aria-label": "Not saved", title: "Not saved" }));
    });
    const run = button("Run", () => void this.run(), { class: "button primary", title: "Run (Ctrl+Enter)" }, "play");
    this.runner.slot.work.watch((work) => {
      run.disabled = work !== null;
    });
    return h(
      "div",
      { class: "panel-toolbar" },
      iconButton("plus", "New program", () => void this.files.create()),
      iconButton("folder", "Open", () => void this.files.open()),
      iconButton("save", "Save (Ctrl+S)", () => this.save(), { "aria-label": "Save" }),
      iconButton("saveAs", "Save as (Ctrl+Shift+S)", () => this.files.saveAs(), { "aria-label": "Save as" }),
      iconButton("reset", "Undo", () => this.editor.undo()),
      name,
      runSettings(this.runner),
      run,
    );
  }
}
