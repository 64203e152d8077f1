# SPDX-License-Identifier: Apache-2.0
"""Measuring how long sealing takes on this machine.

A processor changes its clock frequency and runs other programs in between. So the
suites take turns in every round, and the shortest time of all rounds counts.

OpenSSL is called from Python. What such a call costs is told apart by the time of an
empty message, which it also takes, and which has OpenSSL's own set-up in it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

from samara import _core
from samara.crypto import grain128ple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from samara.crypto import Suite
    from samara.speed_crate import CrateProgram

SHORT = 64
"""Bytes of a message of the size of a radio frame's payload."""
LONG = 16 * 1024
"""Bytes of a message for which the set-up does not matter."""
SIZES = (SHORT, LONG)
FRAME = _core.IEEE802154_PSDU_SIZE_MAX
"""Bytes of each message of a batch: the longest frame of IEEE 802.15.4."""
FRAMES = 1024
"""Messages of a batch."""
ROUNDS = 35
CRATE = "crate grain-128aeadv2"
KEYSTREAM = "grain128ple"
"""The suite whose batch call gives keystreams: it seals nothing."""
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
    "speck128-128-ctr",
)

_PLAIN_BATCHES = ("-ctr", "-cbc")
"""Suites without a tag that are timed in batches, too."""

TIMED_IN_C = "one C call per message, with the key set-up"
TIMED_IN_PYTHON = "one Python call per message, with the key set up once"
TIMED_IN_BATCH = f"one C call for {FRAMES} messages, each with its own key set-up"
TIMED_IN_RUST = "one Rust call per message, with the key set-up"

_SLICE_NS = 1_000_000
"""How long one measurement should take, in nanoseconds: short enough for many to pass
without another program in between."""

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
    ns_empty: float | None = None
    """Nanoseconds of a call with an empty message; None where calls cost nothing."""

    @property
    def net_ns_per_byte(self) -> float:
        """Time without that of a call with an empty message.

        For a few bytes the difference is lost in noise: it is used for `LONG` only.
        """
        if self.ns_empty is None or self.size != LONG:
            return self.ns_per_byte
        return max(self.ns_per_byte - self.ns_empty / self.size, 0.0)


@dataclass(frozen=True, slots=True)
class BatchTiming:
    """How long one suite takes for a frame among many."""

    name: str
    ns_per_frame: float
    cycles_per_frame: float | None
    """Cycles of the time stamp counter; None where there is none."""
    timed: str
    """What the time includes."""
    ns_empty: float | None = None
    """Nanoseconds of a call with an empty message; None where calls cost nothing."""

    @property
    def frames_per_second(self) -> float:
        """Frames sealed in a second, one after the other."""
        return 1e9 / self.ns_per_frame


class Comparison:
    """Measures suites in turns, and keeps the shortest times.

    Parameters
    ----------
    suites
        Suites to measure. OpenSSL is measured too when the package cryptography
        is installed.
    crate
        The Rust crate's program, if it is to be measured.
    """

    def __init__(
        self, suites: Sequence[Suite], *, crate: CrateProgram | None = None
    ) -> None:
        self._timers: dict[str, _Timer] = {
            suite.slug: partial(_time_seal, suite) for suite in suites
        }
        self._batch_timers: dict[str, _Timer] = {
            suite.slug: partial(_time_batch, suite)
            for suite in suites
            if suite.authenticates or suite.slug.endswith(_PLAIN_BATCHES)
        }
        if KEYSTREAM in self._timers:
            self._batch_timers[KEYSTREAM] = _time_keystream_batch
        self._timed = dict.fromkeys(self._timers, TIMED_IN_C)
        self._python_timed = set()
        for name, encrypt in _openssl_calls().items():
            self._timers[name] = partial(_time_calls, encrypt)
            self._batch_timers[name] = self._timers[name]
            self._timed[name] = TIMED_IN_PYTHON
            self._python_timed.add(name)
        if crate is not None:
            self._timers[CRATE] = crate.time
            self._batch_timers[CRATE] = crate.time
            self._timed[CRATE] = TIMED_IN_RUST
        self._repetitions: dict[tuple[str, int], int] = {}
        self._best: dict[tuple[str, int], float] = {}
        self._ticks_per_ns: float | None = None

    def run_round(self) -> None:
        """Measure every suite once, at every size."""
        for size in SIZES:
            for name, timer in self._timers.items():
                self._measure(name, size, timer)
        for name in self._python_timed:
            self._measure(name, 0, self._timers[name])
        for name, timer in self._batch_timers.items():
            self._measure(name, FRAME, timer)

    def report(self) -> Report:
        """Return the shortest times of all rounds."""
        rate = self._ticks_per_ns
        timings = {
            (name, size): Timing(
                name=name,
                size=size,
                ns_per_byte=best / size,
                cycles_per_byte=None if rate is None else rate * best / size,
                timed=self._timed[name],
                ns_empty=self._best.get((name, 0)),
            )
            for (name, size), best in self._best.items()
            if size in SIZES
        }
        batches = {
            name: BatchTiming(
                name=name,
                ns_per_frame=best,
                cycles_per_frame=None if rate is None else rate * best,
                timed=(
                    TIMED_IN_BATCH
                    if self._timed[name] == TIMED_IN_C
                    else self._timed[name]
                ),
                ns_empty=self._best.get((name, 0)),
            )
            for (name, size), best in self._best.items()
            if size == FRAME
        }
        return Report(timings, batches)

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

    timings: dict[tuple[str, int], Timing]
    """By name and size of the message."""
    batches: dict[str, BatchTiming]
    """By name: frames of `FRAME` bytes, sealed by batch calls where there are some.

    Of Grain-128PLE so many bytes of keystream, each from its own key."""

    @property
    def names(self) -> list[str]:
        """All suites, in the order in which they were given."""
        return list(dict.fromkeys(name for name, _ in self.timings))

    @property
    def caption(self) -> str:
        """What the times include, and which cycles are counted."""
        lines = [f"suites: {TIMED_IN_C}", f"OpenSSL: {TIMED_IN_PYTHON}"]
        if OPENSSL_GCM not in self.names:
            lines[1] = (
                "OpenSSL: not measured; it needs cryptography: "
                "run pip install 'samara[speed]'"
            )
        lines.append(
            "cycles: of the time-stamp counter, which has a constant rate; the core's"
            " clock is another, often a higher one"
        )
        lines.append(
            "time / GCM, CCM: ratio to the time of OpenSSL's AES-128 at 16 KiB, without"
            " that of a call with an empty message"
        )
        lines.append(
            f"frames: {FRAME} bytes each; suites: {TIMED_IN_BATCH}; rate / CCM: ratio"
            " to OpenSSL's AES-128-CCM, one call a frame"
        )
        return "\n".join(lines)

    def timing(self, name: str, size: int) -> Timing:
        """Return how long `name` takes for messages of `size` bytes."""
        return self.timings[name, size]

    def ratio(self, name: str, size: int, reference: str) -> float | None:
        """Return the time of `name` divided by that of `reference`, if measured.

        Of 16 KiB, both without the time of a call with an empty message.
        """
        if (reference, size) not in self.timings:
            return None
        return (
            self.timings[name, size].net_ns_per_byte
            / self.timings[reference, size].net_ns_per_byte
        )

    def batch_ratio(self, name: str, reference: str) -> float | None:
        """Return frames per second over those of OpenSSL's cipher, if measured."""
        if reference not in self.batches:
            return None
        return self.batches[reference].ns_per_frame / self.batches[name].ns_per_frame

    def batch_ratio_net(self, name: str, reference: str) -> float | None:
        """Return the same without OpenSSL's time for a call with an empty message.

        A lower bound: an empty message has a nonce and a tag, too.
        """
        openssl = self.batches.get(reference)
        if openssl is None or openssl.ns_empty is None:
            return None
        net = max(openssl.ns_per_frame - openssl.ns_empty, 0.0)
        return net / self.batches[name].ns_per_frame


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


def _time_batch(suite: Suite, size: int, repetitions: int) -> _NsAndTicks:
    """Seal at least so many messages; the time of so many."""
    batches = -(-repetitions // FRAMES)
    return _share(suite.time_seal_batch(size, FRAMES, batches), repetitions, batches)


def _time_keystream_batch(size: int, repetitions: int) -> _NsAndTicks:
    """Compute at least so many keystreams; the time of so many."""
    batches = -(-repetitions // FRAMES)
    timing = grain128ple.time_keystream_batch(size, FRAMES, batches)
    return _share(timing, repetitions, batches)


def _share(timing: _core.Timing, repetitions: int, batches: int) -> _NsAndTicks:
    """Return the time of so many messages, of all those of whole batches."""
    share = repetitions / (batches * FRAMES)
    return round(timing.nanoseconds * share), round(timing.ticks * share)


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
