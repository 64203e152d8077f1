// SPDX-License-Identifier: Apache-2.0
// One conversation as the page shows it: its events, kept up to date.

import type { Happening } from "./events";
import { Live } from "./live.svelte";

const SHOWN_MAX = 400;

export interface State {
  isRunning: boolean;
  lastWords: string;
}

export class Talk extends Live<Happening> {
  programs: Record<string, State> = $state({});
  begun_s = $state(0);
  readonly name: string;

  constructor(name: string) {
    super(`conversations/${name}/live`, SHOWN_MAX);
    this.name = name;
  }

  isRunning(program: string): boolean {
    return this.programs[program]?.isRunning ?? false;
  }

  protected override taken(events: Happening[]): Happening[] {
    if (this.begun_s === 0) this.begun_s = events[0]?.time_s ?? 0;
    for (const each of events) {
      if (each.type !== "program_state") continue;
      this.programs[each.name] = { isRunning: each.is_running, lastWords: each.last_words.at(-1) ?? "" };
    }
    return events;
  }
}
