// SPDX-License-Identifier: Apache-2.0
// The network of the console as the page shows it, kept up to date.

import { after, inWords, type MapNode, type NetworkEvent, type NetworkTold } from "./map";
import type { Packet } from "./records";

const AGAIN_MS = 1000;
const SHOWN_MAX = 200;

export class Network {
  nodes: MapNode[] = $state.raw([]);
  events: NetworkEvent[] = $state.raw([]);
  isRunning = $state(false);
  isConnected = $state(false);
  missed = $state(0);
  counts = $state({ packets: 0, frames: 0, repetitions: 0 });
  #last = 0;
  #socket: WebSocket | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  #move: (packets: Packet[]) => void;

  constructor(move: (packets: Packet[]) => void) {
    this.#move = move;
    this.#follow();
  }

  end(): void {
    clearTimeout(this.#again);
    if (this.#socket !== undefined) this.#socket.onclose = null;
    this.#socket?.close();
  }

  #follow(): void {
    const isNew = this.#last > 0;
    this.#socket = new WebSocket(`ws://${location.host}/api/network/live?since=${this.#last}`);
    let isFirst = true;
    this.#socket.onmessage = (message) => {
      this.isConnected = true;
      this.#take(JSON.parse(String(message.data)) as NetworkTold[], isNew || !isFirst);
      isFirst = false;
    };
    this.#socket.onclose = () => {
      this.isConnected = false;
      this.#again = setTimeout(() => this.#follow(), AGAIN_MS);
    };
  }

  // What was there before the page is shown, and does not move again.
  #take(told: NetworkTold[], moves: boolean): void {
    const events: NetworkEvent[] = [];
    const packets: Packet[] = [];
    let nodes = this.nodes;
    for (const each of told) {
      if (each.type === "missed") {
        this.missed += each.count;
        continue;
      }
      if (each.number <= this.#last) continue;
      this.#last = each.number;
      if (each.type === "lab_node" && !this.isRunning && nodes.some((old) => old.name === each.node)) nodes = [];
      nodes = after(nodes, each);
      if (each.type === "program_state") this.#set(each.is_running);
      if (each.type === "packet") packets.push(each);
      if (inWords(each)) events.push(each);
    }
    this.nodes = nodes;
    this.#count(packets);
    this.events = [...this.events, ...events].slice(-SHOWN_MAX);
    if (moves && packets.length > 0) this.#move(packets);
  }

  #set(isRunning: boolean): void {
    this.isRunning = isRunning;
    if (isRunning) this.counts = { packets: 0, frames: 0, repetitions: 0 };
  }

  #count(packets: Packet[]): void {
    const { counts } = this;
    for (const each of packets) {
      counts.packets += 1;
      counts.frames += each.frames;
      counts.repetitions += each.repetitions;
    }
  }
}
