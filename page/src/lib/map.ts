// SPDX-License-Identifier: Apache-2.0
// Where the nodes of a network are drawn, and what is known of each by its events.

import type { ConversationNote, ConversationRefusal, LabNode, NodeSteered, Packet, ProgramState, TrafficEnded } from "./records";
import type { Stamp } from "./events";

export type NetworkEvent = Stamp &
  (ConversationNote | ConversationRefusal | LabNode | NodeSteered | Packet | ProgramState | TrafficEnded);

export interface Spot {
  x: number;
  y: number;
}

export interface MapNode {
  name: string;
  address: string;
  pid: number;
  neighbours: string[];
  state: "up" | "killed" | "away";
  refusals: number;
}

const ROOM = 120;
const TALL = 110;
const EDGE = 46;

// A chain goes to and fro in rows; around a node with many neighbours they stand in a ring.
export function laidOut(nodes: MapNode[], width: number): { spots: Map<string, Spot>; height: number } {
  const centre = nodes.find((each) => each.neighbours.length > 2);
  return centre === undefined ? inRows(nodes, width) : inRing(nodes, centre, width);
}

function inRows(nodes: MapNode[], width: number) {
  const columns = Math.max(2, Math.min(nodes.length, Math.floor(width / ROOM)));
  const step = columns > 1 ? (width - 2 * EDGE) / (columns - 1) : 0;
  const spots = new Map<string, Spot>();
  nodes.forEach((each, at) => {
    const row = Math.floor(at / columns);
    const column = row % 2 === 0 ? at % columns : columns - 1 - (at % columns);
    const lift = columns > 2 && column % 2 === 1 ? -16 : 16;
    spots.set(each.name, { x: EDGE + step * column, y: EDGE + 24 + row * TALL + lift });
  });
  return { spots, height: 2 * EDGE + 48 + TALL * (Math.ceil(nodes.length / columns) - 1) };
}

function inRing(nodes: MapNode[], centre: MapNode, width: number) {
  const height = Math.max(280, Math.min(420, width));
  const middle = { x: width / 2, y: height / 2 };
  const others = nodes.filter((each) => each !== centre);
  const spots = new Map([[centre.name, middle]]);
  others.forEach((each, at) => {
    const angle = (2 * Math.PI * at) / others.length - Math.PI / 2;
    spots.set(each.name, {
      x: middle.x + (width / 2 - EDGE) * Math.cos(angle),
      y: middle.y + (height / 2 - EDGE) * Math.sin(angle),
    });
  });
  return { spots, height };
}

// The links of a map, each once.
export function linksOf(nodes: MapNode[]): [MapNode, MapNode][] {
  const byName = new Map(nodes.map((each) => [each.name, each]));
  return nodes.flatMap((each) =>
    each.neighbours
      .map((name) => byName.get(name))
      .filter((other): other is MapNode => other !== undefined && each.name < other.name)
      .map((other): [MapNode, MapNode] => [each, other]),
  );
}

// The nodes after an event.
export function after(nodes: MapNode[], event: NetworkEvent): MapNode[] {
  const changed = (name: string, change: (each: MapNode) => Partial<MapNode>) =>
    nodes.map((each) => (each.name === name ? { ...each, ...change(each) } : each));
  if (event.type === "lab_node") {
    const { node: name, address, pid, neighbours } = event;
    const old = nodes.find((each) => each.name === name);
    // A node that goes on running is told again when it has a new neighbour.
    if (old?.pid === pid && old.state !== "killed") return changed(name, () => ({ neighbours }));
    if (old !== undefined) return changed(name, () => ({ pid, neighbours, state: "up", refusals: 0 }));
    return [...nodes, { name, address, pid, neighbours, state: "up", refusals: 0 }];
  }
  if (event.type === "node_steered") {
    const state = event.do === "kill" ? "killed" : event.do === "move_away" ? "away" : "up";
    return changed(event.node, () => ({ state }));
  }
  if (event.type === "conversation_refusal") {
    return changed(event.end, (each) => ({ refusals: each.refusals + 1 }));
  }
  return nodes;
}

// What an event says, for the list below the map.
export function inWords(event: NetworkEvent): string {
  switch (event.type) {
    case "packet": {
      const again = event.repetitions ? `, ${event.repetitions} sent again` : "";
      const frames = event.frames === 1 ? "1 frame" : `${event.frames} frames`;
      return `${event.source} → ${event.destination}: ${event.protocol.replace("ICMPv6 ", "")}, ${frames}${again}`;
    }
    case "conversation_refusal":
      return `${event.end} refused something (${event.kind}): ${event.sentence}`;
    case "traffic_ended": {
      const result = event.succeeded ? "got its answer" : "got no answer";
      return `${event.program} at ${event.source} ${result} from ${event.destination}.`;
    }
    case "conversation_note":
      return event.sentence;
    case "lab_node":
      return `${event.node} is up at ${event.address}.`;
    case "program_state":
      return event.is_running ? "The network runs." : `The network has ended. ${event.last_words.at(-1) ?? ""}`;
    case "node_steered":
      return "";
  }
}
