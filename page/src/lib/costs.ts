// SPDX-License-Identifier: Apache-2.0
// What a message costs, as stacked bars: bytes, time or energy by what they are for.

import { shown } from "./chart";
import type { Figure, MessageCost, PublishedCost } from "./records";

export type Measure = "bytes" | "time" | "energy";

export interface Segment {
  name: string;
  value: number;
  colour: string;
  // Where it comes from, for whoever points at it.
  explanation: string;
}

export interface Bar {
  label: string;
  note: string;
  segments: Segment[];
  // Published figures are hollow.
  isHollow: boolean;
}

export interface Kind {
  name: string;
  colour: string;
}

const OF_PARTS: [string, string, string[]][] = [
  ["message", "payload", ["message"]],
  ["header and framing", "header", ["framing", "header", "check", "cipher", "coding", "fill"]],
  ["security header", "security", ["security", "counter"]],
  ["tag", "tag", ["tag"]],
  ["radio", "check", ["radio", "repetition", "acknowledgement"]],
];

export const UNITS: Record<Measure, string> = { bytes: "byte", time: "ms", energy: "µJ" };

export function barOf(cost: MessageCost, measure: Measure): Bar {
  return {
    label: cost.suite ?? "no security",
    note: cost.suite === null ? "" : `${cost.layer} layer`,
    isHollow: false,
    segments: measure === "bytes" ? bytesOf(cost) : figuresOf(cost, measure),
  };
}

function bytesOf(cost: MessageCost): Segment[] {
  return OF_PARTS.flatMap(([name, colour, parts]) => {
    const value = parts.reduce((sum, part) => sum + (cost.parts[part] ?? 0), 0);
    const sizes = parts
      .filter((part) => (cost.parts[part] ?? 0) > 0)
      .map((part) => `${part} ${cost.parts[part]}`)
      .join(", ");
    return value > 0
      ? [{ name, value, colour, explanation: `${sizes} bytes; measured: ${cost.air_bytes.source}` }]
      : [];
  });
}

function figuresOf(cost: MessageCost, measure: "time" | "energy"): Segment[] {
  const [cipher, radio, factor] =
    measure === "time"
      ? [cost.crypto_time, cost.air_time, 1e3]
      : [cost.crypto_energy, cost.radio_energy, 1e6];
  return [
    ...segmentOf("radio", "header", radio, factor),
    ...segmentOf("cipher", "encrypted", cipher, factor),
  ];
}

function segmentOf(name: string, colour: string, figure: Figure | null, factor: number): Segment[] {
  if (figure === null || figure.value === null) return [];
  const explanation = `${figure.origin}: ${figure.source}`;
  return [{ name, colour, value: figure.value * factor, explanation }];
}

// What the papers printed of a message of this size.
export function publishedBar(cost: PublishedCost, measure: Measure): Bar | null {
  const [figure, factor] = {
    bytes: [cost.sent_bytes, 1] as const,
    time: [cost.crypto_time, 1e3] as const,
    energy: [cost.crypto_energy, 1e6] as const,
  }[measure];
  const name = measure === "bytes" ? "handed to the radio" : "cipher";
  const segments = segmentOf(name, "published", figure, factor);
  return segments.length > 0
    ? { label: cost.what, note: "published", segments, isHollow: true }
    : null;
}

export function total(bar: Bar): number {
  return bar.segments.reduce((sum, { value }) => sum + value, 0);
}

// In a sentence: what security adds with the cheapest suite.
export function sentenceOf(costs: readonly MessageCost[]): string {
  const [plain, ...secured] = costs;
  const best = secured.find(
    (each) => each.energy !== null && each.encrypts && each.standing === "standard",
  );
  const [before, after] = [plain?.energy?.value, best?.energy?.value];
  if (plain === undefined || best === undefined || !before || !after) return "";
  const more = ((after - before) / before) * 100;
  const bytes = (best.air_bytes.value ?? 0) - (plain.air_bytes.value ?? 0);
  return (
    `Without security the message takes ${shown(before * 1e6)} µJ of cipher and radio. ` +
    `With ${best.suite} at the ${best.layer} layer, the standard one that takes least, it is ` +
    `${shown(after * 1e6)} µJ: ${shown(more)} % more, and ${bytes} bytes more on the air.`
  );
}
