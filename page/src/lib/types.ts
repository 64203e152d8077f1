// SPDX-License-Identifier: Apache-2.0
// What the console answers. The records of happenings are those of
// src/samara/console/happenings.py.

export type End = "left" | "right";

export interface Act {
  name: string;
  group: End | "air";
  label: string;
  help: string;
}

export interface Conversation {
  name: string;
  link: string;
}

export type Purpose = "header" | "security header" | "payload" | "encrypted" | "tag" | "check";

export interface FramePart {
  purpose: Purpose;
  start: number;
  size: number;
}

export interface FrameField {
  name: string;
  value: string;
  start: number;
  size: number;
  clause: string;
  depth: number;
}

interface Event {
  number: number;
  time_s: number;
}

export interface Heard extends Event {
  type: "frame_heard";
  sender: End | "attacker" | "";
  kind: string;
  data: string;
  parts: FramePart[];
  fields: FrameField[];
}

export interface Spoken extends Event {
  type: "message_spoken";
  message: number;
  end: End;
  text: string;
}

export interface Sent extends Event {
  type: "message_sent";
  message: number;
  end: End;
  delivered: boolean | null;
  sentence: string;
}

export interface Arrived extends Event {
  type: "message_arrived";
  end: End;
  text: string;
  is_repeated: boolean;
}

export interface Refused extends Event {
  type: "conversation_refusal";
  end: End;
  kind: string;
  sentence: string;
}

export interface Noted extends Event {
  type: "conversation_note";
  sentence: string;
  end: End | "";
  warns: boolean;
}

export interface ProgramState extends Event {
  type: "program_state";
  name: string;
  is_running: boolean;
  last_words: string[];
}

export interface Missed {
  type: "missed";
  number: number;
  count: number;
}

export type Happening =
  | Heard
  | Spoken
  | Sent
  | Arrived
  | Refused
  | Noted
  | ProgramState
  | Missed;
