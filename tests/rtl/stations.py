# SPDX-License-Identifier: Apache-2.0
"""Jobs and reports of station.v, as a test writes and reads them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cocotb.triggers import ValueChange
from grain_model import der_length

if TYPE_CHECKING:
    from collections.abc import Iterator

# Sizes of station.v: a word of the stream, and the words of each place.
_CHUNK_BYTES = 128
_CHUNKS = 8
#: Longest stream: length, associated data and message.
LARGEST = _CHUNK_BYTES * _CHUNKS


@dataclass(frozen=True, slots=True)
class Abort:
    """When a message ends early: in a state, after so many clocks in it."""

    state: int
    after: int = 0
    by_reset: bool = False


@dataclass(frozen=True, slots=True)
class Stalls:
    """How often each side waits: in so many of 256 clocks, at random."""

    into: int = 0
    out: int = 0
    seed: int = 1
    #: Whether a word that is offered may be taken back.
    retracts: bool = False


@dataclass(frozen=True, slots=True)
class Job:
    """One message, or with ``keystream`` so many bytes of keystream.

    ``tag`` is the received one of a message that is opened; None seals.
    ``pause`` is the number of clocks behind the message before.
    """

    key: bytes
    nonce: bytes
    ad: bytes = b""
    data: bytes = b""
    tag: bytes | None = None
    keystream: int | None = None
    stalls: Stalls = Stalls()
    pause: int = 0
    abort: Abort | None = None
    name: str = ""
    #: What has to come out; None for what is not compared.
    output: bytes | None = None
    sealed_tag: bytes | None = None
    verified: bool | None = None

    @property
    def stream(self) -> bytes:
        """The bytes that the core authenticates."""
        return der_length(len(self.ad)) + self.ad + self.data

    def packed(self) -> int:
        """Return the job as station.v reads it."""
        total = len(self.stream) if self.keystream is None else self.keystream
        assert total <= LARGEST, f"{self.name}: {total} bytes do not fit"
        abort = self.abort or Abort(0)
        value = place = 0
        for field, size in (
            (int.from_bytes(self.key, "little"), 128),
            (int.from_bytes(self.nonce, "little"), 96),
            (int.from_bytes(self.tag or bytes(8), "little"), 64),
            (total, 16),
            (total - len(self.data), 16),
            (self.stalls.seed, 32),
            (self.stalls.into, 8),
            (self.stalls.out, 8),
            (self.stalls.retracts, 1),
            (self.tag is not None, 1),
            (self.pause, 8),
            (self.abort is not None, 1),
            (abort.by_reset, 1),
            (abort.state, 5),
            (abort.after, 16),
        ):
            assert 0 <= field < 1 << size
            value |= field << place
            place += size
        return value


@dataclass(frozen=True, slots=True)
class Report:
    """What became of a job."""

    tag: bytes
    is_done: bool
    is_aborted: bool
    verified: bool
    faults: int
    #: From `start` to `done`, both included.
    clocks: int
    #: Between `start` and the first `in_ready` or `out_valid`.
    latency: int
    #: Before `start`, since the end of the message before.
    waited: int
    output: bytes
    #: Differs when any handshake comes at another time.
    times: int

    @property
    def is_hung(self) -> bool:
        """Whether the station gave it up."""
        return bool(self.faults >> FAULTS.index("no end") & 1)


FAULTS = (
    "ready within a message",
    "out_valid without a word",
    "tag changed before it was taken",
    "tag_valid when opening",
    "verified when sealing",
    "verified without done",
    "done without a message",
    "no end",
    "unknown bits",
)


class FaultError(Exception):
    """The core did something else than it has to."""


class Station:
    """One station of bench.v: its jobs, one behind the other without a pause."""

    def __init__(self, bench: Any, bits: int, *, authenticates: bool = True) -> None:
        kind = "aead" if authenticates else "ple"
        self.dut = dut = getattr(bench, f"{kind}_{bits}")
        self.bits = bits
        self.authenticates = authenticates
        self.name = f"{kind} N={bits}"
        self._jobs = [dut.job[i] for i in range(2)]
        self._reports = [dut.report[i] for i in range(2)]
        self._stream = [dut.stream[i] for i in range(2 * _CHUNKS)]
        self._result = [dut.result[i] for i in range(2 * _CHUNKS)]
        self._written = 0
        self._read = 0

    async def run(self, jobs: Iterator[Job]) -> Any:
        """Run jobs, yielding each with its report; two are in the station at a time."""
        pending: deque[Job] = deque()
        for job in jobs:
            if len(pending) == 2:
                yield pending.popleft(), await self._report()
            self._write(job)
            pending.append(job)
        while pending:
            yield pending.popleft(), await self._report()

    def _write(self, job: Job) -> None:
        place = self._written % 2
        self._jobs[place].value = job.packed()
        stream = job.stream if job.keystream is None else b""
        for i, start in enumerate(range(0, len(stream), _CHUNK_BYTES)):
            chunk = stream[start : start + _CHUNK_BYTES]
            self._stream[_CHUNKS * place + i].value = int.from_bytes(chunk, "little")
        self._written += 1
        self.dut.queued.value = self._written % 256

    async def _report(self) -> Report:
        while int(self.dut.ended.value) == self._read % 256:
            await ValueChange(self.dut.ended)
        place = self._read % 2
        self._read += 1
        seen = self._reports[place].value
        # Icarus tells bits that nothing has set.
        unknown = 0 if seen.is_resolvable else 1 << FAULTS.index("unknown bits")
        value = int(seen.resolve("zeros"))
        bits = value >> 176 & 0xFFFF
        parts = [
            int(self._result[_CHUNKS * place + i].value.resolve("zeros"))
            << 8 * _CHUNK_BYTES * i
            for i in range((bits + 8 * _CHUNK_BYTES - 1) // (8 * _CHUNK_BYTES))
        ]
        output = sum(parts) & (1 << bits) - 1
        return Report(
            tag=(value & (1 << 64) - 1).to_bytes(8, "little"),
            is_done=bool(value >> 64 & 1),
            is_aborted=bool(value >> 65 & 1),
            verified=bool(value >> 66 & 1),
            faults=value >> 72 & 0xFF | unknown,
            clocks=value >> 80 & 0xFFFFFFFF,
            latency=value >> 112 & 0xFFFFFFFF,
            waited=value >> 144 & 0xFFFFFFFF,
            output=output.to_bytes((bits + 7) // 8, "little"),
            times=value >> 192,
        )


def check(job: Job, report: Report) -> None:
    """Compare a report with what the job has to give."""
    if report.faults:
        seen = [text for i, text in enumerate(FAULTS) if report.faults >> i & 1]
        raise FaultError(", ".join(seen))
    if job.abort is not None:
        if not report.is_aborted:
            raise FaultError("the state of the abort was not reached")
    elif job.keystream is not None:
        _compare("keystream", report.output[: job.keystream], job.output)
    else:
        _compare("done", report.is_done, expected=True)
        _compare("output", report.output, job.output)
        _compare("tag", report.tag, job.sealed_tag)
        _compare("verified", report.verified, job.verified)


def _compare(what: str, seen: Any, expected: Any) -> None:
    if expected is not None and seen != expected:
        got, wanted = (
            value.hex() if isinstance(value, bytes) else value
            for value in (seen, expected)
        )
        raise FaultError(f"{what} is {got}, not {wanted}")
