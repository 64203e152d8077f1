// SPDX-License-Identifier: Apache-2.0
// One conversation as the page shows it: its events, kept up to date.

import { follow } from "./api";
import type { Happening, Told } from "./events";

const AGAIN_MS = 1000;
const GATHER_MS = 40;
export const SHOWN_MAX = 400;

export interface State {
  isRunning: boolean;
  lastWords: string;
}

export class Talk {
  // Raw: events never change, and a proxy for each of them would cost time.
  events: Happening[] = $state.raw([]);
  programs: Record<string, State> = $state({});
  begun_s = $state(0);
  isConnected = $state(false);
  missed = $state(0);
  readonly name: string;
  #last = 0;
  #gathered: Told[] = [];
  #stop: () => void = () => {};
  #again: ReturnType<typeof setTimeout> | undefined;
  #soon: ReturnType<typeof setTimeout> | undefined;

  constructor(name: string) {
    this.name = name;
    this.#follow();
  }

  isRunning(program: string): boolean {
    return this.programs[program]?.isRunning ?? false;
  }

  end(): void {
    clearTimeout(this.#again);
    clearTimeout(this.#soon);
    this.#stop();
  }

  #follow(): void {
    this.#stop = follow(
      this.name,
      this.#last,
      (told) => this.#gather(told),
      () => {
        this.isConnected = false;
        this.#again = setTimeout(() => this.#follow(), AGAIN_MS);
      },
    );
  }

  // Many events in a moment are shown at once.
  #gather(told: Told[]): void {
    this.isConnected = true;
    this.#gathered.push(...told);
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.#take(this.#gathered.splice(0));
    }, GATHER_MS);
  }

  #take(told: Told[]): void {
    const events: Happening[] = [];
    for (const each of told) {
      if (each.type === "missed") {
        this.missed += each.count;
        continue;
      }
      if (each.number <= this.#last) continue;
      this.#last = each.number;
      if (this.begun_s === 0) this.begun_s = each.time_s;
      if (each.type === "program_state") {
        const lastWords = each.last_words.at(-1) ?? "";
        this.programs[each.name] = { isRunning: each.is_running, lastWords };
      }
      events.push(each);
    }
    this.events = [...this.events, ...events].slice(-SHOWN_MAX);
  }
}
