const AWAY = 12; // pixels between the pointer and what is told of it
const EDGE = 4;

/** Where a box of a width begins: right of the pointer, left of it where there is no room, always within the window. */
export function beside(pointer: number, width: number, room: number): number {
  const right = pointer + AWAY;
  const wanted = right + width + EDGE <= room ? right : pointer - AWAY - width;
  return Math.max(EDGE, Math.min(wanted, room - width - EDGE));
}

/** Puts a box beside the pointer of a plot, `left` from its edge. */
export function placeBeside(box: HTMLElement, over: HTMLElement, left: number): void {
  const plot = over.getBoundingClientRect();
  box.style.left = `${beside(plot.left + left, box.offsetWidth, window.innerWidth)}px`;
  box.style.top = `${Math.max(EDGE, Math.min(plot.top + EDGE, window.innerHeight - box.offsetHeight - EDGE))}px`;
}
