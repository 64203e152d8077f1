// SPDX-License-Identifier: Apache-2.0
// A tour of five steps, for the first visit; this browser remembers that it was seen.

export interface Step {
  view: string;
  title: string;
  text: string;
}

export const STEPS: Step[] = [
  {
    view: "Talk",
    title: "Two nodes talk",
    text: "Start two nodes and type a message. Each node is a process of its own, with keys and counters as a device has them.",
  },
  {
    view: "Talk",
    title: "What everybody hears",
    text: "Between the nodes is the air: each byte that is sent, coloured by what it is for. Let an attacker replay a frame or flip a bit, and see which node refuses it, and why.",
  },
  {
    view: "Cost",
    title: "What it costs",
    text: "Security takes bytes, time and energy. Here is one message with every suite; point at a bar to see where its figure comes from.",
  },
  {
    view: "Choose",
    title: "What to take",
    text: "Say what you build: device, interval, battery, years. The answer is a sentence, with the commands that make it real.",
  },
  {
    view: "Tables",
    title: "All figures",
    text: "Every figure that was measured or published, to sort, filter, draw and take away. Each has the command that makes it.",
  },
];

const REMEMBERED = "samara-tour-seen";

class Tour {
  step = $state(-1);

  constructor() {
    try {
      if (localStorage.getItem(REMEMBERED) === null) this.step = 0;
    } catch {
      // A browser that remembers nothing shows no tour unasked.
    }
  }

  get shown(): Step | null {
    return STEPS[this.step] ?? null;
  }

  start(): void {
    this.step = 0;
  }

  move(by: number): void {
    this.step += by;
    if (this.shown === null) this.end();
  }

  end(): void {
    this.step = -1;
    try {
      localStorage.setItem(REMEMBERED, "yes");
    } catch {
      // As above.
    }
  }
}

export const tour = new Tour();
