import { freshId, h } from "../core/dom";
import { openDialog } from "../page/dialog";

/** Asks for a file's name until `save` has no complaint: the sentence stands beside the name, which stays. */
export function askFileName(title: string, name: string, save: (name: string) => Promise<string | null>): void {
  const input = h("input", { type: "text", value: name, spellcheck: "false", "aria-describedby": freshId("complaint") });
  input.id = freshId("field");
  const complaint = h("p", { class: "complaint", role: "alert", id: input.getAttribute("aria-describedby"), hidden: true });
  const submit = h("button", { type: "submit", class: "button primary" }, "Save");
  const form = h("form", {}, h("div", { class: "field" }, h("label", { for: input.id }, "File name"), input), complaint, h("div", { class: "dialog-actions" }, submit));
  const show = (said: string | null) => {
    complaint.hidden = said === null;
    complaint.textContent = said;
    input.setAttribute("aria-invalid", String(said !== null));
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void attempt();
  });
  const attempt = async () => {
    const wanted = input.value.trim();
    submit.disabled = true;
    const said = wanted ? await save(wanted) : "Give the file a name.";
    submit.disabled = false;
    show(said);
    if (said === null) dialog.close();
    else input.focus();
  };
  input.addEventListener("input", () => show(null));
  const dialog = openDialog(title, [form], { class: "narrow" });
  input.select();
}
