// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test, vi } from "vitest";

import { Answer } from "./answer.svelte";

afterEach(() => vi.unstubAllGlobals());

const table = (title: string) => ({ type: "answer_table", slug: "t", title, caption: "", columns: [], lines: [], commands: [] });

// An answer whose lines come when a test says so.
function answering(): { say: (line: object) => Promise<void>; end: () => void } {
  let out: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (out = given) });
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(body)));
  return {
    say: async (line) => {
      out.enqueue(new TextEncoder().encode(JSON.stringify(line) + "\n"));
      await new Promise((done) => setTimeout(done));
    },
    end: () => out.close(),
  };
}

test("a table is shown before the answer is complete", async () => {
  const answer = new Answer();
  const { say, end } = answering();
  const asked = answer.ask("a.b", new URLSearchParams());
  await say({ type: "answer_progress", share: 0.5, doing: "reading" });
  expect([answer.share, answer.doing, answer.tables.length]).toEqual([0.5, "reading", 0]);
  await say(table("one"));
  expect(answer.tables.map((each) => each.title)).toEqual(["one"]);
  expect(answer.isRunning).toBe(true);
  await say(table("two"));
  expect(answer.tables.map((each) => each.title)).toEqual(["one", "two"]);
  await say({ type: "answer_end", problem: "" });
  end();
  await asked;
  expect([answer.isRunning, answer.isComplete]).toEqual([false, true]);
});

test("what was shown before stays until a table comes", async () => {
  const answer = new Answer();
  answer.tables = [{ ...table("old"), type: "answer_table" }];
  const { say, end } = answering();
  const asked = answer.ask("a.b", new URLSearchParams());
  await say({ type: "answer_progress", share: null, doing: "reading" });
  expect(answer.tables.map((each) => each.title)).toEqual(["old"]);
  await say(table("new"));
  expect(answer.tables.map((each) => each.title)).toEqual(["new"]);
  end();
  await asked;
});
