// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";

import { commandOf, givenOf, missingOf, type Parameter, type Question } from "./answers";
import { boundsOf, changed, choicesOf, defaultOf, groupsOf, labelOf } from "./form";

const parameter = (name: string, more: Partial<Parameter> = {}): Parameter => ({
  name,
  required: false,
  description: `${name}.`,
  schema: { type: "string" },
  "x-option": `--${name.replaceAll("_", "-")}`,
  "x-group": "",
  ...more,
});

const question: Question = {
  name: "energy.life.life",
  room: "energy",
  command: "samara energy life",
  help: "",
  parameters: [
    parameter("file", { required: true }),
    parameter("suite", { schema: { type: "array", items: { type: "string" } } }),
    parameter("open_before_filter", { schema: { type: "boolean", default: false }, "x-group": "Node" }),
  ],
};

describe("missingOf", () => {
  it("names what is required and not typed", () => {
    const names = (values: string) => missingOf(question, new URLSearchParams(values)).map((each) => each.name);
    expect(names("suite=aes128")).toEqual(["file"]);
    expect(names("file=")).toEqual(["file"]);
    expect(names("file=a")).toEqual([]);
  });
});

describe("commandOf", () => {
  it("spells options as a shell takes them", () => {
    const values = new URLSearchParams(
      "suite=aes128&suite=a b'c&open_before_filter=true&file=x.csv&other=1",
    );
    expect(commandOf(question, values)).toBe(
      `samara energy life x.csv --suite aes128 --suite 'a b'\\''c' --open-before-filter`,
    );
    expect(commandOf(question, new URLSearchParams("open_before_filter=false"))).toBe("samara energy life");
  });
});

describe("givenOf", () => {
  it("has what the question takes, and nothing that is empty", () => {
    expect(givenOf(question, new URLSearchParams("suite=&suite=x&other=1")).toString()).toBe("suite=x");
  });
});

describe("what a form says", () => {
  it("has bounds with their unit", () => {
    const bounded = (schema: Parameter["schema"]) => boundsOf(parameter("x", { schema, "x-unit": "seconds" }));
    expect(bounded({ type: "number", minimum: 0.001 })).toBe("at least 0.001 seconds");
    expect(bounded({ type: "number", maximum: 5 })).toBe("at most 5 seconds");
    expect(bounded({ type: "integer", minimum: 0, maximum: 65536 })).toBe("0 to 65,536 seconds");
    expect(bounded({ type: "array", items: { type: "number" } })).toBe("seconds; several, with spaces between");
  });

  it("has defaults as they are typed, and names to choose from", () => {
    expect(defaultOf(parameter("x", { schema: { default: [8, 16] } }))).toBe("8 16");
    expect(defaultOf(parameter("x", { schema: { default: null } }))).toBe("");
    expect(choicesOf(parameter("x", { schema: { enum: [1, 2] } }))).toEqual(["1", "2"]);
    expect(choicesOf(parameter("x", { "x-names": ["a"] }))).toEqual(["a"]);
  });

  it("is the help where that is short, else the name", () => {
    expect(labelOf(parameter("bytes", { description: "Size of the message." }))).toBe("Size of the message");
    expect(labelOf(parameter("tag", { description: "Size of the tag (repeatable)." }))).toBe("Size of the tag");
    expect(labelOf(parameter("key_id", { description: "Much longer than a label may be. No." }))).toBe("Key id");
  });

  it("stands in groups, in the order of the question", () => {
    expect(groupsOf(question.parameters).map(({ name, parameters }) => [name, parameters.length])).toEqual([
      ["", 2],
      ["Node", 1],
    ]);
  });
});

describe("changed", () => {
  it("replaces all values of one parameter", () => {
    const before = new URLSearchParams("a=1&a=2&b=3");
    expect(changed(before, "a", ["4", ""]).toString()).toBe("b=3&a=4");
    expect(before.toString()).toBe("a=1&a=2&b=3");
  });
});
