// SPDX-License-Identifier: Apache-2.0
// A network in the course of time, as `samara energy timeline` answers: where its nodes
// are drawn, and what a window of time says in words.

import { shown } from "./chart";
import type { Spot } from "./map";
import type { NetworkTimelineHop, NetworkTimelineNode, NetworkTimelineStep } from "./records";

export const SINK = 0;
const EDGE = 24;
const ROW = 40;

// Columns by hops from the sink, which is at the left; nodes stand near their parents.
export function laidOut(nodes: readonly NetworkTimelineNode[], width: number): { spots: Map<number, Spot>; height: number } {
  const columns = columnsOf(nodes);
  const tall = Math.max(...columns.map((each) => each.length));
  const height = 2 * EDGE + ROW * (tall - 1);
  const step = (width - 2 * EDGE) / Math.max(1, columns.length - 1);
  const spots = new Map<number, Spot>();
  columns.forEach((column, hops) => {
    const room = (height - 2 * EDGE) / column.length;
    column.forEach((node, row) => spots.set(node, { x: EDGE + hops * step, y: EDGE + room * (row + 0.5) }));
  });
  return { spots, height };
}

function columnsOf(nodes: readonly NetworkTimelineNode[]): number[][] {
  const columns: number[][] = [[SINK]];
  const deepest = Math.max(0, ...nodes.map((each) => each.hops));
  for (let hops = 1; hops <= deepest; hops += 1) {
    const before = columns[hops - 1] ?? [];
    const column = nodes.filter((each) => each.hops === hops);
    column.sort((one, other) => before.indexOf(one.parent) - before.indexOf(other.parent) || one.node - other.node);
    columns.push(column.map((each) => each.node));
  }
  return columns;
}

// What a node took in a window, beside the most that any took in any window.
export function shareOf(steps: readonly NetworkTimelineStep[], at: number, node: number): number {
  const most = Math.max(...steps.flatMap((each) => each.energies_j.map((one) => one ?? 0)));
  return most > 0 ? (steps[at]?.energies_j[node - 1] ?? 0) / most : 0;
}

const DAY_H = 24;

function hourOf(hours: number): string {
  const minutes = Math.round((hours % DAY_H) * 60);
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

// "day 2, 06:00 to 12:00"; midnight is the end of a day.
export function whenOf({ start_h, end_h }: NetworkTimelineStep): string {
  const [from, to] = [start_h ?? 0, end_h ?? 0];
  const day = Math.floor(from / DAY_H) + 1;
  const end = to - (day - 1) * DAY_H;
  if (end <= DAY_H) return `day ${day}, ${hourOf(from)} to ${end === DAY_H ? "24:00" : hourOf(to)}`;
  return `day ${day}, ${hourOf(from)}, to day ${Math.floor(to / DAY_H) + 1}, ${hourOf(to)}`;
}

const countText = (count: number) => count.toLocaleString("en");

export function sentenceOf(step: NetworkTimelineStep): string {
  const late = step.latency_s === null ? "" : `, after ${shown(step.latency_s)} s on average`;
  const lost = step.lost > 0 ? ` ${countText(step.lost)} were lost.` : " None was lost.";
  return (
    `Nodes made ${countText(step.made)} messages; ${countText(step.delivered)} reached the sink${late}.${lost}` +
    ` Node ${step.busiest} took the most energy: ${shown(step.busiest_power_uw ?? 0)} µW.`
  );
}

const named = (node: number) => (node === SINK ? "the sink" : `node ${node}`);
const FRAMES: Record<string, string> = { data: "a message", dio: "a DIO", dao: "a DAO" };
const FATES: Record<string, string> = {
  acknowledged: "It was acknowledged.",
  arrived: "It arrived; its acknowledgement was lost.",
  lost: "It was lost.",
  broadcast: "All around received it.",
};

// "day 2, 06:12:03.4: node 5 sent a message to node 2. It was acknowledged."
export function hopInWords({ ended_h, sender, receiver, frame, fate }: NetworkTimelineHop): string {
  const tenths = Math.round((ended_h ?? 0) * 36_000);
  const day = Math.floor(tenths / (DAY_H * 36_000));
  const [hours, minutes] = [Math.floor(tenths / 36_000) % DAY_H, Math.floor(tenths / 600) % 60];
  const time = [hours, minutes].map((each) => String(each).padStart(2, "0")).join(":");
  const seconds = ((tenths % 600) / 10).toFixed(1).padStart(4, "0");
  const to = receiver === null ? "to all around" : `to ${named(receiver)}`;
  const who = named(sender).replace(/^t/, "T").replace(/^n/, "N");
  return `Day ${day + 1}, ${time}:${seconds}. ${who} sent ${FRAMES[frame] ?? frame} ${to}. ${FATES[fate] ?? fate}`;
}

// Which transmissions are listed of all in a window: "Transmission 2 of the first 100", or of all 14.
export function hopPlace(step: NetworkTimelineStep, at: number): string {
  const sent = step.sent.reduce((sum, each) => sum + each, 0);
  const listed = step.hops.length;
  return `Transmission ${countText(at + 1)} of ${listed < sent ? "the first " : ""}${countText(listed)}`;
}

export interface OfNode {
  name: string;
  text: string;
}

// What one node did in a window, for a list.
export function ofNode(node: NetworkTimelineNode, step: NetworkTimelineStep): OfNode[] {
  const at = node.node - 1;
  const count = (of: readonly number[]) => countText(of[at] ?? 0);
  const left = step.left[at] ?? 0;
  return [
    { name: "Sends to", text: node.parent === SINK ? "the sink" : `node ${node.parent}` },
    { name: "Hops to the sink", text: String(node.hops) },
    { name: "Frames sent", text: `${count(step.sent)}, ${count(step.repeated)} of them again` },
    { name: "Frames received", text: count(step.received) },
    { name: "Frames overheard", text: count(step.overheard) },
    { name: "Energy", text: `${shown((step.energies_j[at] ?? 0) * 1e3)} mJ` },
    { name: "Left in the battery", text: `${shown(left * 100)} %` },
  ];
}
