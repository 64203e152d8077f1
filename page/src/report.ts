// SPDX-License-Identifier: Apache-2.0
// Draws the charts of a page that a command wrote. The page has everything in itself: its
// tables are HTML, and what its charts show is in an element of JSON.
import { mount } from "svelte";

import { ELEMENT, drawnOf, plotsOf } from "./lib/report";
import Charts from "./parts/Charts.svelte";

const text = document.querySelector(ELEMENT)?.textContent ?? "{}";
for (const [slug, parts] of plotsOf(text)) {
  const target = document.querySelector(`[data-plot="${CSS.escape(slug)}"]`);
  if (target === null) continue;
  const specs = parts.flatMap(drawnOf);
  if (specs.length === 0) {
    target.parentElement?.remove();
    continue;
  }
  // What it says to those without a script.
  target.replaceChildren();
  mount(Charts, { target, props: { specs } });
}
