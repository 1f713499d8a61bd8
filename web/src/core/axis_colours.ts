import { token } from "./theme";

const COUNT = 8;

/** The colour of an axis in plots, bars and lists: the same everywhere. */
export const axisColour = (index: number): string => token(`axis-${(index % COUNT) + 1}`);
