// SPDX-License-Identifier: Apache-2.0
// A receipt as the page shows it: bytes by layer, and what they cost.

import { trimmed } from "./numbers";
import type { Figure, ReceiptRecord } from "./records";

export interface Slice {
  name: string;
  bytes: number;
  colour: string;
}

// In the order of a frame; each layer has the colour of its bytes on the air.
const LAYERS: [string, string, string[]][] = [
  ["message", "payload", ["message"]],
  ["cipher", "encrypted", ["cipher"]],
  ["framing and header", "header", ["framing", "header"]],
  ["security header", "security", ["security", "counter"]],
  ["tag", "tag", ["tag"]],
  ["check, code and padding", "check", ["check", "coding", "fill"]],
  ["repetition", "repetition", ["repetition"]],
  ["acknowledgement", "ack", ["acknowledgement"]],
  ["radio", "radio", ["radio"]],
];

export function slices(receipt: ReceiptRecord): Slice[] {
  return LAYERS.map(([name, colour, parts]) => ({
    name,
    colour,
    bytes: parts.reduce((sum, part) => sum + (receipt.parts[part] ?? 0), 0),
  })).filter((slice) => slice.bytes > 0);
}

const PREFIXES: [number, string][] = [
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
];

// A value with three digits and a prefix: 0.00234 s is 2.34 ms.
export function quantity(value: number, unit: string): string {
  if (unit !== "s" && unit !== "J") return `${Number(value.toPrecision(4)).toLocaleString("en")} ${unit}`;
  const [scale, prefix] =
    PREFIXES.find(([each]) => Math.abs(value) >= each * 0.9995) ?? PREFIXES.at(-1)!;
  return `${Number((value / scale).toPrecision(3))} ${prefix}${unit}`;
}

const NAMES: [string, string][] = [
  ["uart_time", "Time on the serial line"],
  ["air_time", "Air time"],
  ["crypto_cycles", "Cryptography, cycles"],
  ["crypto_time", "Cryptography, time"],
  ["crypto_energy", "Cryptography, energy"],
  ["radio_energy", "Radio, energy"],
];

export interface Row {
  name: string;
  text: string;
  origin: string;
  source: string;
}

export function rows(receipt: ReceiptRecord): Row[] {
  return NAMES.flatMap(([key, name]) => {
    const figure: Figure | undefined = receipt.figures[key];
    if (figure === undefined || figure.value === null) return [];
    const text = quantity(figure.value, figure.unit);
    return [{ name, text, origin: figure.origin, source: figure.source }];
  });
}

// Radio and cryptography together, where both are known.
export function energy(receipt: ReceiptRecord): number | null {
  const parts = ["crypto_energy", "radio_energy"].map((key) => receipt.figures[key]?.value ?? null);
  if (parts.every((each) => each === null)) return null;
  return parts.reduce<number>((sum, each) => sum + (each ?? 0), 0);
}

export function summary(receipt: ReceiptRecord): string {
  const said = [`${trimmed(receipt.air_bytes, 1)} bytes on the air`];
  const time = receipt.figures["air_time"]?.value;
  if (time !== undefined && time !== null) said.push(quantity(time, "s"));
  const spent = energy(receipt);
  if (spent !== null) said.push(quantity(spent, "J"));
  return said.join(" · ");
}
