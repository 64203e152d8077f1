// SPDX-License-Identifier: Apache-2.0
// What a page that a command wrote says of its charts. samara.records.charts writes it.

import { lifePicture, pictureOf } from "./advice";
import type { Spec } from "./chart";
import { of, PRESETS } from "./presets";
import type { SamaraRecord } from "./records";

// The element that has it. By no id: those are names of sections, tables and plots.
export const ELEMENT = "script[data-charts]";

// The chart that the console has of such records.
export interface View {
  view: string;
  records: SamaraRecord[];
}

export type Part = Spec | View;

// The charts of each plot, by the name of the plot.
export function plotsOf(text: string): [string, Part[]][] {
  return Object.entries(JSON.parse(text) as Record<string, Part[]>);
}

type Drawing = (records: readonly SamaraRecord[]) => Spec | null;

const VIEWS = new Map<string, Drawing>([
  ...PRESETS.flatMap(({ slug, chart }): [string, Drawing][] =>
    chart === undefined ? [] : [[slug, (records) => chart(records, [])]],
  ),
  ["advice", pictureOf],
  ["life-by-interval", (records) => lifePicture(of(records, "life_at_interval"))],
]);

export function drawnOf(part: Part): Spec[] {
  if (!("view" in part)) return [part];
  const view = VIEWS.get(part.view);
  if (view === undefined) throw new Error(`the console has no chart ${part.view}`);
  const spec = view(part.records);
  return spec === null ? [] : [spec];
}
