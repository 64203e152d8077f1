// SPDX-License-Identifier: Apache-2.0
// What `samara advise` answers, as a picture and in words.

import { seriesBy, type Point, type Spec } from "./chart";
import type { Advice, ChoiceRecord, ExcludedChoice, LifeAtInterval, SamaraRecord } from "./records";

export type Weighed = ChoiceRecord | ExcludedChoice;

export function isFitting(each: Weighed): each is ChoiceRecord {
  return each.type === "choice";
}

export function nameOf(each: Pick<Weighed, "suite" | "layer" | "implementation" | "opt">): string {
  return `${each.suite}, ${each.layer} layer, ${each.implementation} code at -${each.opt}`;
}

function pointOf(each: Weighed): Point[] {
  const { value, origin, source } = each.security_energy;
  if (value === null) return [];
  return [{ x: each.flash_bytes, y: value * 1e6, label: nameOf(each), origin, source }];
}

// Those of which none other takes less flash and less energy; least flash first.
export function front(choices: readonly ChoiceRecord[]): ChoiceRecord[] {
  const energy = (each: ChoiceRecord) => each.security_energy.value ?? Infinity;
  const sorted = [...choices].sort((a, b) => a.flash_bytes - b.flash_bytes || energy(a) - energy(b));
  let least = Infinity;
  return sorted.filter((each) => {
    const isLess = energy(each) < least;
    if (isLess) least = energy(each);
    return isLess;
  });
}

type Tied = Pick<ChoiceRecord, "standing" | "life">;

// Lives that differ by less than 1 % are equal, as the recommendation counts them.
const steps = (each: Tied) => Math.floor(Math.log(each.life.low.value ?? 0) / Math.log(1.01));

// Whether two choices live as long, and are as much of a standard.
export function isTied(one: Tied, other: Tied): boolean {
  return one.standing === other.standing && steps(one) === steps(other);
}

// Each with its colour and the size of its points; the last ones are drawn above.
const ROLES = {
  out: { name: "is out", colour: "--series-7", size: 5 },
  fits: { name: "fits", colour: "--series-0", size: 8 },
  front: { name: "lives as long, and nothing takes less of both", colour: "--series-1", size: 10 },
  best: { name: "recommended", colour: "--series-3", size: 14 },
};

export function picture(advice: Advice, choices: readonly Weighed[]): Spec | null {
  const best = advice.recommended;
  const tied = choices.filter(isFitting).filter((each) => best !== null && isTied(each, best));
  const ahead = new Set(front(tied).map(nameOf));
  const role = (each: Weighed) => {
    if (!isFitting(each)) return ROLES.out;
    if (best !== null && nameOf(each) === nameOf(best)) return ROLES.best;
    return ahead.has(nameOf(each)) ? ROLES.front : ROLES.fits;
  };
  const series = Object.values(ROLES).flatMap((one) =>
    seriesBy(choices.filter((each) => role(each) === one), () => one.name, pointOf).map((found) => ({
      ...found,
      ...one,
    })),
  );
  return series.length > 0
    ? {
        title: "What security takes: flash and energy of a message",
        x: { label: "flash", unit: "bytes" },
        y: { label: "energy for security", unit: "µJ" },
        series,
      }
    : null;
}

export function isWeighed(each: SamaraRecord): each is Weighed {
  return each.type === "choice" || each.type === "excluded_choice";
}

// The picture of all that `samara advise` answers; null without an answer.
export function pictureOf(records: readonly SamaraRecord[]): Spec | null {
  const advice = records.find((each) => each.type === "advice");
  return advice === undefined ? null : picture(advice, records.filter(isWeighed));
}

const HOUR_S = 3600;

export function lifePicture(lifetimes: readonly LifeAtInterval[]): Spec | null {
  const points = lifetimes.flatMap((each): Point[] => {
    const [low, median, high] = [each.life.low, each.life.median, each.life.high].map((one) => one.value);
    const seconds = each.interval_s;
    if (seconds === null || low == null || median == null || high == null) return [];
    const { origin, source } = each.life.median;
    return [{ x: seconds / HOUR_S, y: median, low, high, label: `every ${durationText(seconds)}`, origin, source }];
  });
  return points.length > 0
    ? {
        title: "Life of the battery, by the interval of messages (band: 10 to 90 %)",
        x: { label: "interval", unit: "h" },
        y: { label: "life", unit: "years" },
        series: [{ name: "median, and 10 to 90 %", draws: "line", points }],
      }
    : null;
}

export function durationText(seconds: number): string {
  if (seconds % 86_400 === 0) return `${seconds / 86_400} d`;
  if (seconds % HOUR_S === 0) return `${seconds / HOUR_S} h`;
  if (seconds % 60 === 0) return `${seconds / 60} min`;
  return `${seconds} s`;
}

// What a compiler is given for the code that is recommended, without paths and files.
export function flagsIn(commands: readonly string[]): string {
  const compiles = commands.find((each) => / -c \S+samara\.c/.test(each)) ?? "";
  return (compiles.match(/-(?:m|D|O|f|std)\S*/g) ?? []).join(" ");
}
