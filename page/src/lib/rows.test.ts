// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";

import type { AnswerCell, AnswerTable } from "./records";
import { choicesIn, csvOf, selected, sorted } from "./rows";

const words = (text: string): AnswerCell => ({ value: text, text, origin: null, source: "" });
const figure = (value: number | null): AnswerCell => ({
  value,
  text: value === null ? "-" : value.toLocaleString("en"),
  origin: value === null ? null : "measured",
  source: "a clock",
});

const table: AnswerTable = {
  type: "answer_table",
  commands: [],
  slug: "toys",
  title: "Toys",
  caption: "",
  columns: [
    { name: "suite", unit: "", numeric: false },
    { name: "opt", unit: "", numeric: false },
    { name: "seal\u00a0time", unit: "ms", numeric: true },
  ],
  lines: [
    [words("aes128-ccm-16"), words("Os"), figure(10)],
    [words("aes128-ccm-8"), words("O2"), figure(null)],
    [words("ascon, \"new\""), words("Os"), figure(9)],
    [words("=speck"), words("O2"), figure(1200)],
  ],
};

const texts = (rows: AnswerCell[][], at = 0) => rows.map((row) => row[at]?.text);
const all = { search: "", chosen: {}, order: null };

describe("selected", () => {
  it("finds all words anywhere in a row, large or small", () => {
    expect(texts(selected(table, { ...all, search: "AES os" }))).toEqual(["aes128-ccm-16"]);
    expect(selected(table, { ...all, search: "aes nothing" })).toEqual([]);
  });

  it("keeps rows with the text that was chosen", () => {
    expect(texts(selected(table, { ...all, chosen: { 1: "O2" } }))).toEqual(["aes128-ccm-8", "=speck"]);
    expect(selected(table, { ...all, chosen: { 1: "" } })).toHaveLength(4);
  });
});

describe("sorted", () => {
  it("sorts numbers by value; what has none is last both ways", () => {
    const up = sorted(table.lines, { column: 2, descends: false });
    expect(texts(up, 2)).toEqual(["9", "10", "1,200", "-"]);
    const down = sorted(table.lines, { column: 2, descends: true });
    expect(texts(down, 2)).toEqual(["1,200", "10", "9", "-"]);
  });

  it("sorts the numbers in words, too, and leaves the rows it was given", () => {
    const before = texts(table.lines);
    expect(texts(sorted(table.lines, { column: 0, descends: false })).slice(1, 3)).toEqual([
      "aes128-ccm-8",
      "aes128-ccm-16",
    ]);
    expect(texts(table.lines)).toEqual(before);
  });
});

describe("choicesIn", () => {
  it("offers words that occur more than once", () => {
    expect(choicesIn(table, 1)).toEqual(["O2", "Os"]);
    expect(choicesIn(table, 0)).toEqual([]);
    expect(choicesIn(table, 2)).toEqual([]);
  });
});

describe("csvOf", () => {
  it("has units, origins, quotes, and no formulas", () => {
    expect(csvOf(table, table.lines.slice(1))).toBe(
      "suite,opt,seal time [ms],seal time origin\r\n" +
        "aes128-ccm-8,O2,,\r\n" +
        '"ascon, ""new""",Os,9,measured\r\n' +
        "'=speck,O2,1200,measured\r\n",
    );
  });
});
