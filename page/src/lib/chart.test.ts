// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";

import {
  aligned,
  endsOf,
  figuresOf,
  hasLogarithm,
  isLogarithmic,
  linesOfDecades,
  moved,
  nearest,
  seriesBy,
  shortened,
  shown,
  pointText,
  valuesOf,
  type Point,
  type Spec,
} from "./chart";

const point = (x: number, y: number, more: Partial<Point> = {}): Point => ({
  x,
  y,
  label: `${x}`,
  origin: "measured",
  source: "",
  ...more,
});

const spec: Spec = {
  title: "",
  x: { label: "x", unit: "" },
  y: { label: "y", unit: "" },
  series: [
    { name: "a", draws: "line", points: [point(1, 10), point(3, 30)] },
    { name: "b", draws: "points", points: [point(2, 20), point(3, 25, { origin: "published" })] },
  ],
};

describe("aligned", () => {
  it("gives each point a row, sorted by x", () => {
    const { xs, tracks } = aligned(spec);
    expect(xs).toEqual([1, 2, 3, 3]);
    expect(tracks.map(({ values }) => values.filter((each) => each !== null))).toEqual([[10, 30], [20], [25]]);
    expect(tracks[0]?.values).toEqual([10, null, 30, null]);
  });

  it("draws published points hollow, in a track of their own", () => {
    expect(aligned(spec).tracks.map(({ series, isHollow }) => [series, isHollow])).toEqual([
      [0, false],
      [1, false],
      [1, true],
    ]);
  });

  it("puts the ends of a band before its line", () => {
    const band = { ...spec, series: [{ name: "a", draws: "line" as const, points: [point(1, 2, { low: 1, high: 3 })] }] };
    expect(aligned(band).tracks.map(({ part, values }) => [part, values])).toEqual([
      ["high", [3]],
      ["low", [1]],
      ["y", [2]],
    ]);
  });

  it("takes a chart without points", () => {
    expect(aligned({ ...spec, series: [] })).toEqual({ xs: [], tracks: [] });
  });
});

// Two things with a range of x each.
const named: Spec = {
  title: "",
  x: { label: "life", unit: "years" },
  y: { label: "", unit: "", names: ["as given", "none"] },
  series: [
    {
      name: "life",
      draws: "points",
      points: [point(2, 0, { label: "as given", low: 1, high: 30 }), point(4, 1, { label: "", low: 3, high: 5 })],
    },
  ],
};

describe("a chart whose y has names", () => {
  it("has its ranges along x, and no band", () => {
    expect(valuesOf(named, "x")).toEqual([2, 1, 30, 4, 3, 5]);
    expect(valuesOf(named, "y")).toEqual([0, 1]);
    expect(aligned(named).tracks.map(({ part, values }) => [part, values])).toEqual([["y", [0, 1]]]);
  });

  it("tells the thing, and its figure alone", () => {
    expect(pointText(named, { series: 0, at: 0 })).toBe("as given: 2 years (1 to 30)");
    expect(pointText(named, { series: 0, at: 1 })).toBe("none, life: 4 years (3 to 5)");
    expect(named.series[0]!.points.map((each) => figuresOf(named, each))).toEqual([["2 (1 to 30)"], ["4 (3 to 5)"]]);
  });

  it("shortens names that have no room", () => {
    expect([12, 11, 1].map((letters) => shortened("ModSpeck-128", letters))).toEqual(["ModSpeck-128", "ModSpeck-1…", "M…"]);
  });
});

describe("pointText", () => {
  it("has both figures with their units, and the range", () => {
    const units = { ...spec, x: { label: "x", unit: "bytes" }, y: { label: "y", unit: "ms" } };
    expect(pointText(units, { series: 1, at: 0 })).toBe("2: 20 ms at 2 bytes");
    const band = { ...units, series: [{ name: "a", draws: "line" as const, points: [point(1, 2, { label: "", low: 1, high: 3 })] }] };
    expect(pointText(band, { series: 0, at: 0 })).toBe("a: 2 ms (1 to 3) at 1 bytes");
    expect(pointText(units, null)).toBe("");
    expect(pointText(units, { series: 5, at: 0 })).toBe("");
  });
});

describe("hasLogarithm", () => {
  it("is that of the values, but not of names and counts", () => {
    expect(hasLogarithm(named, "x")).toBe(true);
    expect(hasLogarithm(named, "y")).toBe(false);
    expect(hasLogarithm({ ...named, x: { ...named.x, counts: true } }, "x")).toBe(false);
  });
});

describe("isLogarithmic", () => {
  it("begins at twenty times the least value, and needs positive ones", () => {
    expect(isLogarithmic([1, 19.9])).toBe(false);
    expect(isLogarithmic([1, 20])).toBe(true);
    expect(isLogarithmic([0, 1000])).toBe(false);
    expect(isLogarithmic([-1, 1000])).toBe(false);
    expect(isLogarithmic([7])).toBe(false);
  });
});

describe("linesOfDecades", () => {
  it("has the multiples of powers of ten between the ends", () => {
    expect(linesOfDecades(1033, 30_000)).toEqual([2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10_000, 20_000, 30_000]);
    expect(linesOfDecades(0.0009375, 0.003)).toEqual([0.001, 0.002, 0.003]);
    expect(linesOfDecades(0.3, 0.7)).toEqual([0.3, 0.4, 0.5, 0.6, 0.7]);
    expect(linesOfDecades(7, 7)).toEqual([7]);
  });

  it("has powers alone where there are more than four", () => {
    expect(linesOfDecades(1, 10_000)).toHaveLength(37);
    expect(linesOfDecades(0.9, 90_000)).toEqual([1, 10, 100, 1000, 10_000]);
  });
});

describe("endsOf", () => {
  it("leaves room on both sides of all values", () => {
    expect(endsOf([0, 100, 50], false)).toEqual([-3, 103]);
    expect(endsOf([5], false)).toEqual([4.85, 5.15]);
    expect(endsOf([0, 0], false)).toEqual([-0.03, 0.03]);
    const [low, high] = endsOf([1, 1000], true);
    expect(low).toBeGreaterThan(0.8);
    expect(low).toBeLessThan(1);
    expect(high * low).toBeCloseTo(1000);
  });
});

describe("nearest", () => {
  const pixels = ({ x, y }: Point) => ({ left: x * 100, top: y * 10 });
  it("finds the nearest point within reach", () => {
    expect(nearest(spec, pixels, 305, 290, 40)).toEqual({ series: 0, at: 1 });
    expect(nearest(spec, pixels, 305, 255, 40)).toEqual({ series: 1, at: 1 });
    expect(nearest(spec, pixels, 500, 500, 40)).toBeNull();
  });
});

describe("moved", () => {
  it("goes along a series and stops at its ends", () => {
    const first = moved(spec, null, "ArrowRight");
    expect(first).toEqual({ series: 0, at: 0 });
    expect(moved(spec, first, "ArrowRight")).toEqual({ series: 0, at: 1 });
    expect(moved(spec, { series: 0, at: 1 }, "ArrowRight")).toEqual({ series: 0, at: 1 });
    expect(moved(spec, { series: 0, at: 1 }, "ArrowLeft")).toEqual({ series: 0, at: 0 });
    expect(moved(spec, { series: 0, at: 0 }, "End")).toEqual({ series: 0, at: 1 });
  });

  it("goes to the nearest point of the next series", () => {
    expect(moved(spec, { series: 0, at: 1 }, "ArrowDown")).toEqual({ series: 1, at: 1 });
    expect(moved(spec, { series: 1, at: 0 }, "ArrowDown")).toEqual({ series: 1, at: 0 });
    expect(moved(spec, { series: 1, at: 0 }, "ArrowUp")).toEqual({ series: 0, at: 0 });
  });

  it("goes nowhere without points", () => {
    expect(moved({ ...spec, series: [] }, null, "ArrowRight")).toBeNull();
  });
});

describe("seriesBy", () => {
  it("sorts points by x and leaves out names without any", () => {
    const found = seriesBy(
      [3, 1, 2],
      (each) => (each === 2 ? "none" : "odd"),
      (each) => (each === 2 ? [] : [point(each, each)]),
    );
    expect(found.map(({ name, points }) => [name, points.map(({ x }) => x)])).toEqual([["odd", [1, 3]]]);
  });
});

describe("shown", () => {
  it("has three digits, or all before the point", () => {
    expect([0.001234, 1.005, 12.34, 99.96, 123.4, 148634.7].map(shown)).toEqual([
      "0.00123",
      "1",
      "12.3",
      "100",
      "123",
      "148,635",
    ]);
  });
});
