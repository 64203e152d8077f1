// SPDX-License-Identifier: Apache-2.0
// The network of the console as the page shows it, kept up to date.

import { Live } from "./live.svelte";
import { after, inWords, type MapNode, type NetworkEvent } from "./map";
import type { Packet } from "./records";

const SHOWN_MAX = 200;

export class Network extends Live<NetworkEvent> {
  nodes: MapNode[] = $state.raw([]);
  isRunning = $state(false);
  counts = $state({ packets: 0, frames: 0, repetitions: 0 });
  #move: (packets: Packet[]) => void;

  constructor(move: (packets: Packet[]) => void) {
    super("network/live", SHOWN_MAX);
    this.#move = move;
  }

  // Packets that were there before the page are counted, and do not move again.
  protected override taken(events: NetworkEvent[], isPast: boolean): NetworkEvent[] {
    let nodes = this.nodes;
    for (const each of events) {
      if (each.type === "lab_node" && !this.isRunning && nodes.some((old) => old.name === each.node)) nodes = [];
      nodes = after(nodes, each);
      if (each.type === "program_state") this.#set(each.is_running);
    }
    this.nodes = nodes;
    const packets = events.filter((each) => each.type === "packet");
    this.#count(packets);
    if (!isPast && packets.length > 0) this.#move(packets);
    return events.filter((each) => inWords(each) !== "");
  }

  #set(isRunning: boolean): void {
    this.isRunning = isRunning;
    if (isRunning) this.counts = { packets: 0, frames: 0, repetitions: 0 };
  }

  #count(packets: readonly Packet[]): void {
    const { counts } = this;
    for (const each of packets) {
      counts.packets += 1;
      counts.frames += each.frames;
      counts.repetitions += each.repetitions;
    }
  }
}
