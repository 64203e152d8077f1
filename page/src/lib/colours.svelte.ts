// SPDX-License-Identifier: Apache-2.0
// The colours of the style sheet, for what is drawn on a canvas.

class Colours {
  #scheme = $state(0);
  readonly #probe = document.createElement("span");

  constructor() {
    this.#probe.hidden = true;
    document.body.append(this.#probe);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => (this.#scheme += 1));
  }

  // What a variable is now. Whoever reads it is drawn again when that changes.
  of(name: string, opacity = 1): string {
    void this.#scheme;
    this.#probe.style.color = opacity < 1 ? `rgb(from var(${name}) r g b / ${opacity})` : `var(${name})`;
    return getComputedStyle(this.#probe).color;
  }
}

export const colours = new Colours();
