// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";

import type { Spec } from "./chart";
import type { RandomnessTest } from "./records";
import { drawnOf, plotsOf } from "./report";

const spec: Spec = {
  title: "Area",
  x: { label: "N", unit: "" },
  y: { label: "area", unit: "GE" },
  series: [],
};

const test: RandomnessTest = {
  type: "randomness_test", test: "frequency", section: "2.1", sequences: 20, passed: 20, low: 0.9, high: 1,
  uniformity: 0.5, histogram: [20, 0, 0, 0, 0, 0, 0, 0, 0, 0], smallest: 0.01, missed: [], failed: [], proportion: 1,
};

describe("what a page says of its charts", () => {
  it("has a list of charts for each plot", () => {
    expect(plotsOf(JSON.stringify({ area: [spec], speed: [] }))).toEqual([["area", [spec]], ["speed", []]]);
  });

  it("has charts as they are drawn", () => {
    expect(drawnOf(spec)).toEqual([spec]);
  });

  it("names charts of the console, which are drawn of its records", () => {
    const [drawn] = drawnOf({ view: "p-values", records: [test] });
    expect(drawn?.series[1]?.points.map(({ y }) => y)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it.each(["cycles", "best", "gates", "p-values", "advice", "life-by-interval"])("has no chart %s of nothing", (view) => {
    expect(drawnOf({ view, records: [] })).toEqual([]);
  });

  it("refuses a name that it does not know", () => {
    expect(() => drawnOf({ view: "none", records: [] })).toThrow("the console has no chart none");
  });
});
