// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { clock, columnOf, type Happening } from "./events";
import { learned } from "./learned";

const stamp = { number: 1, time_s: 0 };

test("what happened to a node is in its column, all else on the air", () => {
  const state = { ...stamp, type: "program_state" as const, is_running: true, last_words: [] };
  expect(columnOf({ ...state, name: "left" })).toBe("left");
  expect(columnOf({ ...state, name: "medium" })).toBe("air");
  const note = { ...stamp, type: "conversation_note" as const, sentence: "", warns: false };
  expect(columnOf({ ...note, end: "right" })).toBe("right");
  expect(columnOf({ ...note, end: "" })).toBe("air");
});

test("the clock has minutes and hundredths of seconds", () => {
  expect(clock(10, 10)).toBe("0:00.00");
  expect(clock(9, 10)).toBe("0:00.00");
  expect(clock(69.5, 10)).toBe("0:59.50");
  expect(clock(71.5, 10)).toBe("1:01.50");
});

function frame(sender: string, purpose: string): Happening {
  return {
    ...stamp,
    type: "frame_heard",
    sender,
    kind: "data",
    data: "00414243",
    parts: [
      { purpose: "header", start: 0, size: 1 },
      { purpose, start: 1, size: 3 },
    ],
    fields: [],
    fate: "",
  };
}

test("an eavesdropper reads payloads, counts encrypted bytes, and not the attacker's", () => {
  const found = learned([frame("left", "payload"), frame("right", "encrypted"), frame("attacker", "payload")]);
  expect(found.frames).toBe(2);
  expect(found.bytes).toBe(8);
  expect(found.hidden).toBe(3);
  expect(found.read).toEqual(["ABC"]);
});

test("only the last few texts are kept, and guesses are not readings", () => {
  const many = Array.from({ length: 9 }, () => frame("left", "payload"));
  const guess: Happening = { ...stamp, type: "overheard", sender: "", is_encrypted: true, content: "ff41", text: "\\xffA", size: 2, snr_db: 9 };
  const found = learned([...many, guess, { ...guess, is_encrypted: false, content: "4f4b", text: "OK" }]);
  expect(found.read.length).toBe(6);
  expect(found.guessed).toEqual(["\\xffA"]);
  expect(found.compared).toEqual(["OK"]);
});
