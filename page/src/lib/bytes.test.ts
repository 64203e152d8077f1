// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { bytesOf, hexOf, printable, readable, signedOf, sizeOf } from "./bytes";
import type { FrameHeard } from "./records";

const heard: FrameHeard = {
  type: "frame_heard",
  sender: "left",
  kind: "data",
  data: "0041427f80ff",
  parts: [],
  fields: [],
  fate: "",
};
const part = (start: number, size: number) => ({ purpose: "payload", start, size });

test("bytes of hex digits, with and without sign", () => {
  expect(bytesOf("")).toEqual([]);
  expect(bytesOf("0")).toEqual([]);
  expect(bytesOf("007f80ff")).toEqual([0, 127, 128, 255]);
  expect(signedOf("007f80ff")).toEqual([0, 127, -128, -1]);
});

test("a part of a frame as hex digits and as text", () => {
  expect(hexOf(heard, part(1, 2))).toBe("41 42");
  expect(hexOf(heard, part(5, 1))).toBe("ff");
  expect(hexOf(heard, part(6, 0))).toBe("");
  expect(readable(heard, part(0, 4))).toBe("·AB·");
  expect(sizeOf(heard)).toBe(6);
});

test("only ASCII is readable, and only zeros at the end are filling", () => {
  expect(printable([0x1f, 0x20, 0x7e, 0x7f])).toBe("· ~·");
});
