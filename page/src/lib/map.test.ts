// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { after, inWords, laidOut, linksOf, type MapNode, type NetworkEvent } from "./map";

const stamp = { number: 1, time_s: 0 };

function node(name: string, ...neighbours: string[]): MapNode {
  return { name, address: "", pid: 1, neighbours, state: "up", refusals: 0 };
}

function nodeEvent(name: string): NetworkEvent {
  return {
    ...stamp, type: "lab_node", node: name, directory: "", medium: "", address: "fd00::1", neighbours: [], pid: 7, enter: "",
  };
}

const chain = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    node(`n${at + 1}`, ...[at, at + 2].filter((each) => each > 0 && each <= count).map((each) => `n${each}`)),
  );

test("twelve nodes stand apart and inside the map, narrow and wide", () => {
  for (const width of [300, 800]) {
    const { spots, height } = laidOut(chain(12), width);
    const all = [...spots.values()];
    expect(all).toHaveLength(12);
    for (const { x, y } of all) {
      expect(x).toBeGreaterThan(20);
      expect(x).toBeLessThan(width - 20);
      expect(y).toBeGreaterThan(20);
      expect(y).toBeLessThan(height - 20);
    }
    all.forEach((one, at) =>
      all.slice(at + 1).forEach((other) => expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(50)),
    );
  }
});

test("a link is drawn once", () => {
  expect(linksOf(chain(3)).map(([one, other]) => one.name + other.name)).toEqual(["n1n2", "n2n3"]);
  expect(linksOf([node("n1")])).toEqual([]);
});

test("a node that is killed, started and moved has that state", () => {
  let nodes = after([], nodeEvent("n1"));
  const steered = (what: string) => (nodes = after(nodes, { ...stamp, type: "node_steered", do: what, node: "n1" }));
  expect(nodes[0]?.state).toBe("up");
  steered("kill");
  expect(nodes[0]?.state).toBe("killed");
  nodes = after(nodes, nodeEvent("n1"));
  expect(nodes).toHaveLength(1);
  expect(nodes[0]?.state).toBe("up");
  steered("move_away");
  expect(nodes[0]?.state).toBe("away");
  steered("move_back");
  expect(nodes[0]?.state).toBe("up");
});

test("a refusal is counted at the node that refused", () => {
  const refusal: NetworkEvent = {
    ...stamp, type: "conversation_refusal", end: "n2", kind: "replay", sentence: "old counter", rule: "",
  };
  const nodes = after([node("n1"), node("n2")], refusal);
  expect(nodes.map((each) => each.refusals)).toEqual([0, 1]);
  expect(inWords(refusal)).toContain("n2 refused something (replay)");
});

test("a node that invites goes on, and is drawn beside the new one", () => {
  let nodes = [{ ...node("n1", "n2"), pid: 7, refusals: 2 }, node("n2", "n1")];
  nodes = after(nodes, { ...nodeEvent("n1"), neighbours: ["n2", "n3"] } as NetworkEvent);
  nodes = after(nodes, { ...nodeEvent("n3"), pid: 9, neighbours: ["n1"] } as NetworkEvent);
  expect(nodes[0]).toMatchObject({ refusals: 2, state: "up", neighbours: ["n2", "n3"] });
  expect(linksOf(nodes).map(([one, other]) => one.name + other.name)).toEqual(["n1n2", "n1n3"]);
});
