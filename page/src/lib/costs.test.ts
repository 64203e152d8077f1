// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";

import { barOf, publishedBar, sentenceOf, total } from "./costs";
import type { Figure, MessageCost, PublishedCost } from "./records";

const figure = (value: number, unit: string, origin: Figure["origin"] = "estimated"): Figure => ({
  value,
  unit,
  origin,
  source: "a model",
});

const cost = (suite: string | null, joules: number, more: Partial<MessageCost> = {}) =>
  ({
    type: "message_cost",
    suite,
    layer: "link",
    standing: "standard",
    encrypts: true,
    parts: { message: 20, header: 9, check: 2, security: 2, counter: 4, tag: 8, radio: 6, fill: 0 },
    air_bytes: figure(51, "byte", "measured"),
    air_time: figure(0.002, "s"),
    crypto_time: figure(0.0005, "s"),
    radio_energy: figure(joules - 1e-5, "J"),
    crypto_energy: figure(1e-5, "J"),
    energy: figure(joules, "J"),
    ...more,
  }) as MessageCost;

describe("bars", () => {
  it("stack all bytes of a message", () => {
    const bar = barOf(cost("aes", 5e-5), "bytes");
    expect(bar.segments.map(({ name, value }) => [name, value])).toEqual([
      ["message", 20],
      ["header and framing", 11],
      ["security header", 6],
      ["tag", 8],
      ["radio", 6],
    ]);
    expect(total(bar)).toBe(51);
  });

  it("have milliseconds and microjoules", () => {
    expect(barOf(cost("aes", 5e-5), "time").segments.map(({ value }) => value)).toEqual([2, 0.5]);
    expect(total(barOf(cost("aes", 5e-5), "energy"))).toBeCloseTo(50);
  });

  it("are hollow where a paper printed them", () => {
    const printed = { what: "AES", crypto_energy: figure(114.05e-6, "J", "published"), crypto_time: null, sent_bytes: null };
    expect(publishedBar(printed as PublishedCost, "energy")).toMatchObject({ isHollow: true, note: "published" });
    expect(publishedBar(printed as PublishedCost, "time")).toBeNull();
  });
});

describe("sentenceOf", () => {
  it("tells the cheapest standard that encrypts", () => {
    const plain = cost(null, 4e-5, { air_bytes: figure(37, "byte", "measured") });
    const costs = [plain, cost("speck", 4.5e-5, { standing: "research" }), cost("mic", 4.6e-5, { encrypts: false }), cost("aes", 5e-5)];
    expect(sentenceOf(costs)).toContain("With aes at the link layer");
    expect(sentenceOf(costs)).toContain("50 µJ: 25 % more, and 14 bytes more on the air.");
    expect(sentenceOf([plain])).toBe("");
  });
});
