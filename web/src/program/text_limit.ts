import { LARGEST_TEXT } from "../messages";

/** Why a text is not even sent: the server takes none that is so long. Null where it is not. */
export function tooLong(text: string): string | null {
  if (text.length <= LARGEST_TEXT) return null;
  return `The program is too long: it has ${text.length} characters, at most ${LARGEST_TEXT} are taken.`;
}
