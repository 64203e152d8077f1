// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";

import { flagsIn, front, isTied, durationText } from "./advice";
import type { ChoiceRecord } from "./records";

const choice = (suite: string, flash_bytes: number, joules: number) =>
  ({ type: "choice", suite, flash_bytes, security_energy: { value: joules } }) as ChoiceRecord;

describe("front", () => {
  it("has what nothing beats in both, least flash first", () => {
    const choices = [choice("c", 30, 3), choice("a", 10, 9), choice("b", 20, 9), choice("d", 30, 2), choice("e", 40, 2)];
    expect(front(choices).map(({ suite }) => suite)).toEqual(["a", "d"]);
    expect(front([])).toEqual([]);
  });
});

describe("isTied", () => {
  const lived = (years: number, standing = "standard") =>
    ({ standing, life: { low: { value: years } } }) as Parameters<typeof isTied>[0];

  it("has lives within one step of 1 %, of one standing", () => {
    expect(isTied(lived(1.001), lived(1.009))).toBe(true);
    expect(isTied(lived(1.001), lived(1.02))).toBe(false);
    expect(isTied(lived(1.001), lived(1.001, "finalist"))).toBe(false);
  });
});

describe("flagsIn", () => {
  it("leaves out paths and files", () => {
    const commands = ["samara keygen x", "avr-gcc -I build -mmcu=atmega328p -Os -DA=0 -c build/samara.c -o samara.o"];
    expect(flagsIn(commands)).toBe("-mmcu=atmega328p -Os -DA=0");
    expect(flagsIn([])).toBe("");
  });
});

describe("durationText", () => {
  it("has the largest whole unit", () => {
    expect([30, 90, 300, 3600, 86400].map(durationText)).toEqual(["30 s", "90 s", "5 min", "1 h", "1 d"]);
  });
});
