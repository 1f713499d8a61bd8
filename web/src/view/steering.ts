import type { Cameras } from "./cameras";

const NEARER = 1.15;

/** Lets keys turn and zoom the picture while it has the focus. */
export function steerByKeys(canvas: HTMLElement, cameras: Cameras): void {
  const moves: Record<string, () => void> = {
    ArrowLeft: () => cameras.turn(-1, 0),
    ArrowRight: () => cameras.turn(1, 0),
    ArrowUp: () => cameras.turn(0, 1),
    ArrowDown: () => cameras.turn(0, -1),
    "+": () => cameras.zoom(NEARER),
    "=": () => cameras.zoom(NEARER),
    "-": () => cameras.zoom(1 / NEARER),
  };
  canvas.addEventListener("keydown", (event) => {
    const move = moves[event.key] as (() => void) | undefined;
    if (!move || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  });
}
