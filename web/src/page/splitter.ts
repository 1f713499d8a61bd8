import { h } from "../core/dom";

const STEP = 24;

export interface Split {
  label: string;
  property: string;
  vertical: boolean;
  /** Its size as long as nobody has moved it. */
  first: () => number;
  least: number;
  most: () => number;
}

/** A bar that is dragged, or moved by arrow keys, and sets a size as a custom property. */
export function splitter(root: HTMLElement, split: Split): HTMLElement {
  let wanted: number | null = null;
  let size = 0;
  const bar = h("div", {
    class: `splitter ${split.vertical ? "upright" : "level"}`,
    role: "separator",
    tabindex: 0,
    "aria-label": split.label,
    "aria-orientation": split.vertical ? "vertical" : "horizontal",
  });
  const apply = () => {
    size = Math.round(Math.min(split.most(), Math.max(split.least, wanted ?? split.first())));
    root.style.setProperty(split.property, `${size}px`);
    bar.setAttribute("aria-valuenow", String(size));
    bar.setAttribute("aria-valuemin", String(split.least));
    bar.setAttribute("aria-valuemax", String(split.most()));
  };
  const move = (to: number) => {
    wanted = Math.min(split.most(), Math.max(split.least, to));
    apply();
  };
  bar.addEventListener("pointerdown", (event) => {
    bar.setPointerCapture(event.pointerId);
    const start = split.vertical ? event.clientX : event.clientY;
    const before = size;
    const drag = (moved: PointerEvent) => {
      move(before + start - (split.vertical ? moved.clientX : moved.clientY));
    };
    bar.addEventListener("pointermove", drag);
    bar.addEventListener("lostpointercapture", () => bar.removeEventListener("pointermove", drag), { once: true });
  });
  bar.addEventListener("keydown", (event) => {
    const more = split.vertical ? "ArrowLeft" : "ArrowUp";
    const less = split.vertical ? "ArrowRight" : "ArrowDown";
    if (event.key !== more && event.key !== less) return;
    event.preventDefault();
    event.stopPropagation();
    move(size + (event.key === more ? STEP : -STEP));
  });
  window.addEventListener("resize", apply);
  apply();
  return bar;
}
