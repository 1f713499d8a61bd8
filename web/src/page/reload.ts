import type { SavedView } from "../export/link";
import type { Hello } from "../messages";

const KEY = "armdyn.view";

interface Kept {
  started: string;
  view: SavedView;
}

/** What the studio was started with: a view belongs to it. */
const startedWith = ({ folder, opened }: Hello): string => JSON.stringify([folder, opened?.kind, opened?.name]);

/** Keeps the view of this tab while it is loaded anew. */
export function keepOverReload(hello: () => Hello | null, view: () => SavedView): void {
  window.addEventListener("pagehide", () => {
    const said = hello();
    if (said) sessionStorage.setItem(KEY, JSON.stringify({ started: startedWith(said), view: view() } satisfies Kept));
  });
}

/** The view before a reload; null where the page is opened otherwise, or of another start. */
export function viewBeforeReload(hello: Hello): SavedView | null {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const text = sessionStorage.getItem(KEY);
  if (navigation.type !== "reload" || text === null) return null;
  const { started, view } = JSON.parse(text) as Kept;
  return started === startedWith(hello) ? view : null;
}
