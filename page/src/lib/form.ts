// SPDX-License-Identifier: Apache-2.0
// What a form says of a parameter.

import type { Parameter, Schema } from "./answers";

function inner(parameter: Parameter): Schema {
  return parameter.schema.items ?? parameter.schema;
}

const LABEL_MAX = 28;

// The first sentence of the help where it is short, such as "Size of the message"; else
// the name.
export function labelOf(parameter: Parameter): string {
  const [first = ""] = parameter.description.split(/\.(?:\s|$)/);
  const sentence = first.replace(/ \(repeatable\)$/, "");
  const text = sentence !== "" && sentence.length <= LABEL_MAX ? sentence : parameter.name.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function choicesOf(parameter: Parameter): string[] {
  return (inner(parameter).enum ?? parameter["x-names"] ?? []).map(String);
}

// The default as it is typed; empty when there is none.
export function defaultOf(parameter: Parameter): string {
  const value = parameter.schema.default;
  if (value === undefined || value === null) return "";
  return Array.isArray(value) ? value.join(" ") : String(value);
}

export function boundsOf(parameter: Parameter): string {
  const { minimum, maximum } = inner(parameter);
  const number = (value: number) => value.toLocaleString("en", { maximumSignificantDigits: 10 });
  const unit = parameter["x-unit"] ?? "";
  let text = "";
  if (minimum !== undefined && maximum !== undefined) text = `${number(minimum)} to ${number(maximum)}`;
  else if (minimum !== undefined) text = `at least ${number(minimum)}`;
  else if (maximum !== undefined) text = `at most ${number(maximum)}`;
  const several = parameter.schema.type === "array" ? "several, with spaces between" : "";
  return [`${text} ${unit}`.trim(), several].filter(Boolean).join("; ");
}

// The values of a form with one parameter changed.
export function changed(values: URLSearchParams, name: string, texts: string[]): URLSearchParams {
  const found = new URLSearchParams([...values].filter(([key]) => key !== name));
  for (const text of texts) if (text !== "") found.append(name, text);
  return found;
}

export interface Group {
  name: string;
  parameters: Parameter[];
}

export function groupsOf(parameters: readonly Parameter[]): Group[] {
  const found = new Map<string, Parameter[]>();
  for (const each of parameters) {
    const members = found.get(each["x-group"]) ?? [];
    members.push(each);
    found.set(each["x-group"], members);
  }
  return [...found].map(([name, members]) => ({ name, parameters: members }));
}
