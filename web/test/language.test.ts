import { StringStream } from "@codemirror/language";
import { expect, test } from "vitest";
import { kindOf, robotParser } from "../src/program/language";

/** The words of a text with their kinds, as the editor colours them. */
function coloured(text: string): [string, string][] {
  const state = robotParser.startState!(2);
  return text.split("\n").flatMap((line) => {
    const stream = new StringStream(line, 2, 2);
    const words: [string, string][] = [];
    while (!stream.eol()) {
      stream.start = stream.pos;
      const kind = robotParser.token(stream, state);
      if (kind) words.push([stream.current(), kind]);
    }
    return words;
  });
}

test("a move has its parts", () => {
  expect(coloured('Move LIN s5 speed=460 act_rob="lola_15";')).toEqual([
    ["Move", "action"],
    ["LIN", "action"],
    ["s5", "variableName"],
    ["speed", "option"],
    ["=", "operator"],
    ["460", "number"],
    ["act_rob", "option"],
    ["=", "operator"],
    ['"lola_15"', "string"],
    [";", "punctuation"],
  ]);
});

test("a comment goes over lines and ends at its brace", () => {
  expect(coloured("{ two\nlines } seq")).toEqual([
    ["{ two", "comment"],
    ["lines }", "comment"],
    ["seq", "keyword"],
  ]);
});

test("numbers have signs of their own only in the exponent", () => {
  expect(coloured("-1.5e-3")).toEqual([
    ["-", "operator"],
    ["1.5e-3", "number"],
  ]);
});

test("options have their colour", () => {
  expect(["acc", "acc_ori", "C_SPEED"].map(kindOf)).toEqual(["option", "option", "option"]);
});

test("case does not count", () => {
  expect(kindOf("ENDPROGRAM")).toBe("keyword");
  expect(kindOf("RobTarg")).toBe("typeName");
  expect(kindOf("s8_a")).toBeNull();
});
