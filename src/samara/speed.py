# SPDX-License-Identifier: Apache-2.0
"""Measuring how long sealing takes on this machine.

A processor changes its clock and does other things in between. So all contenders
take turns in every round, and the best of each one's rounds is its figure.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from samara.crypto.timing import time_seal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from samara.crypto import Suite

SHORT = 64
"""Bytes of a radio frame's payload."""
LONG = 16 * 1024
"""Bytes that make what is done once per message vanish."""
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

TIMED_IN_C = "one C call a message, key set-up included"
TIMED_IN_PYTHON = "one Python call a message, key set up once"

_SLICE_NS = 5_000_000
"""What one measurement should take, in nanoseconds."""

_NsAndTicks = tuple[int, int]


class _Timer(Protocol):
    """Seals messages of a size, that many times, and tells how long it took."""

    def __call__(self, size: int, repetitions: int, /) -> _NsAndTicks: ...


@dataclass(frozen=True, slots=True)
class Figure:
    """What one contender needs for messages of one size."""

    name: str
    size: int
    """Bytes of a message."""
    ns_per_byte: float
    cycles_per_byte: float | None
    """Cycles of the time stamp counter; None where there is none."""
    timed: str
    """What was timed."""


class Contest:
    """All contenders, and the best figures so far.

    Parameters
    ----------
    suites
        What is compared with OpenSSL, which takes part when the package
        cryptography is installed.
    """

    def __init__(self, suites: Sequence[Suite]) -> None:
        self._timers: dict[str, _Timer] = {
            suite.slug: partial(time_seal, suite) for suite in suites
        }
        self._python_timed = set()
        for name, encrypt in _openssl_calls().items():
            self._timers[name] = partial(_time_calls, encrypt)
            self._python_timed.add(name)
        self._repetitions: dict[tuple[str, int], int] = {}
        self._best: dict[tuple[str, int], float] = {}
        self._ticks_per_ns: float | None = None

    def play_round(self) -> None:
        """Measure every contender once, at every size."""
        for size in SIZES:
            for name, timer in self._timers.items():
                self._measure(name, size, timer)

    def report(self) -> Report:
        """Return the best figures of the rounds that were played."""
        rate = self._ticks_per_ns
        figures = {
            (name, size): Figure(
                name=name,
                size=size,
                ns_per_byte=best / size,
                cycles_per_byte=None if rate is None else rate * best / size,
                timed=TIMED_IN_PYTHON if name in self._python_timed else TIMED_IN_C,
            )
            for (name, size), best in self._best.items()
        }
        return Report(figures)

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
    """The figures of a contest."""

    _figures: dict[tuple[str, int], Figure]

    @property
    def names(self) -> list[str]:
        """All contenders, in the order in which they were given."""
        return list(dict.fromkeys(name for name, _ in self._figures))

    @property
    def caption(self) -> str:
        """What was timed, and what the cycles are."""
        lines = [f"suites: {TIMED_IN_C}", f"OpenSSL: {TIMED_IN_PYTHON}"]
        if OPENSSL_GCM not in self.names:
            lines[1] = "OpenSSL: not measured, the package cryptography is missing"
        lines.append("cycles: of the time stamp counter, which has a constant rate")
        lines.append("time / GCM, CCM: against OpenSSL's AES-128 at 16 KiB")
        return "\n".join(lines)

    def figure(self, name: str, size: int) -> Figure:
        """Return what `name` needs for messages of `size` bytes."""
        return self._figures[name, size]

    def ratio(self, name: str, size: int, reference: str) -> float | None:
        """Return the time of `name` in times of `reference`; None without it."""
        if (reference, size) not in self._figures:
            return None
        return (
            self._figures[name, size].ns_per_byte
            / self._figures[reference, size].ns_per_byte
        )

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "rounds": ROUNDS,
            "figures": [
                asdict(figure)
                | {
                    "ratio_openssl_gcm": self.ratio(name, size, OPENSSL_GCM),
                    "ratio_openssl_ccm": self.ratio(name, size, OPENSSL_CCM),
                }
                for (name, size), figure in self._figures.items()
            ],
        }


def _repetitions_for(timer: _Timer, size: int) -> int:
    repetitions = 1
    while True:
        elapsed_ns, _ = timer(size, repetitions)
        if elapsed_ns > _SLICE_NS // 10:
            return max(repetitions * _SLICE_NS // elapsed_ns, 1)
        repetitions *= 4


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
    # The same nonce again and again: nothing here is a secret.
    gcm = aead.AESGCM(bytes(16))
    ccm = aead.AESCCM(bytes(16), tag_length=16)
    return {
        OPENSSL_GCM: lambda message: gcm.encrypt(bytes(12), message, None),
        OPENSSL_CCM: lambda message: ccm.encrypt(bytes(13), message, None),
    }
