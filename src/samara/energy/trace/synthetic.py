# SPDX-License-Identifier: Apache-2.0
"""Traces whose truth is known: what an analyzer would have written of a device.

The device sleeps, recharges its converter by pulses, polls at regular times, and sends
messages of several lengths at random times after a random wait for a free medium. The
analyzer adds noise, a drift of its zero, and loses samples.

Called as a program, it writes a trace of three minutes, its lengths, and its truth:

    python3 -m samara.energy.trace.synthetic trace.csv lengths.csv
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.energy.trace.blocks import Array

_PULSE_C = 48e-9
_BYTE_S = 32e-6
_LENGTHS = (20, 40, 80)
_BACKOFF_S = 320e-6


@dataclass(frozen=True)
class Synthetic:
    """A device, and the analyzer that looks at it.

    Parameters
    ----------
    step_s
        From sample to sample.
    sleep_a
        Mean current asleep, with recharge.
    """

    duration_s: float
    step_s: float = 1e-5
    seed: int = 0
    sleep_a: float = 3.19e-6
    poll_s: float = 1.0
    message_s: float = 7.3
    noise_a: float = 0.2e-6
    drift_a: float = 0.0
    lost: float = 0.0
    """Part of the blocks of 10 ms that are lost."""
    base_a: float = 1.6e-6
    transmit_a: float = 6.4e-3
    receive_a: float = 6.53e-3

    def poll_shape(self) -> Array:
        """Return the current of a poll, above sleep."""
        return np.concatenate(
            [
                self._level(0.6e-3, 0.9e-3),
                self._level(0.36e-3, 0.5e-3),
                self._level(0.9e-3, self.transmit_a),
                self._level(0.55e-3, self.receive_a),
                self._level(1.2e-3, 1.9e-3),
            ]
        )

    def message_shape(self, length: int, wait_s: float) -> Array:
        """Return the current of a message, above sleep."""
        return np.concatenate(
            [
                self._level(1.5e-3, 2.2e-3),
                self._level(wait_s, self.receive_a),
                self._level((length + 23) * _BYTE_S, self.transmit_a * 1.4),
                self._level(0.55e-3, self.receive_a),
                self._level(1.0e-3, 1.9e-3),
            ]
        )

    def _level(self, seconds: float, current_a: float) -> Array:
        return np.full(round(seconds / self.step_s), current_a)

    def poll_c(self) -> float:
        """Return the charge of a poll above sleep."""
        return float(self.poll_shape().sum() * self.step_s)

    def byte_c(self) -> float:
        """Return the charge of a byte."""
        return _BYTE_S * self.transmit_a * 1.4

    def messages(self) -> list[tuple[float, int, float]]:
        """Return the time, the length and the wait of each message."""
        chance = np.random.default_rng((self.seed, 1))
        time, found = 0.4, []
        while (time := time + float(chance.exponential(self.message_s))) < (
            self.duration_s - 1
        ):
            wait = _BACKOFF_S * int(chance.integers(0, 8))
            found.append((time, int(chance.choice(_LENGTHS)), wait))
        return found

    def blocks(self, samples: int = 1 << 20) -> Iterator[Array]:
        """Yield the current, in ampere; NaN where a sample was lost."""
        chance = np.random.default_rng((self.seed, 2))
        total = round(self.duration_s / self.step_s)
        events = sorted(self._events(), key=lambda event: event[0])
        for first in range(0, total, samples):
            count = min(samples, total - first)
            block = self._asleep(first, count)
            for place, shape in events:
                low, high = max(place, first), min(place + shape.size, first + count)
                if low < high:
                    block[low - first : high - first] += shape[
                        low - place : high - place
                    ]
            block += chance.normal(0, self.noise_a, count)
            block += self.drift_a * (first + np.arange(count)) / total
            self._lose(block, chance)
            yield block
            events = [e for e in events if e[0] + e[1].size > first + count]

    def _events(self) -> Iterator[tuple[int, Array]]:
        poll = self.poll_shape()
        for number in range(int((self.duration_s - 0.9) / self.poll_s)):
            yield round((0.37 + number * self.poll_s) / self.step_s), poll
        for time, length, wait in self.messages():
            yield round(time / self.step_s), self.message_shape(length, wait)

    def _asleep(self, first: int, count: int) -> Array:
        """Return the current of sleep: a floor, and pulses of recharge."""
        block = np.full(count, self.base_a)
        every = round(_PULSE_C / (self.sleep_a - self.base_a) / self.step_s)
        width = max(1, round(20e-6 / self.step_s))
        height = (self.sleep_a - self.base_a) * every / width
        start = -(-first // every) * every
        for offset in range(width):
            block[np.arange(start + offset, first + count, every) - first] += height
        return block

    def _lose(self, block: Array, chance: np.random.Generator) -> None:
        if not self.lost:
            return
        size = max(1, round(10e-3 / self.step_s))
        for place in np.flatnonzero(chance.random(block.size // size) < self.lost):
            block[place * size : (place + 1) * size] = np.nan


def write_csv(path: Path, made: Synthetic) -> None:
    """Write a trace as the Power Profiler exports it; lost samples are left out."""
    first = 0
    with path.open("w", encoding="ascii") as file:
        file.write("Timestamp(ms),Current(uA),D0-D7\n")
        for block in made.blocks(1 << 16):
            times_ms = (first + np.arange(block.size)) * made.step_s * 1e3
            first += block.size
            kept = ~np.isnan(block)
            rows = zip(times_ms[kept], block[kept] * 1e6, strict=True)
            file.writelines(f"{t:.3f},{i:.3f},00000000\n" for t, i in rows)


def write_lengths(path: Path, made: Synthetic) -> None:
    """Write the times and lengths of the messages."""
    rows = [f"{time:.6f},{length}\n" for time, length, _ in made.messages()]
    path.write_text("time,bytes\n" + "".join(rows), encoding="ascii")


def _main(trace: str, lengths: str) -> None:
    made = Synthetic(180, step_s=1e-4, message_s=2.3)
    write_csv(Path(trace), made)
    write_lengths(Path(lengths), made)
    print(
        f"sleep {made.sleep_a * 1e6:.3g} uA, a poll {made.poll_c() * 1e6:.4g} uC "
        f"every {made.poll_s:g} s, a byte {made.byte_c() * 1e6:.3g} uC"
    )


if __name__ == "__main__":
    _main(*sys.argv[1:])
