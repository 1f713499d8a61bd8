import { describe, expect, it } from "vitest";
import { Density } from "../src/view/density";

const frames = (density: Density, count: number, milliseconds: number) => {
  for (let i = 0; i < count; i += 1) density.took(milliseconds);
};

/** A density that has come down as far as it goes, each step a gain. */
function coarsest(): Density {
  const density = new Density();
  frames(density, 10, 45);
  frames(density, 10, 38);
  frames(density, 10, 30);
  return density;
}

describe("density of a moving picture", () => {
  it("stays where frames come in time", () => {
    const density = new Density();
    frames(density, 100, 22);
    expect(density.ratio).toBe(1);
  });

  it("falls step by step where they come late, and not for ever", () => {
    const density = new Density();
    frames(density, 9, 45);
    expect(density.ratio).toBe(1);
    frames(density, 1, 45);
    expect(density.ratio).toBe(0.7);
    frames(density, 10, 38);
    expect(density.ratio).toBe(0.5);
    frames(density, 100, 30);
    expect(density.ratio).toBe(0.5);
    density.rest();
    expect(density.ratio).toBe(0.7);
    density.rest();
    density.rest();
    expect(density.ratio).toBe(1);
  });

  it("goes back where a coarser picture is no quicker, and stays there until it stands", () => {
    const density = new Density();
    frames(density, 10, 33); // a screen of thirty frames a second
    expect(density.ratio).toBe(0.7);
    frames(density, 10, 33);
    expect(density.ratio).toBe(1);
    frames(density, 100, 33);
    expect(density.ratio).toBe(1);
    density.rest();
    frames(density, 10, 33);
    expect(density.ratio).toBe(0.7);
  });

  it("is not misled by one frame that was held up", () => {
    const density = new Density();
    frames(density, 9, 17);
    frames(density, 1, 1e6); // the page was hidden
    expect(density.ratio).toBe(1);
  });

  it("begins to judge anew after a rest", () => {
    const density = coarsest();
    frames(density, 9, 40);
    density.rest();
    frames(density, 9, 40);
    expect(density.ratio).toBe(0.7);
  });
});
