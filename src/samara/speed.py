# SPDX-License-Identifier: Apache-2.0
"""Measuring how long sealing takes on this machine.

A processor changes its clock frequency and runs other programs in between. So the
suites take turns in every round, and the shortest time of all rounds counts.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from samara.figure import Figure, Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from samara.crypto import Suite

SHORT = 64
"""Bytes of a message of the size of a radio frame's payload."""
LONG = 16 * 1024
"""Bytes of a message for which the set-up does not matter."""
SIZES = (SHORT, LONG)
ROUNDS = 7
OPENSSL_GCM = "OpenSSL AES-128-GCM"
OPENSSL_CCM = "OpenSSL AES-128-CCM"
DEFAULT_SUITES = (
    "aes128-ccm-8",
    "aes256-ccm-8",
    "aes128-gcm",
    "aes256-gcm",
    "aes128-ctr",
    "aes128-cbc",
    "ascon-aead128",
    "grain128aead",
    "grain128ple",
    "speck128-128-ccm-8",
    "simon128-128-ccm-8",
    "modspeck128-128-ccm-8",
)

TIMED_IN_C = "one C call per message, with the key set-up"
TIMED_IN_PYTHON = "one Python call per message, with the key set up once"

_SLICE_NS = 5_000_000
"""How long one measurement should take, in nanoseconds."""

_NsAndTicks = tuple[int, int]


class _Timer(Protocol):
    """Seals messages of one size, and returns the time in ns and in ticks."""

    def __call__(self, size: int, repetitions: int, /) -> _NsAndTicks: ...


@dataclass(frozen=True, slots=True)
class Timing:
    """How long one suite takes for messages of one size."""

    name: str
    size: int
    """Bytes of a message."""
    ns_per_byte: float
    cycles_per_byte: float | None
    """Cycles of the time stamp counter; None where there is none."""
    timed: str
    """What the time includes."""


class Comparison:
    """Measures suites in turns, and keeps the shortest times.

    Parameters
    ----------
    suites
        Suites to measure. OpenSSL is measured too when the package cryptography
        is installed.
    """

    def __init__(self, suites: Sequence[Suite]) -> None:
        self._timers: dict[str, _Timer] = {
            suite.slug: partial(_time_seal, suite) for suite in suites
        }
        self._python_timed = set()
        for name, encrypt in _openssl_calls().items():
            self._timers[name] = partial(_time_calls, encrypt)
            self._python_timed.add(name)
        self._repetitions: dict[tuple[str, int], int] = {}
        self._best: dict[tuple[str, int], float] = {}
        self._ticks_per_ns: float | None = None

    def run_round(self) -> None:
        """Measure every suite once, at every size."""
        for size in SIZES:
            for name, timer in self._timers.items():
                self._measure(name, size, timer)

    def report(self) -> Report:
        """Return the shortest times of all rounds."""
        rate = self._ticks_per_ns
        timings = {
            (name, size): Timing(
                name=name,
                size=size,
                ns_per_byte=best / size,
                cycles_per_byte=None if rate is None else rate * best / size,
                timed=TIMED_IN_PYTHON if name in self._python_timed else TIMED_IN_C,
            )
            for (name, size), best in self._best.items()
        }
        return Report(timings)

    def _measure(self, name: str, size: int, timer: _Timer) -> None:
        key = (name, size)
        if key not in self._repetitions:
            self._repetitions[key] = _repetitions_for(timer, size)
        repetitions = self._repetitions[key]
        elapsed_ns, ticks = timer(size, repetitions)
        if ticks:
            self._ticks_per_ns = ticks / elapsed_ns
        per_message = elapsed_ns / repetitions
        self._best[key] = min(self._best.get(key, per_message), per_message)


@dataclass(frozen=True, slots=True)
class Report:
    """The timings of all suites."""

    _timings: dict[tuple[str, int], Timing]

    @property
    def names(self) -> list[str]:
        """All suites, in the order in which they were given."""
        return list(dict.fromkeys(name for name, _ in self._timings))

    @property
    def caption(self) -> str:
        """What the times include, and which cycles are counted."""
        lines = [f"suites: {TIMED_IN_C}", f"OpenSSL: {TIMED_IN_PYTHON}"]
        if OPENSSL_GCM not in self.names:
            lines[1] = (
                "OpenSSL: not measured; it needs cryptography: "
                "run pip install 'samara[speed]'"
            )
        lines.append("cycles: of the time-stamp counter, which has a constant rate")
        lines.append(
            "time / GCM, CCM: ratio to the time of OpenSSL's AES-128 at 16 KiB"
        )
        return "\n".join(lines)

    def timing(self, name: str, size: int) -> Timing:
        """Return how long `name` takes for messages of `size` bytes."""
        return self._timings[name, size]

    def ratio(self, name: str, size: int, reference: str) -> float | None:
        """Return the time of `name` divided by that of `reference`, if measured."""
        if (reference, size) not in self._timings:
            return None
        return (
            self._timings[name, size].ns_per_byte
            / self._timings[reference, size].ns_per_byte
        )

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the fields of each timing."""
        for (name, size), timing in self._timings.items():
            seconds, cycles = timing.ns_per_byte / 1e9, timing.cycles_per_byte
            yield {
                "name": name,
                "message_bytes": size,
                "rounds": ROUNDS,
                "time_per_byte": _figure(seconds, "s", timing.timed),
                "cycles_per_byte": _figure(cycles, "cycle", timing.timed),
                "ratio_openssl_gcm": self.ratio(name, size, OPENSSL_GCM),
                "ratio_openssl_ccm": self.ratio(name, size, OPENSSL_CCM),
            }


def _figure(value: float | None, unit: str, timed: str) -> Figure | None:
    return None if value is None else Figure(value, unit, Origin.HOST_CLOCK, timed)


def _repetitions_for(timer: _Timer, size: int) -> int:
    repetitions = 1
    while True:
        elapsed_ns, _ = timer(size, repetitions)
        if elapsed_ns > _SLICE_NS // 10:
            return max(repetitions * _SLICE_NS // elapsed_ns, 1)
        repetitions *= 4


def _time_seal(suite: Suite, size: int, repetitions: int) -> _NsAndTicks:
    timing = suite.time_seal(size, repetitions)
    return timing.nanoseconds, timing.ticks


def _time_calls(
    call: Callable[[bytes], object], size: int, repetitions: int
) -> _NsAndTicks:
    message = bytes(size)
    start = time.perf_counter_ns()
    for _ in range(repetitions):
        call(message)
    return time.perf_counter_ns() - start, 0


def _openssl_calls() -> dict[str, Callable[[bytes], object]]:
    try:
        from cryptography.hazmat.primitives.ciphers import aead  # noqa: PLC0415
    except ImportError:
        return {}
    # The nonce repeats, which does no harm here: the key and the messages are zeros.
    gcm = aead.AESGCM(bytes(16))
    ccm = aead.AESCCM(bytes(16), tag_length=16)
    return {
        OPENSSL_GCM: lambda message: gcm.encrypt(bytes(12), message, None),
        OPENSSL_CCM: lambda message: ccm.encrypt(bytes(13), message, None),
    }
