// SPDX-License-Identifier: Apache-2.0
// What somebody has learned who hears everything and has no key.

import { readable } from "./bytes";
import type { Happening } from "./events";

export interface Learned {
  frames: number;
  bytes: number;
  hidden: number;
  read: string[];
  guessed: string[];
  compared: string[];
}

const KEPT = 6;

export function learned(events: Happening[]): Learned {
  const found: Learned = { frames: 0, bytes: 0, hidden: 0, read: [], guessed: [], compared: [] };
  for (const each of events) {
    if (each.type === "frame_heard" && each.sender !== "attacker") {
      found.frames += 1;
      found.bytes += each.data.length / 2;
      for (const part of each.parts) {
        if (part.purpose === "encrypted") found.hidden += part.size;
        if (part.purpose === "payload") found.read.push(readable(each, part));
      }
    } else if (each.type === "burst_heard" && each.is_encrypted && each.sender !== "attacker") {
      found.frames += 1;
    } else if (each.type === "overheard") {
      (each.is_encrypted ? found.guessed : found.compared).push(each.text);
    }
  }
  for (const list of [found.read, found.guessed, found.compared]) list.splice(0, list.length - KEPT);
  return found;
}
