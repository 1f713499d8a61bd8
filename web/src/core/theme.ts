import type { State } from "./state";

/** Keeps `data-theme` of the page as chosen, or as the system asks. */
export function followTheme(state: State): void {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const chosen = state.theme.get();
    const dark = chosen === "dark" || (chosen === "system" && system.matches);
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    state.dark.set(dark);
  };
  system.addEventListener("change", apply);
  state.theme.watch(apply);
}

/** The value of a custom property of the page. */
export const token = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
