// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";

import { boundsOfClass, PRESETS } from "./presets";
import type { RandomnessTest, SamaraRecord } from "./records";

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
    const spec = chart([good, bad, test([1, 1, 1, 1, 1, 1, 1, 1, 1, 1], 10)], [])!;
    expect(spec.title).toMatch(/^p-values in ten classes: 1 of 20 shares/);
    expect(spec.series[0]!.points.map(({ x, y }) => [x, y]).at(-1)).toEqual([0.95, 0.1]);
    expect(spec.series[1]!.points.map(({ y }) => y).slice(9, 12)).toEqual([0.1, 1, 0]);
  });
  it("is not there without tests", () => {
    expect(chart([], [])).toBeNull();
  });
});

describe("the chart beside a paper", () => {
  const chart = PRESETS.find((each) => each.slug === "cycles-published")!.chart!;
  const figure = (value: number) => ({ value, unit: "cycle", origin: "measured", source: "simavr" });
  const result = (ad_bytes: number) =>
    ({
      type: "result", device: "atmega128", suite: "grain128aead", implementation: "small", opt: "Os",
      message_bytes: 1224, ad_bytes, code: { ...figure(700), unit: "byte" },
      cycles: { set_up: figure(1000), seal: figure(5000) },
    }) as unknown as SamaraRecord;
  const row = (processor: string, cells: Record<string, string>): SamaraRecord => ({
    type: "published_row", paper: "grain128aead", file: "grain128aead_mcu.csv", table: "Table 1",
    cells: { processor, cipher: "NORX", code_bytes: "5028", total_cycles: "124062", ...cells },
  });
  const rows = [row("ATmega128", {}), row("MSP430F1611", {}), row("ATmega128", { total_cycles: "" })];

  it("has the published figures of the device for the same message, and all cycles of ours", () => {
    const series = chart([result(40)], rows)!.series;
    expect(series.map(({ points }) => points.map(({ x, y, origin }) => [x, y, origin]))).toEqual([
      [[700, 6000, "measured"]],
      [[5028, 124_062, "published"]],
    ]);
  });
  it("has none for another message", () => {
    expect(chart([result(0)], rows)!.series).toHaveLength(1);
  });
});
