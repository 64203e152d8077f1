// SPDX-License-Identifier: Apache-2.0
// Events of the console as they come over a WebSocket; it is opened again when it ends.

import type { Missed, Stamp } from "./events";

const AGAIN_MS = 1000;
const BATCH_MS = 40;

export class Live<Event extends Stamp> {
  // Raw: events never change, and a proxy for each of them would cost time.
  events: Event[] = $state.raw([]);
  isConnected = $state(false);
  // Events that the console left out, because this browser was too slow.
  missed = $state(0);
  #path: string;
  #shown: number;
  #last = 0;
  #batch: (Event | Missed)[] = [];
  #socket: WebSocket | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  #soon: ReturnType<typeof setTimeout> | undefined;
  #isFirst = true;

  // `path` is that of the events, below /api; the newest `shown` events are kept.
  constructor(path: string, shown: number) {
    this.#path = path;
    this.#shown = shown;
    this.#follow();
  }

  end(): void {
    clearTimeout(this.#again);
    clearTimeout(this.#soon);
    if (this.#socket !== undefined) this.#socket.onclose = null;
    this.#socket?.close();
  }

  // Takes new events and returns those to keep. `isPast`: they happened before the page
  // was opened.
  protected taken(events: Event[], _isPast: boolean): Event[] {
    return events;
  }

  #follow(): void {
    this.#socket = new WebSocket(`ws://${location.host}/api/${this.#path}?since=${this.#last}`);
    this.#socket.onmessage = (message) => this.#receive(JSON.parse(String(message.data)) as (Event | Missed)[]);
    this.#socket.onclose = () => {
      this.isConnected = false;
      this.#again = setTimeout(() => this.#follow(), AGAIN_MS);
    };
  }

  // Many events in a moment are shown at once.
  #receive(received: (Event | Missed)[]): void {
    this.isConnected = true;
    this.#batch.push(...received);
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.#take(this.#batch.splice(0));
    }, BATCH_MS);
  }

  #take(received: (Event | Missed)[]): void {
    const fresh: Event[] = [];
    for (const each of received) {
      if ("number" in each) {
        if (each.number <= this.#last) continue;
        this.#last = each.number;
        fresh.push(each);
      } else {
        this.missed += each.count;
      }
    }
    const kept = this.taken(fresh, this.#isFirst);
    this.#isFirst = false;
    this.events = [...this.events, ...kept].slice(-this.#shown);
  }
}
