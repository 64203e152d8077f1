// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { heat } from "./draw";

test("the colours of a waterfall go from the first to the last and no further", () => {
  expect(heat(0)).toEqual([13, 16, 45]);
  expect(heat(1)).toEqual([250, 231, 60]);
  expect(heat(-3)).toEqual(heat(0));
  expect(heat(7)).toEqual(heat(1));
  expect(heat(0.5)).toEqual([31, 140, 130]);
});
