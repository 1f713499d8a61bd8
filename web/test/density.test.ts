import { describe, expect, it } from "vitest";
import { Density } from "../src/view/density";

const frames = (density: Density, count: number, milliseconds: number) => {
  for (let i = 0; i < count; i += 1) density.took(milliseconds);
};

describe("density of a moving picture", () => {
  it("stays where frames come in time", () => {
    const density = new Density();
    frames(density, 100, 22);
    expect(density.ratio).toBe(1);
  });

  it("falls step by step where they come late, and not for ever", () => {
    const density = new Density();
    frames(density, 9, 30);
    expect(density.ratio).toBe(1);
    frames(density, 1, 30);
    expect(density.ratio).toBe(0.7);
    frames(density, 100, 30);
    expect(density.ratio).toBe(0.5);
    density.rest();
    expect(density.ratio).toBe(0.7);
    density.rest();
    density.rest();
    expect(density.ratio).toBe(1);
  });

  it("begins to judge anew after a rest", () => {
    const density = new Density();
    frames(density, 9, 40);
    density.rest();
    frames(density, 9, 40);
    expect(density.ratio).toBe(1);
  });
});
