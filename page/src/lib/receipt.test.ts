// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { energy, quantity, rows, slices, summary } from "./receipt";
import type { ReceiptRecord } from "./records";

const figure = (value: number, unit: string) => ({ value, unit, origin: "measured" as const, source: "a test" });

const receipt: ReceiptRecord = {
  type: "receipt",
  link: "ieee802154",
  direction: "sent",
  protection: "level 5",
  suite: "aes128-ccm-4",
  parts: { message: 6, framing: 1, header: 16, security: 2, counter: 4, tag: 4, check: 2, radio: 0 },
  link_bytes: 35,
  air_bytes: 35,
  packets: 1,
  payloads: 1,
  encrypted_bytes: 7,
  authenticated_bytes: 29,
  calls: [],
  units: [],
  expansion: 5.8,
  device: "atmega328p",
  radio: "at86rf231",
  figures: { air_time: figure(0.0024, "s"), crypto_energy: figure(1.5e-5, "J"), radio_energy: figure(1e-4, "J") },
  remarks: [],
};

test("slices are the layers that have bytes, and all bytes are in one", () => {
  const found = slices(receipt);
  expect(found.map((slice) => slice.name)).toEqual([
    "message",
    "framing and header",
    "security header",
    "tag",
    "check, code and padding",
  ]);
  expect(found.reduce((sum, slice) => sum + slice.bytes, 0)).toBe(35);
});

test("quantities have three digits and a prefix", () => {
  expect(quantity(0.0024, "s")).toBe("2.4 ms");
  expect(quantity(2.0678e-4, "J")).toBe("207 µJ");
  expect(quantity(1, "s")).toBe("1 s");
  expect(quantity(0.9999, "s")).toBe("1 s");
  expect(quantity(3e-10, "J")).toBe("0.3 nJ");
  expect(quantity(12345.6, "cycle")).toBe("12,350 cycle");
});

test("energy is the sum of what is known", () => {
  expect(energy(receipt)).toBeCloseTo(1.15e-4, 9);
  expect(energy({ ...receipt, figures: {} })).toBeNull();
  expect(summary(receipt)).toBe("35 bytes on the air · 2.4 ms · 115 µJ");
  expect(summary({ ...receipt, figures: {} })).toBe("35 bytes on the air");
  expect(rows(receipt).map((row) => row.text)).toEqual(["2.4 ms", "15 µJ", "100 µJ"]);
});
