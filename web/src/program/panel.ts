import { keymap } from "@codemirror/view";
import { Prec } from "@codemirror/state";
import { cell } from "../core/cell";
import { ConnectionLost } from "../core/connection";
import { h } from "../core/dom";
import { robotOfProgram } from "../core/robots";
import type { Studio } from "../core/studio";
import type { Problem, Suggestion } from "../messages";
import { button, iconButton } from "../page/controls";
import { failureBanner, progressRow } from "../page/job_row";
import { Editor } from "./editor";
import { FileActions } from "./files";
import { planningNote } from "./planning_note";
import type { Jump } from "./results";
import { results } from "./results";
import { runSettings } from "./run_settings";
import type { Runner } from "./runner";

/** The tab where a program is written, run and mended. */
export class ProgramPanel {
  readonly element = h("div", { class: "panel program-panel" });
  readonly editor: Editor;
  readonly focusChannel = cell<string | null>(null);
  private readonly files: FileActions;
  private ranText = "";

  constructor(
    private readonly studio: Studio,
    private readonly runner: Runner,
  ) {
    this.editor = new Editor(this.check, this.changed, this.keys);
    this.files = new FileActions(studio, runner, this);
    this.element.append(
      this.toolbar(),
      planningNote(studio.state.planning),
      this.editor.element,
      progressRow(runner.slot),
      failureBanner(runner.slot, (line, column) => {
        this.editor.jump(line, column);
        this.editor.focus();
      }),
      this.hint(),
      results(studio, (suggestion) => void this.apply(suggestion), (to) => this.jump(to)),
    );
    const mark = () => this.mark();
    studio.state.line.on((line) => {
      mark();
      if (line !== null && this.fresh) this.editor.reveal(line);
    });
    studio.state.run.on(mark);
  }

  /** Shows a text under a name; `path` is null until it is saved. */
  open(name: string, text: string, path: string | null): void {
    this.editor.open(text, this.check, this.changed, this.keys);
    this.studio.state.planning.set({}); // they belong to the program before
    this.studio.state.document.set({ name, path, saved: true });
  }

  async run(): Promise<void> {
    this.ranText = this.editor.text;
    await this.runner.verify(this.ranText);
  }

  save(): void {
    void this.files.save();
  }

  private readonly keys = Prec.highest(
    keymap.of([
      { key: "Mod-Enter", run: () => (void this.run(), true) },
      { key: "Mod-s", run: () => (this.save(), true) },
    ]),
  );

  private readonly check = async (text: string): Promise<Problem[]> => {
    if (!text.trim()) return [];
    try {
      const { state, connection } = this.studio;
      const { problems, robot } = await connection.ask("check", { text, robot: robotOfProgram(this.studio), settings: state.settings.get() });
      state.programRobot.set(robot);
      return problems;
    } catch (error) {
      if (!(error instanceof ConnectionLost)) this.studio.notes.complain(error);
      return [];
    }
  };

  private readonly changed = (): void => {
    const { document } = this.studio.state;
    document.set({ ...document.get(), saved: false });
    this.mark();
  };

  /** Whether the run shown is of the text shown. */
  private get fresh(): boolean {
    return this.ranText === this.editor.text;
  }

  private mark(): void {
    const { state } = this.studio;
    const run = state.run.get();
    const bad = run && this.fresh ? run.info.violations.map((violation) => violation.line ?? 0) : [];
    const now = run && this.fresh ? state.line.get() : null;
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
    const text = await this.runner.better(this.editor.text, suggestion);
    if (text === null) return;
    if (text !== this.editor.text) this.editor.replace(text);
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
      iconButton("reset", "Undo", () => this.editor.undo()),
      name,
      runSettings(this.runner),
      run,
    );
  }
}
