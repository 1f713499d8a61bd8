import { h } from "../core/dom";
import { openDialog } from "./dialog";

/** What keys do, wherever no text is typed. */
export const KEYS: [string, [string, string][]][] = [
  ["Time", [["Space", "play or pause"], ["← →", "one sample back or forward"], ["Shift ← →", "one move back or forward"], ["Home, End", "begin or end"], ["L", "loop on or off"], [", .", "slower, faster"]]],
  ["View", [["1 2 3 4", "front, side, top, iso"], ["5", "orthographic or perspective"], ["F", "fit"], ["drag, wheel, right drag", "turn, zoom, pan"], ["← → ↑ ↓ + −", "turn and zoom, when the picture has the focus"]]],
  ["Program", [["Ctrl Enter", "run"], ["Ctrl S", "save"], ["Ctrl Shift S", "save as"], ["Ctrl Z", "undo"], ["Ctrl F", "search"], ["Esc, then Tab", "leave the editor"]]],
  ["Plots", [["click", "go to that time"], ["drag", "zoom"], ["wheel", "zoom about the pointer"], ["double click", "all of the run"], ["+ − ← → 0", "zoom, move, all, when a plot has the focus"]]],
  ["Page", [["↑ ↓", "from one violation or move to the next, when their list has the focus"], ["P O U I", "tabs: program, pose, studies, live"], ["T", "theme"], ["?", "this help"]]],
];

export function openHelp(): void {
  const group = ([title, keys]: (typeof KEYS)[number]) =>
    h("section", {}, h("h3", {}, title), h("dl", {}, keys.map(([key, what]) => h("div", {}, h("dt", {}, key), h("dd", {}, what)))));
  openDialog("Keys and controls", [h("div", { class: "help-groups" }, KEYS.map(group)), h("p", { class: "hint" }, h("a", { href: "notices.txt", target: "_blank" }, "Licences of what the studio is made of"))], { class: "wide" });
}
