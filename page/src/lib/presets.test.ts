// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";

import { boundsOfClass, PRESETS } from "./presets";
import type { RandomnessTest } from "./records";

const test = (histogram: number[], sequences = 20): RandomnessTest => ({
  type: "randomness_test", test: "frequency", section: "2.1", sequences, passed: sequences, low: 0.9, high: 1,
  uniformity: 0.5, histogram, smallest: 0.01, missed: [], failed: [], proportion: 1,
});

// The share of `count` that a binomial distribution has at or below `most`.
function atMost(most: number, count: number): number {
  let sum = 0;
  for (let at = 0; at <= most; at += 1) {
    let one = 0.9 ** (count - at) * 0.1 ** at;
    for (let each = 0; each < at; each += 1) one *= (count - each) / (each + 1);
    sum += one;
  }
  return sum;
}

describe("boundsOfClass", () => {
  it.each([20, 200, 1000])("leaves half of one in a thousand on each side, of %d", (count) => {
    const { low, high } = boundsOfClass(count);
    const [least, most] = [Math.round(low * count), Math.round(high * count)];
    expect(atMost(least - 1, count)).toBeLessThanOrEqual(0.0005);
    expect(atMost(least, count)).toBeGreaterThan(0.0005);
    expect(1 - atMost(most, count)).toBeLessThanOrEqual(0.0005);
    expect(1 - atMost(most - 1, count)).toBeGreaterThan(0.0005);
  });
});

describe("the chart of p-values", () => {
  const chart = PRESETS.find((each) => each.slug === "p-values")!.chart!;
  it("has a share for each class of each test of all sequences, and tells how many are outside", () => {
    const bad = test([20, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    const good = test([2, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
    const spec = chart([good, bad, test([1, 1, 1, 1, 1, 1, 1, 1, 1, 1], 10)])!;
    expect(spec.title).toMatch(/^p-values in ten classes: 1 of 20 shares/);
    expect(spec.series[0]!.points.map(({ x, y }) => [x, y]).at(-1)).toEqual([0.95, 0.1]);
    expect(spec.series[1]!.points.map(({ y }) => y).slice(9, 12)).toEqual([0.1, 1, 0]);
  });
  it("is not there without tests", () => {
    expect(chart([])).toBeNull();
  });
});
