// SPDX-License-Identifier: Apache-2.0
// Bytes as texts and numbers.

import type { FrameHeard, FramePart } from "./records";

export function bytesOf(hex: string): number[] {
  return Array.from({ length: Math.floor(hex.length / 2) }, (_, at) =>
    Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16),
  );
}

// The same, with numbers from -128 to 127.
export function signedOf(hex: string): number[] {
  return bytesOf(hex).map((byte) => (byte < 128 ? byte : byte - 256));
}

export function hexOf(heard: FrameHeard, part: FramePart): string {
  const digits = heard.data.slice(2 * part.start, 2 * (part.start + part.size));
  return (digits.match(/../g) ?? []).join(" ");
}

// What somebody reads who has no key: ASCII as it is, all else as dots.
export function printable(bytes: number[]): string {
  return bytes
    .map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·"))
    .join("");
}

export function readable(heard: FrameHeard, part: FramePart): string {
  return printable(bytesOf(heard.data).slice(part.start, part.start + part.size));
}

export function sizeOf(heard: FrameHeard): number {
  return heard.data.length / 2;
}
