import { svg } from "../core/dom";

/** Outlines in a square of 20, drawn with the text's colour. */
const PATHS: Record<string, string> = {
  play: "M6 4.2v11.6l9.5-5.8z",
  pause: "M6.5 4.5v11M13.5 4.5v11",
  next: "M5 4.5v11l7-5.5zM15 4.5v11",
  back: "M15 4.5v11l-7-5.5zM5 4.5v11",
  begin: "M5 4.5v11M15.5 5l-5 5 5 5M11 5l-5 5 5 5",
  end: "M15 4.5v11M4.5 5l5 5-5 5M9 5l5 5-5 5",
  loop: "M4 9a4.5 4.5 0 0 1 4.500-4.500H15M12.500 2l2.500 2.500L12.500 7M16 11a4.500 4.500 0 0 1-4.500 4.500H5M7.500 18L5 15.500 7.500 13",
  fit: "M3.500 7V3.500H7M13 3.500h3.500V7M16.500 13v3.500H13M7 16.500H3.500V13M7.500 7.500h5v5h-5z",
  layers: "M10 3l7 3.700-7 3.700-7-3.700zM3.500 10.300L10 13.700l6.500-3.400M3.500 13.600L10 17l6.500-3.400",
  sun: "M10 6.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zM10 1.800v2M10 16.200v2M1.800 10h2M16.200 10h2M4.200 4.200l1.400 1.400M14.400 14.400l1.400 1.400M4.200 15.800l1.400-1.400M14.400 5.600l1.400-1.400",
  moon: "M16.500 11.800A7 7 0 1 1 8.200 3.500a5.600 5.600 0 0 0 8.300 8.300z",
  system: "M3 4.500h14v9H3zM7.500 16.500h5M10 13.500v3",
  help: "M10 2.500a7.500 7.500 0 1 0 0 15 7.500 7.500 0 0 0 0-15zM7.800 7.800a2.200 2.200 0 1 1 3.200 2c-.7.400-1 .8-1 1.600M10 14.200v.1",
  download: "M10 3v9.500M6 9l4 4 4-4M3.500 16.500h13",
  chevron: "M6 8l4 4 4-4",
  search: "M9 3.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11zM13 13l4 4",
  plus: "M10 4v12M4 10h12",
  folder: "M3 5.500h5l1.500 2H17v8H3z",
  save: "M4 3.500h9.500L16.500 6.500v10h-13zM7 3.500v4h5.500v-4M6.500 16.500v-5h7v5",
  copy: "M7 7h9.500v9.500H7zM13 7V3.500H3.500V13H7",
  close: "M5 5l10 10M15 5L5 15",
  reset: "M4.500 4v4h4M4.800 8A6 6 0 1 1 4 11.500",
  stop: "M5.500 5.500h9v9h-9z",
  check: "M4 10.500l4 4 8-9",
  warning: "M10 3l7.500 13.500h-15zM10 8.200v4M10 14.300v.1",
  perspective: "M3 6l7-3 7 3v8l-7 3-7-3zM3 6l7 3 7-3M10 9v8",
  settings: "M4 6h7M15 6h1M4 14h1M9 14h7M13 4.200a1.800 1.800 0 1 0 0 3.600 1.800 1.800 0 0 0 0-3.600zM7 12.200a1.800 1.800 0 1 0 0 3.600 1.800 1.800 0 0 0 0-3.600z",
  record: "M10 5a5 5 0 1 0 0 10 5 5 0 0 0 0-10z",
};

export type Icon = keyof typeof PATHS;

export function icon(name: string): SVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 20 20", class: `icon icon-${name}`, "aria-hidden": "true", focusable: "false" },
    svg("path", { d: PATHS[name] }),
  );
}
