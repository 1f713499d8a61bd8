import { h } from "../core/dom";
import { iconButton } from "./controls";

export type Tone = "info" | "good" | "bad";
const SHOWN = { info: 6000, good: 5000, bad: 15000 };
const MOST = 4;

/** Quiet messages in a corner: they go by themselves, and never take the focus. */
export class Notes {
  readonly element = h("div", { class: "notes", role: "status", "aria-live": "polite", "aria-label": "Messages" });

  say(text: string, tone: Tone = "info"): void {
    if (this.saying(text)) return;
    const note = h("div", { class: `note ${tone}` }, h("span", {}, text));
    note.append(iconButton("close", "Dismiss message", () => note.remove()));
    this.element.append(note);
    while (this.element.children.length > MOST) this.element.firstElementChild?.remove();
    setTimeout(() => note.remove(), SHOWN[tone]);
  }

  /** Takes back what is no longer so. */
  withdraw(text: string): void {
    this.saying(text)?.remove();
  }

  private saying(text: string): Element | undefined {
    return [...this.element.children].find((note) => note.firstChild?.textContent === text);
  }

  /** The sentence of an error; what is no error of the studio is raised again. */
  complain(error: unknown): void {
    if (!(error instanceof Error)) throw error;
    this.say(error.message, "bad");
  }
}
