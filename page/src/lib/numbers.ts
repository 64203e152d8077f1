// SPDX-License-Identifier: Apache-2.0
// Numbers as texts; a record has null where there is no such number.

export function fixed(value: number | null, digits: number): string {
  return value === null ? "–" : value.toFixed(digits);
}

// Without zeros behind the last digit that counts.
export function trimmed(value: number | null, digits: number): string {
  return value === null ? "–" : String(Number(value.toFixed(digits)));
}

export function times(value: number | null, factor: number): number | null {
  return value === null ? null : value * factor;
}
