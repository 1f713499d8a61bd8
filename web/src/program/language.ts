import { HighlightStyle, LanguageSupport, StreamLanguage, syntaxHighlighting, type StreamParser } from "@codemirror/language";
import { tags } from "@lezer/highlight";

/** The words of the robot language (docs/language.md); case does not count. */
const KEYWORDS = words("program endprogram var endvar const seq endseq if then elsif else endif for to downto step do endfor or and not div mod");
const ACTIONS = words("move wait sec tool grasp payload release ptp lin circle");
const TYPES = words("real int bool string position orientation robtarg joint mainjoint");
const OPTIONS = words("speed speed_ptp acc acc_ptp acc_ori c_ori c_cp c_speed c_ptp act_rob o_var o_pco o_pvo");
const FUNCTIONS = words("sqrt sin cos tan atan2 abs");
const ATOMS = words("true false pi");

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

/** What may be offered while one types a word. */
export const VOCABULARY = [
  ...[...KEYWORDS].map((label) => ({ label, type: "keyword" })),
  ...[...ACTIONS].map((label) => ({ label, type: "method" })),
  ...[...TYPES].map((label) => ({ label, type: "type" })),
  ...[...OPTIONS].map((label) => ({ label, type: "property" })),
  ...[...FUNCTIONS].map((label) => ({ label, type: "function" })),
];

/** The kind of a word, null for a name of the program's own. */
export function kindOf(word: string): string | null {
  const small = word.toLowerCase();
  if (KEYWORDS.has(small)) return "keyword";
  if (ACTIONS.has(small)) return "action";
  if (TYPES.has(small)) return "typeName";
  if (OPTIONS.has(small)) return "option";
  if (FUNCTIONS.has(small)) return "function";
  if (ATOMS.has(small)) return "atom";
  return null;
}

export interface Lexing {
  comment: boolean;
}

export const robotParser: StreamParser<Lexing> = {
  name: "armdyn",
  startState: () => ({ comment: false }),
  token(stream, state) {
    if (state.comment || stream.peek() === "{") {
      // A comment ends at the first closing brace, lines later if need be.
      state.comment = !stream.skipTo("}");
      if (state.comment) stream.skipToEnd();
      else stream.next();
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^"[^"]*"?/)) return "string";
    if (stream.match(/^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?/i)) return "number";
    const word = stream.match(/^[a-z_]\w*/i);
    if (word) return kindOf((word as RegExpMatchArray)[0]) ?? "variableName";
    if (stream.match(/^(:=|<>|<=|>=|[-+*/=<>])/)) return "operator";
    stream.next();
    return "punctuation";
  },
  tokenTable: { action: tags.definitionKeyword, option: tags.propertyName, function: tags.function(tags.variableName) },
  languageData: { commentTokens: { block: { open: "{", close: "}" } }, closeBrackets: { brackets: ["(", "{", '"'] } },
};

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--code-keyword)" },
  { tag: tags.definitionKeyword, color: "var(--code-action)", fontWeight: "600" },
  { tag: tags.typeName, color: "var(--code-type)" },
  { tag: tags.propertyName, color: "var(--code-option)" },
  { tag: tags.function(tags.variableName), color: "var(--code-type)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: tags.atom, color: "var(--code-number)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: tags.operator, color: "var(--muted)" },
  { tag: tags.punctuation, color: "var(--muted)" },
]);

const language = StreamLanguage.define(robotParser);

export const robotLanguage = (): LanguageSupport =>
  new LanguageSupport(language, [
    syntaxHighlighting(colours),
    language.data.of({ autocomplete: VOCABULARY }),
  ]);
