// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";

import type { NetworkTimelineNode, NetworkTimelineStep } from "./records";
import { hopInWords, hopPlace, laidOut, ofNode, sentenceOf, shareOf, whenOf } from "./week";

const node = (number: number, parent: number, hops: number): NetworkTimelineNode => ({
  type: "network_timeline_node", node: number, parent, hops, neighbours: [], delivery: 1, battery_j: 1,
});

const step = (more: Partial<NetworkTimelineStep>): NetworkTimelineStep => ({
  type: "network_timeline_step", start_h: 0, end_h: 6, made: 1200, delivered: 1190, lost: 10, waiting: 0,
  latency_s: 0.3456, busiest: 2, busiest_power_uw: 541.2, lowest_left: 0.98,
  sent: [5, 60], repeated: [1, 2], received: [3, 4], overheard: [7, 8], energies_j: [0.5, 2], left: [0.99, 0.98765], hops: [],
  ...more,
});

describe("laidOut", () => {
  it("puts nodes in columns by hops, near their parents, apart and inside", () => {
    const nodes = [node(1, 0, 1), node(2, 0, 1), node(3, 2, 2), node(4, 1, 2), node(5, 1, 2)];
    for (const width of [300, 1200]) {
      const { spots, height } = laidOut(nodes, width);
      expect(spots.size).toBe(6);
      const [first, third, fourth] = [spots.get(1)!, spots.get(3)!, spots.get(4)!];
      expect(spots.get(0)!.x).toBeLessThan(first.x);
      expect(first.x).toBeLessThan(third.x);
      expect(fourth.y).toBeLessThan(third.y);
      const all = [...spots.values()];
      for (const { x, y } of all) {
        expect(x).toBeGreaterThan(10);
        expect(x).toBeLessThan(width - 10);
        expect(y).toBeGreaterThan(10);
        expect(y).toBeLessThan(height - 10);
      }
      all.forEach((one, at) =>
        all.slice(at + 1).forEach((other) => expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(25)),
      );
    }
  });

  it("has room for one node", () => {
    expect(laidOut([node(1, 0, 1)], 300).spots.get(1)).toEqual({ x: 276, y: 24 });
  });
});

describe("whenOf", () => {
  it("tells day and hours", () => {
    expect(whenOf(step({}))).toBe("day 1, 00:00 to 06:00");
    expect(whenOf(step({ start_h: 42, end_h: 48 }))).toBe("day 2, 18:00 to 24:00");
    expect(whenOf(step({ start_h: 48, end_h: 49.5 }))).toBe("day 3, 00:00 to 01:30");
    expect(whenOf(step({ start_h: 20, end_h: 40 }))).toBe("day 1, 20:00, to day 2, 16:00");
  });
});

it("says what happened in a window", () => {
  expect(sentenceOf(step({}))).toBe(
    "Nodes made 1,200 messages; 1,190 reached the sink, after 0.346 s on average. 10 were lost." +
      " Node 2 took the most energy: 541 µW.",
  );
  expect(sentenceOf(step({ lost: 0, latency_s: null, delivered: 0 }))).toContain("; 0 reached the sink. None was lost.");
});

it("tells of a node what it did", () => {
  expect(ofNode(node(2, 1, 2), step({})).map(({ name, text }) => `${name}: ${text}`)).toEqual([
    "Sends to: node 1",
    "Hops to the sink: 2",
    "Frames sent: 60, 2 of them again",
    "Frames received: 4",
    "Frames overheard: 8",
    "Energy: 2,000 mJ",
    "Left in the battery: 98.8 %",
  ]);
});

it("compares what a node takes with the most of all", () => {
  const steps = [step({}), step({ energies_j: [1, 4] })];
  expect([shareOf(steps, 0, 1), shareOf(steps, 1, 2), shareOf(steps, 9, 1)]).toEqual([0.125, 1, 0]);
});

describe("single hops", () => {
  const hop = { ended_h: 30.5, sender: 5, receiver: 2, frame: "data", fate: "acknowledged" };

  it("are told in words, with their time", () => {
    expect(hopInWords(hop)).toBe("Day 2, 06:30:00.0. Node 5 sent a message to node 2. It was acknowledged.");
    expect(hopInWords({ ...hop, ended_h: 61.25 / 3600, receiver: 0, fate: "lost" })).toBe(
      "Day 1, 00:01:01.3. Node 5 sent a message to the sink. It was lost.",
    );
    expect(hopInWords({ ...hop, sender: 0, receiver: null, frame: "dio", fate: "broadcast" })).toBe(
      "Day 2, 06:30:00.0. The sink sent a DIO to all around. All around received it.",
    );
    // The last tenth of a minute is of the next one.
    expect(hopInWords({ ...hop, ended_h: 23.9999999 })).toContain("Day 2, 00:00:00.0.");
  });

  it("say which of all they are", () => {
    const one = step({ hops: [hop, hop] });
    expect(hopPlace(one, 1)).toBe("Transmission 2 of the first 2");
    expect(hopPlace({ ...one, sent: [2, 0] }, 0)).toBe("Transmission 1 of 2");
  });
});
