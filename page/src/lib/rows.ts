// SPDX-License-Identifier: Apache-2.0
// Rows of tables: searched, filtered, sorted, and as CSV.

import type { AnswerCell, AnswerTable } from "./records";

export type Row = AnswerCell[];

export interface Order {
  column: number;
  descends: boolean;
}

export interface Selection {
  // Words that each row must have somewhere; capital letters do not matter.
  search: string;
  // The text that a column must have, by the number of the column.
  chosen: Record<number, string>;
  order: Order | null;
}

export function selected(table: AnswerTable, selection: Selection): Row[] {
  const words = selection.search.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = Object.entries(selection.chosen).filter(([, text]) => text !== "");
  const kept = table.lines.filter((row) => {
    const text = row.map((cell) => cell.text.toLowerCase()).join(" ");
    return (
      words.every((word) => text.includes(word)) &&
      chosen.every(([column, wanted]) => row[Number(column)]?.text === wanted)
    );
  });
  const { order } = selection;
  return order === null ? kept : sorted(kept, order);
}

// Cells without a value come last, whichever way rows are sorted.
export function sorted(rows: readonly Row[], { column, descends }: Order): Row[] {
  const sign = descends ? -1 : 1;
  return [...rows].sort((a, b) => {
    const left = a[column]?.value ?? null;
    const right = b[column]?.value ?? null;
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    if (typeof left === "number" && typeof right === "number") return sign * (left - right);
    return sign * String(left).localeCompare(String(right), "en", { numeric: true });
  });
}

const CHOICES_MAX = 24;

// The texts to choose from in a column of words; none where a choice would not help.
export function choicesIn(table: AnswerTable, column: number): string[] {
  if (table.columns[column]?.numeric) return [];
  const texts = [...new Set(table.lines.map((row) => row[column]?.text ?? ""))];
  const isUseful = texts.length > 1 && texts.length <= CHOICES_MAX && texts.length < table.lines.length;
  return isUseful ? texts.sort((a, b) => a.localeCompare(b, "en", { numeric: true })) : [];
}

// As `-o` writes it: a column for each figure and, where there are figures, its origin.
export function csvOf(table: AnswerTable, rows: readonly Row[]): string {
  const figures = table.columns.map((_, at) => table.lines.some((row) => row[at]?.origin));
  const heads = table.columns.flatMap(({ name, unit }, at) => {
    const head = name.replaceAll("\u00a0", " ") + (unit ? ` [${unit}]` : "");
    return figures[at] ? [head, `${name.replaceAll("\u00a0", " ")} origin`] : [head];
  });
  const lines = rows.map((row) =>
    row.flatMap((cell, at) => {
      const value = cell.value === null ? "" : String(cell.value);
      return figures[at] ? [value, cell.origin ?? ""] : [value];
    }),
  );
  return [heads, ...lines].map((line) => line.map(csvText).join(",") + "\r\n").join("");
}

function csvText(text: string): string {
  // A text that a spreadsheet would take for a formula is made a text.
  const safe = /^[=+@\t\r]|^-(?![\d.])/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
