// SPDX-License-Identifier: Apache-2.0
// What a chart shows, and how that is handed to uPlot. Nothing here draws.

export interface Point {
  x: number;
  y: number;
  // What a band has around y; where y has names, the ends of a bar or of a range of x.
  low?: number;
  high?: number;
  // What it is, such as a suite and a build.
  label: string;
  origin: string;
  source: string;
}

export interface Series {
  name: string;
  points: Point[];
  // Bars are of charts whose y has names.
  draws: "line" | "points" | "bars";
  // A variable of the style sheet. Default: by its place among the series.
  colour?: string;
  // Of points, in pixels; 0: they are not marked, such as those of a curve.
  size?: number;
}

const COLOURS = 8;

export function colourOf(series: readonly Series[], at: number): string {
  return series[at]?.colour ?? `--series-${at % COLOURS}`;
}

export interface Axis {
  label: string;
  unit: string;
  // Of y alone: what its values 0, 1, 2 stand for, from top to bottom.
  names?: string[];
  // Where the axis has numbers, such as 1, 2, 4, 8. Default: where uPlot finds room.
  ticks?: number[];
  // Whether its steps are equal in any case, such as of a number of nodes.
  counts?: boolean;
}

export interface Spec {
  title: string;
  x: Axis;
  y: Axis;
  series: Series[];
}

// Values from one to twenty times it, or more, are drawn on a logarithmic axis.
const LOG_FROM = 20;

export function isLogarithmic(values: readonly number[]): boolean {
  const low = Math.min(...values);
  return values.length > 1 && low > 0 && Math.max(...values) >= LOG_FROM * low;
}

export function hasLogarithm(spec: Spec, axis: "x" | "y"): boolean {
  const { names, counts } = spec[axis];
  return names === undefined && !counts && isLogarithmic(valuesOf(spec, axis));
}

const MARGIN = 0.03;

// The ends of an axis, outside of all values: uPlot leaves out all but one of the points
// that stand at the very end.
export function endsOf(values: readonly number[], isLog: boolean): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (isLog) {
    const factor = (high / low) ** MARGIN;
    return [low / factor, high * factor];
  }
  const room = MARGIN * (high - low || Math.abs(high) || 1);
  return [low - room, high + room];
}

const MANY_POWERS = 10_000;

// Where a logarithmic axis has lines: the multiples of powers of ten, of which uPlot names
// as many as have room. Its own would begin at the end of the axis, such as at 1,033. An
// axis of many powers has lines at these alone.
export function linesOfDecades(low: number, high: number): number[] {
  const found: number[] = [];
  const digits = high > MANY_POWERS * low ? 1 : 9;
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power += 1) {
    for (let digit = 1; digit <= digits; digit += 1) {
      // As a text, which has no remainder of a multiplication.
      const value = Number(`${digit}e${power}`);
      if (value >= low && value <= high) found.push(value);
    }
  }
  return found;
}

export function valuesOf(spec: Spec, axis: "x" | "y"): number[] {
  const hasRange = axis === (spec.y.names === undefined ? "y" : "x");
  return spec.series.flatMap((one) =>
    one.points.flatMap((point) =>
      hasRange
        ? [point[axis], point.low, point.high].filter((each) => each !== undefined)
        : [point[axis]],
    ),
  );
}

// A name that has room in so many letters.
export function shortened(name: string, letters: number): string {
  return name.length > letters ? `${name.slice(0, Math.max(letters - 1, 1)).trimEnd()}…` : name;
}

// What a point is, in words without its figures.
export function nameOf(spec: Spec, { series, at }: Place): string {
  const one = spec.series[series];
  const point = one?.points[at];
  if (one === undefined || point === undefined) return "";
  const place = spec.y.names?.[point.y];
  const own = point.label || one.name;
  return place === undefined || place === own ? own : [place, own].filter(Boolean).join(", ");
}

function range({ low, high }: Point): string {
  return low === undefined || high === undefined ? "" : ` (${shown(low)} to ${shown(high)})`;
}

// The figures of a point; one where y has names.
export function figuresOf(spec: Spec, point: Point): string[] {
  return spec.y.names === undefined
    ? [shown(point.x), `${shown(point.y)}${range(point)}`]
    : [`${shown(point.x)}${range(point)}`];
}

// A point in words, with its figures.
export function pointText(spec: Spec, place: Place | null): string {
  const point = place && spec.series[place.series]?.points[place.at];
  if (!place || !point) return "";
  const { x, y } = spec;
  const figures =
    y.names === undefined
      ? `${withUnit(shown(point.y), y.unit)}${range(point)} at ${withUnit(shown(point.x), x.unit)}`
      : `${withUnit(shown(point.x), x.unit)}${range(point)}`;
  return `${nameOf(spec, place)}: ${figures}`;
}

export interface Place {
  series: number;
  at: number;
}

export interface Track {
  series: number;
  part: "y" | "low" | "high";
  // Published figures are hollow, all others solid.
  isHollow: boolean;
  values: (number | null)[];
}

export interface Aligned {
  xs: number[];
  tracks: Track[];
}

// uPlot has one list of x for all: each point gets its row in it.
export function aligned(spec: Spec): Aligned {
  const all = spec.series.flatMap((one, series) => one.points.map((point) => ({ point, series })));
  all.sort((a, b) => a.point.x - b.point.x);
  const tracks: Track[] = [];
  for (const [series, { points }] of spec.series.entries()) {
    const rows = (of: (point: Point) => number | undefined) =>
      all.map((each) => (each.series === series ? (of(each.point) ?? null) : null));
    const hasBand = spec.y.names === undefined && points.some((point) => point.low !== undefined);
    if (hasBand) {
      tracks.push({ series, part: "high", isHollow: false, values: rows((point) => point.high) });
      tracks.push({ series, part: "low", isHollow: false, values: rows((point) => point.low) });
    }
    for (const isHollow of [false, true]) {
      const values = rows((point) => (isPublished(point) === isHollow ? point.y : undefined));
      if (values.some((each) => each !== null)) tracks.push({ series, part: "y", isHollow, values });
    }
  }
  return { xs: all.map(({ point }) => point.x), tracks };
}

export function isPublished(point: Point): boolean {
  return point.origin === "published";
}

// The point that is nearest to a place in pixels; null if none is within reach.
export function nearest(
  spec: Spec,
  toPixels: (point: Point) => { left: number; top: number },
  left: number,
  top: number,
  reach: number,
): Place | null {
  let best: Place | null = null;
  let least = reach;
  for (const [series, { points }] of spec.series.entries()) {
    for (const [at, point] of points.entries()) {
      const pixels = toPixels(point);
      const far = Math.hypot(pixels.left - left, pixels.top - top);
      if (far <= least) [best, least] = [{ series, at }, far];
    }
  }
  return best;
}

// Where a key leads: along a series, or to the nearest point of the next one.
export function moved(spec: Spec, from: Place | null, key: string): Place | null {
  const first = spec.series.findIndex((one) => one.points.length > 0);
  if (first < 0) return null;
  if (from === null) return { series: first, at: 0 };
  const points = spec.series[from.series]?.points ?? [];
  const along = { ArrowRight: 1, ArrowLeft: -1 }[key];
  if (along !== undefined) {
    return { ...from, at: Math.min(Math.max(from.at + along, 0), points.length - 1) };
  }
  if (key === "Home") return { ...from, at: 0 };
  if (key === "End") return { ...from, at: points.length - 1 };
  const across = { ArrowDown: 1, ArrowUp: -1 }[key];
  const x = points[from.at]?.x;
  if (across === undefined || x === undefined) return from;
  for (let series = from.series + across; spec.series[series]; series += across) {
    const others = spec.series[series]?.points ?? [];
    if (others.length > 0) return { series, at: nearestIn(others, x) };
  }
  return from;
}

function nearestIn(points: readonly Point[], x: number): number {
  const far = points.map((point) => Math.abs(point.x - x));
  return far.indexOf(Math.min(...far));
}

// Three significant digits, with commas: as tables show figures.
export function shown(value: number): string {
  if (!Number.isFinite(value)) return "-";
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en");
  return Number(value.toPrecision(3)).toLocaleString("en", { maximumSignificantDigits: 3 });
}

export function withUnit(text: string, unit: string): string {
  return unit ? `${text} ${unit}` : text;
}

// Things as series: those of one name together, the points of each by their x.
export function seriesBy<Thing>(
  things: readonly Thing[],
  nameOf: (thing: Thing) => string,
  pointsOf: (thing: Thing) => Point[],
  draws: Series["draws"] = "points",
): Series[] {
  const found = new Map<string, Point[]>();
  for (const thing of things) {
    const name = nameOf(thing);
    found.set(name, [...(found.get(name) ?? []), ...pointsOf(thing)]);
  }
  return [...found]
    .filter(([, points]) => points.length > 0)
    .map(([name, points]) => ({ name, draws, points: points.sort((a, b) => a.x - b.x) }));
}
