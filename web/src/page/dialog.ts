import { freshId, h } from "../core/dom";
import { iconButton } from "./controls";

/** A modal box with a title; Escape closes it, and it leaves the page when it closes. */
export function openDialog(title: string, content: (HTMLElement | null)[], attributes: Record<string, string> = {}): HTMLDialogElement {
  const id = freshId("dialog");
  const dialog = h("dialog", { "aria-labelledby": id, ...attributes });
  const heading = h("h2", { id }, title);
  dialog.append(
    h("header", {}, heading, iconButton("close", "Close", () => dialog.close())),
    h("div", { class: "dialog-body" }, content),
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close(); // a click beside the box
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Asks for a yes; the harmless answer is what Escape gives. */
export function askYes(title: string, question: string, action: string): Promise<boolean> {
  return new Promise((resolve) => {
    let yes = false;
    const form = h(
      "form",
      { method: "dialog" },
      h("p", {}, question),
      h(
        "div",
        { class: "dialog-actions" },
        h("button", { type: "submit", class: "button" }, "Cancel"),
        h("button", { type: "submit", class: "button primary", onclick: () => (yes = true) }, action),
      ),
    );
    openDialog(title, [form], { class: "narrow" }).addEventListener("close", () => {
      resolve(yes);
    });
  });
}
