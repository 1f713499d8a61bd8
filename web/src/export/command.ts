import type { State } from "../core/state";

/** Why no command line computes what is shown, in a few words; null where one does: it reads a file. */
export function whyNoCommand({ run, document }: Pick<State, "run" | "document">, text: string): string | null {
  const shown = run.get();
  const { path, example, saved } = document.get();
  if (!shown) return "run first";
  if (!shown.info.command || shown.task.do === "run_file") return "none does this";
  if (shown.task.text !== text) return "run again first";
  return saved && (path ?? example) !== null ? null : "save first";
}

/** A command for the file that a program is saved in by now, instead of the name that it was run under. */
export function commandOf(command: string, name: string, file: string): string {
  return command.replace(` ${quoted(name)}`, () => ` ${quoted(file)}`);
}

/** A word as a shell takes it. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`);
