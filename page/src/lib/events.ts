// SPDX-License-Identifier: Apache-2.0
// What happens in a conversation, as the console tells it: the records of records.ts, each
// with its number and time.

import type {
  BurstHeard,
  ConversationNote,
  ConversationRefusal,
  FrameHeard,
  MessageArrived,
  MessageSent,
  MessageSpoken,
  Overheard,
  ProgramState,
} from "./records";

export type End = "left" | "right";

export interface Stamp {
  number: number;
  time_s: number;
}

export type Happening = Stamp &
  (
    | BurstHeard
    | ConversationNote
    | ConversationRefusal
    | FrameHeard
    | MessageArrived
    | MessageSent
    | MessageSpoken
    | Overheard
    | ProgramState
  );

export interface Missed {
  type: "missed";
  count: number;
}

export const ENDS: End[] = ["left", "right"];

// The column of the chart in which something is shown.
export function columnOf(each: Happening): End | "air" {
  if (each.type === "program_state") return isEnd(each.name) ? each.name : "air";
  if ("end" in each && isEnd(each.end)) return each.end;
  return "air";
}

export function isEnd(name: string): name is End {
  return name === "left" || name === "right";
}

// Seconds since the first event, as the time line shows them.
export function clock(time_s: number, from_s: number): string {
  const seconds = Math.max(0, time_s - from_s);
  const minutes = Math.floor(seconds / 60);
  const rest = (seconds - 60 * minutes).toFixed(2).padStart(5, "0");
  return `${minutes}:${rest}`;
}
