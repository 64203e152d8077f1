// SPDX-License-Identifier: Apache-2.0
// Questions and their answers, which come as JSON Lines while they are computed.

import { Refusal, ask, sentenceOf } from "./api";
import type {
  AnswerEnd,
  AnswerNotice,
  AnswerProgress,
  AnswerRemark,
  AnswerTable,
  SamaraRecord,
} from "./records";

export type Line =
  | AnswerTable
  | AnswerRemark
  | AnswerNotice
  | AnswerProgress
  | AnswerEnd
  | SamaraRecord;

export interface Schema {
  type?: "integer" | "number" | "boolean" | "string" | "array";
  enum?: (string | number)[];
  minimum?: number;
  maximum?: number;
  default?: unknown;
  items?: Schema;
}

export interface Parameter {
  name: string;
  required: boolean;
  description: string;
  schema: Schema;
  "x-option": string;
  "x-group": string;
  "x-unit"?: string;
  "x-names"?: string[];
  "x-default-text"?: string;
}

export interface Question {
  name: string;
  room: string;
  command: string;
  help: string;
  parameters: Parameter[];
}

let known: Promise<Question[]> | undefined;

export function questions(): Promise<Question[]> {
  known ??= ask<Question[]>("GET", "questions").catch((error: unknown) => {
    known = undefined;
    throw error;
  });
  return known;
}

// Only the values that the question has; empty ones are not given.
export function givenOf(question: Question, values: URLSearchParams): URLSearchParams {
  const names = new Set(question.parameters.map((each) => each.name));
  return new URLSearchParams([...values].filter(([name, text]) => names.has(name) && text !== ""));
}

// What has to be typed before a question can be asked.
export function missingOf(question: Question, values: URLSearchParams): Parameter[] {
  return question.parameters.filter((each) => each.required && !values.get(each.name));
}

// The same question on a command line.
export function commandOf(question: Question, values: URLSearchParams): string {
  const words = [question.command || question.name];
  for (const each of question.parameters) {
    for (const text of values.getAll(each.name)) {
      if (text === "") continue;
      if (each.required) words.push(quoted(text));
      else if (each.schema.type === "boolean") words.push(...(text === "true" ? [each["x-option"]] : []));
      else words.push(each["x-option"], quoted(text));
    }
  }
  return words.join(" ");
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

// Yields the lines of an answer; ends when it is complete or `signal` cancels it.
export async function* linesOf(
  name: string,
  given: URLSearchParams,
  withRecords: boolean,
  signal: AbortSignal,
): AsyncGenerator<Line> {
  const path = `/api/${withRecords ? "answers" : "tables"}/${name}?${given}`;
  const response = await fetch(path, { signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new Refusal(0, "The console does not answer. Is `samara console` still running?");
  });
  if (!response.ok || response.body === null) {
    const detail: unknown = await response.json().catch(() => null);
    throw new Refusal(response.status, sentenceOf(detail, response.status));
  }
  let left = "";
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    const texts = (left + (value ?? "")).split("\n");
    left = texts.pop() ?? "";
    for (const text of texts) yield JSON.parse(text) as Line;
    if (done) return;
  }
}
