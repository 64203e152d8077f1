// SPDX-License-Identifier: Apache-2.0
// Spectrum, waterfall and constellation of a burst, drawn on a canvas.

import { bytesOf, signedOf } from "./bytes";
import type { BurstHeard } from "./records";

export const BINS = 128;
// What a symbol of magnitude 1 is in the record.
const ONE = 64;
const REACH = 1.7;

export interface Ink {
  line: string;
  faint: string;
}

export type Draw = (context: CanvasRenderingContext2D, burst: BurstHeard, ink: Ink) => void;

export const constellation: Draw = (context, burst, ink) => {
  const { width, height } = context.canvas;
  cross(context, ink);
  const values = signedOf(burst.constellation);
  const size = Math.max(2, width / 90);
  context.fillStyle = ink.line;
  context.globalAlpha = 0.65;
  for (let at = 0; at + 1 < values.length; at += 2) {
    const x = (0.5 + values[at]! / ONE / (2 * REACH)) * width;
    const y = (0.5 - values[at + 1]! / ONE / (2 * REACH)) * height;
    context.fillRect(x - size / 2, y - size / 2, size, size);
  }
  context.globalAlpha = 1;
};

export const spectrum: Draw = (context, burst, ink) => {
  const { width, height } = context.canvas;
  grid(context, ink);
  const levels = bytesOf(burst.spectrum);
  context.strokeStyle = ink.line;
  context.lineWidth = Math.max(1.5, width / 250);
  context.beginPath();
  levels.forEach((level, at) => {
    const x = (at / (levels.length - 1)) * width;
    const y = height - (level / 255) * height;
    if (at === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  });
  context.stroke();
};

export const waterfall: Draw = (context, burst) => {
  const { width, height } = context.canvas;
  const levels = bytesOf(burst.waterfall);
  const rows = Math.floor(levels.length / BINS);
  if (rows === 0) return;
  const image = context.createImageData(BINS, rows);
  for (let at = 0; at < rows * BINS; at += 1) {
    const [red, green, blue] = heat(levels[at]! / 255);
    image.data.set([red, green, blue, 255], 4 * at);
  }
  const small = document.createElement("canvas");
  small.width = BINS;
  small.height = rows;
  small.getContext("2d")?.putImageData(image, 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, width, height);
};

// From dark blue over green to yellow: it can be read without colours, too.
export function heat(share: number): [number, number, number] {
  const stops: [number, number, number][] = [
    [13, 16, 45],
    [44, 62, 125],
    [31, 140, 130],
    [120, 200, 90],
    [250, 231, 60],
  ];
  const place = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const low = stops[Math.floor(place)]!;
  const high = stops[Math.ceil(place)]!;
  const part = place - Math.floor(place);
  return [0, 1, 2].map((at) => Math.round(low[at]! + (high[at]! - low[at]!) * part)) as [
    number,
    number,
    number,
  ];
}

function cross(context: CanvasRenderingContext2D, ink: Ink): void {
  const { width, height } = context.canvas;
  context.strokeStyle = ink.faint;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(width / 2, 0);
  context.lineTo(width / 2, height);
  context.moveTo(0, height / 2);
  context.lineTo(width, height / 2);
  context.stroke();
}

function grid(context: CanvasRenderingContext2D, ink: Ink): void {
  const { width, height } = context.canvas;
  context.strokeStyle = ink.faint;
  context.lineWidth = 1;
  context.beginPath();
  for (const share of [0.25, 0.5, 0.75]) {
    context.moveTo(0, share * height);
    context.lineTo(width, share * height);
  }
  context.moveTo(width / 2, 0);
  context.lineTo(width / 2, height);
  context.stroke();
}
