import { expect, test } from "vitest";
import type { SavedView } from "../src/export/link";
import { readView, writeView } from "../src/export/link";

const view: SavedView = {
  robot: "lola15", settings: { payload: { mass: 2, com: [0, 0, 0.1] } }, tab: "pose", layers: ["floor"], projection: "perspective",
  camera: { position: [1, 2, 3], target: [0, 0, 0], zoom: 1 }, q: [0, 1], time: 2.5, program: { name: "ä.lirl", text: "{ ∂ }".repeat(1000) }, ran: true,
  plots: ["qdd"], axis: 4, line: 34,
};

test("a view comes back from its link", () => {
  const link = writeView(view);
  expect(link).toMatch(/^#view=[\w-]+$/);
  expect(link.length).toBeLessThan(600);
  expect(readView(link)).toEqual(view);
});

test("a link that was cut short opens nothing", () => {
  expect(readView(writeView(view).slice(0, 60))).toBeNull();
  expect(readView("#view=!!")).toBeNull();
  expect(readView("")).toBeNull();
});
