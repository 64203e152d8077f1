// SPDX-License-Identifier: Apache-2.0
// Bytes of frames, as texts.

import type { FramePart, Heard } from "./types";

export function bytesOf(hex: string): number[] {
  return Array.from({ length: hex.length / 2 }, (_, at) =>
    Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16),
  );
}

export function hexOf(heard: Heard, part: FramePart): string {
  const digits = heard.data.slice(2 * part.start, 2 * (part.start + part.size));
  return (digits.match(/../g) ?? []).join(" ");
}

// What somebody reads who has no key: ASCII as it is, all else as dots.
export function readable(heard: Heard, part: FramePart): string {
  return bytesOf(heard.data)
    .slice(part.start, part.start + part.size)
    .map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·"))
    .join("");
}

export function sizeOf(heard: Heard): number {
  return heard.data.length / 2;
}
