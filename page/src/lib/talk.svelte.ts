// SPDX-License-Identifier: Apache-2.0
// One conversation as the page shows it: its events, kept up to date.

import { follow } from "./api";
import type { Happening, Heard } from "./types";

const AGAIN_MS = 1000;
const SHOWN_MAX = 500;

export class Talk {
  events: Happening[] = $state([]);
  isConnected = $state(false);
  missed = $state(0);
  readonly name: string;
  #last = 0;
  #stop: () => void = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(name: string) {
    this.name = name;
    this.#follow();
  }

  get heard(): Heard[] {
    return this.events.filter((each): each is Heard => each.type === "frame_heard");
  }

  isRunning(program: string): boolean {
    const states = this.events.filter(
      (each) => each.type === "program_state" && each.name === program,
    );
    const last = states.at(-1);
    return last?.type === "program_state" && last.is_running;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#stop();
  }

  #follow(): void {
    this.#stop = follow(
      this.name,
      this.#last,
      (events) => this.#take(events),
      () => {
        this.isConnected = false;
        this.#timer = setTimeout(() => this.#follow(), AGAIN_MS);
      },
    );
  }

  #take(events: Happening[]): void {
    this.isConnected = true;
    for (const each of events) {
      if (each.type === "missed") this.missed += each.count;
      else this.#last = each.number;
    }
    const shown = [...this.events, ...events.filter((each) => each.type !== "missed")];
    this.events = shown.slice(-SHOWN_MAX);
  }
}
