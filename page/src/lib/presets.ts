// SPDX-License-Identifier: Apache-2.0
// Tables that many ask for: a question, the values of its form, and what is drawn of it.

import { seriesBy, type Axis, type Point, type Series, type Spec } from "./chart";
import type { BestRecord, ChipCost, Figure, ResultRecord, SamaraRecord } from "./records";

export interface Preset {
  slug: string;
  title: string;
  lead: string;
  question: string;
  values: string;
  // Asked as well, for what is drawn beside the answer.
  beside?: { question: string; values: string };
  chart?: (records: readonly SamaraRecord[], beside: readonly SamaraRecord[]) => Spec | null;
}

export function of<Type extends SamaraRecord["type"]>(
  records: readonly SamaraRecord[],
  type: Type,
): Extract<SamaraRecord, { type: Type }>[] {
  return records.filter(
    (each): each is Extract<SamaraRecord, { type: Type }> => each.type === type,
  );
}

export function pointOf(
  x: Figure | number | null | undefined,
  y: Figure | null | undefined,
  label: string,
  factor = 1,
): Point[] {
  const across = typeof x === "object" ? x?.value : x;
  if (across === null || across === undefined || y?.value === null || y?.value === undefined) return [];
  return [{ x: across, y: y.value * factor, label, origin: y.origin, source: y.source }];
}

// The family of a suite: its cipher, by which points have their colour.
export function family(suite: string): string {
  const cipher = suite.replace(/^ieee802154-/, "");
  return /^(aes|modspeck|speck|simon|grain|ascon)/.exec(cipher)?.[1] ?? "others";
}

const FAMILIES: Record<string, string> = {
  aes: "AES",
  speck: "Speck",
  simon: "Simon",
  modspeck: "ModSpeck",
  grain: "Grain",
  ascon: "Ascon",
  others: "others",
};

function secured(each: ResultRecord): Figure | undefined {
  return each.cycles?.seal ?? each.cycles?.encrypt;
}

function built(each: ResultRecord): string {
  return `${each.suite}, ${each.implementation}, -${each.opt}`;
}

function cyclesByCode(records: readonly SamaraRecord[]): Spec | null {
  const results = of(records, "result");
  return chart(
    "Cycles to seal, by code size",
    { label: "code", unit: "bytes" },
    { label: "cycles", unit: "" },
    seriesBy(
      results,
      (each) => FAMILIES[family(each.suite)] ?? "",
      (each) => pointOf(each.code, secured(each), built(each)),
    ),
  );
}

// The table of Grain-128AEAD's paper, and the message that its figures are for.
const NOTE = { file: "grain128aead_mcu.csv", message: 1224, ad: 40 };

// Set-up and sealing together, as the paper counts.
function inAll(each: ResultRecord): Figure | undefined {
  const [first, then] = [each.cycles?.set_up, secured(each)];
  if (typeof first?.value !== "number" || typeof then?.value !== "number") return undefined;
  return { ...then, value: first.value + then.value };
}

function publishedPoints(rows: readonly SamaraRecord[], device: string): Point[] {
  return of(rows, "published_row")
    .filter(({ file, cells }) => file === NOTE.file && cells.processor?.toLowerCase() === device)
    .flatMap(({ cells, table }) => {
      const [x, y] = [Number(cells.code_bytes), Number(cells.total_cycles)];
      return x > 0 && y > 0 ? [{ x, y, label: cells.cipher ?? "", origin: "published", source: `Grain-128AEAD note, ${table}` }] : [];
    });
}

function cyclesBesidePaper(records: readonly SamaraRecord[], beside: readonly SamaraRecord[]): Spec | null {
  const results = of(records, "result");
  const devices = new Set(results.map((each) => each.device));
  const isOfNote = results.every((each) => each.message_bytes === NOTE.message && each.ad_bytes === NOTE.ad);
  const published = isOfNote ? [...devices].flatMap((device) => publishedPoints(beside, device)) : [];
  const ours = seriesBy(
    results,
    (each) => FAMILIES[family(each.suite)] ?? "",
    (each) => pointOf(each.code, inAll(each), built(each)),
  );
  const theirs: Series[] = published.length > 0 ? [{ name: "published", draws: "points", points: published, colour: "--published" }] : [];
  return chart(
    "Cycles to set up and seal, by code size",
    { label: "code", unit: "bytes" },
    { label: "cycles", unit: "" },
    [...ours, ...theirs],
  );
}

function energyByLength(records: readonly SamaraRecord[]): Spec | null {
  const results = of(records, "result").filter(({ ad_bytes }) => ad_bytes === 0);
  return chart(
    "Energy to seal, by length of the message",
    { label: "message", unit: "bytes" },
    { label: "energy", unit: "µJ" },
    seriesBy(
      results,
      (each) => `${each.suite}, ${each.implementation}`,
      (each) => pointOf(each.message_bytes, each.energy?.seal ?? each.energy?.encrypt, built(each), 1e6),
      "line",
    ),
  );
}

function gatesByN(records: readonly SamaraRecord[]): Spec | null {
  const cores = of(records, "chip_cost");
  const n = (each: ChipCost) => Number(/-n(\d+)/.exec(each.name)?.[1] ?? Number.NaN);
  return chart(
    "Area of the Grain-128 core, by bits a clock",
    { label: "N", unit: "bit a clock", ticks: [1, 2, 4, 8, 16, 32, 64] },
    { label: "area", unit: "GE" },
    seriesBy(
      cores.filter((each) => !Number.isNaN(n(each))),
      (each) => each.where,
      (each) => pointOf(n(each), each.area, `${each.name}, ${each.where}`),
    ),
  );
}

function timesOfBest(records: readonly SamaraRecord[]): Spec | null {
  const pairs = of(records, "best_known");
  return chart(
    "samara's cycles divided by those of the best public code (below 1: samara takes fewer)",
    { label: "public code", unit: "cycles" },
    { label: "times", unit: "" },
    seriesBy(
      pairs,
      (each: BestRecord) => each.device,
      (each) => pointOf(each.public, each.times, `${each.suite}, ${each.message_bytes} bytes`),
    ),
  );
}

// Shares that a class of ten has by chance: outside are at most 1 in 1000, half on each side.
const OUTSIDE = 0.001;
const CLASSES = 10;

// The exact bounds of the binomial distribution, for `count` p-values.
export function boundsOfClass(count: number): { low: number; high: number } {
  const share = 1 / CLASSES;
  let probability = (1 - share) ** count;
  let below = 0;
  let low = 0;
  let at = 0;
  for (; at < count && below + probability < 1 - OUTSIDE / 2; at += 1) {
    if (below + probability <= OUTSIDE / 2) low = at + 1;
    below += probability;
    probability *= ((count - at) / (at + 1)) * (share / (1 - share));
  }
  return { low: low / count, high: at / count };
}

function pValues(records: readonly SamaraRecord[]): Spec | null {
  const tests = of(records, "randomness_test");
  const count = Math.max(0, ...tests.map((each) => each.sequences));
  // Of fewer sequences the bounds are others.
  const whole = tests.filter((each) => each.sequences === count && each.histogram.length === CLASSES);
  if (whole.length === 0) return null;
  const { low, high } = boundsOfClass(count);
  const middle = (at: number) => (at + 0.5) / CLASSES;
  const points = whole.flatMap((each) =>
    each.histogram.map((one, at) => ({
      x: middle(at), y: one / count, label: `${each.test}, p from ${at / CLASSES} to ${(at + 1) / CLASSES}`,
      origin: "measured", source: `${count.toLocaleString("en")} sequences`,
    })),
  );
  const uniform = Array.from({ length: CLASSES }, (_, at) => ({
    x: middle(at), y: 1 / CLASSES, low, high, label: "uniform", origin: "estimated", source: "binomial distribution",
  }));
  const outside = points.filter(({ y }) => y < low || y > high).length;
  return chart(
    `p-values in ten classes: ${outside.toLocaleString("en")} of ${points.length.toLocaleString("en")} shares are` +
      " outside the bounds; of random bits, at most 1 in 1,000",
    { label: "p-value", unit: "" },
    { label: "share of the sequences", unit: "" },
    [
      { name: "uniform, with bounds for one class of one test", draws: "line", points: uniform, colour: "--series-1" },
      { name: "one class of one test", draws: "points", points, colour: "--series-0", size: 5 },
    ],
  );
}

function chart(title: string, x: Axis, y: Axis, series: Series[]): Spec | null {
  return series.length > 0 ? { title, x, y, series } : null;
}

export const PRESETS: Preset[] = [
  {
    slug: "cycles",
    title: "Cycles by code size",
    lead:
      "What each cipher takes on a microcontroller, with every build that was measured. Left and low is better." +
      " No paper has a code size for a message of 16 bytes: the next table has published figures.",
    question: "bench.show.show",
    values: "device=atmega328p&message=16&ad=0",
    chart: cyclesByCode,
  },
  {
    slug: "cycles-published",
    title: "Cycles by code size, beside a paper",
    lead:
      `A message of ${NOTE.message.toLocaleString("en")} bytes with ${NOTE.ad} bytes of associated data, as in the` +
      " implementation note on Grain-128AEAD, whose figures are hollow (atmega128, msp430f1611). The other papers" +
      " have a code size of whole programs (ModSpeck on Arduino) or without cycles (802.15.4 link security).",
    question: "bench.show.show",
    values: `device=atmega128&message=${NOTE.message}&ad=${NOTE.ad}`,
    beside: { question: "bench.paper_list.list_papers", values: "paper=grain128aead" },
    chart: cyclesBesidePaper,
  },
  {
    slug: "energy",
    title: "Energy by length",
    lead: "What sealing a message takes, by its length: short messages pay for whole blocks and for the set-up.",
    question: "bench.show.show",
    values: "device=atmega328p&suite=aes128-ccm-8&suite=ascon-aead128&suite=grain128aead&opt=O3",
    chart: energyByLength,
  },
  {
    slug: "best",
    title: "Beside the best public code",
    lead: "The fastest public code that is known for a device, and samara's. Lost pairs come first.",
    question: "bench.best.best",
    values: "",
    chart: timesOfBest,
  },
  {
    slug: "gates",
    title: "Gates by N",
    lead: "The Grain-128 core in hardware: more bits a clock take more gates, and less time and energy.",
    question: "chip.compared.compare_costs",
    values: "",
    chart: gatesByN,
  },
  {
    slug: "p-values",
    title: "p-values",
    lead: "NIST's tests on a keystream. p-values of random bits are uniform: each class of ten has a tenth of them.",
    question: "randomness.shown.show",
    values: "source=grain128ple",
    chart: pValues,
  },
  {
    slug: "published",
    title: "Published figures",
    lead: "The tables of the papers, as they were printed.",
    question: "bench.paper_list.list_papers",
    values: "",
  },
];
