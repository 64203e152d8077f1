# SPDX-License-Identifier: Apache-2.0
"""Measuring one cipher, compiled in one way, on one device, at several sizes.

Every answer of the device is compared with that of the library on this machine. If
they differ there are no figures, only an error.
"""

from __future__ import annotations

import random
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from samara.bench import building, simulators, toolchain
from samara.bench.jobs import OPERATIONS, Machine, Work
from samara.bench.recording import figures, without_figures
from samara.bench.results import Operation, Result
from samara.bench.simulators import CrashError, StackOverflowError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from samara.bench.building import Program
    from samara.bench.jobs import Answer
    from samara.bench.simulators import Processor, Run
    from samara.bench.subjects import Subject
    from samara.bench.ways import Build

SAMPLES = 64
"""Random keys, nonces and messages whose times are compared."""

SAMPLED_SIZES = (32, 14)
"""Bytes of message and associated data of these samples."""

_WATCHED = 2
"""Samples whose stack is watched."""

_WINDOW = 1024
"""Bytes of stack that are watched for any message, at least."""

_LONG = 1024
"""Bytes of message and associated data from which the whole stack is watched."""

_OWN_STACK_BYTES = 64
"""Bytes that the measuring program itself puts on the stack, rounded up."""


class WrongAnswerError(Exception):
    """A device gave another answer than the library on this machine."""


@dataclass(frozen=True, slots=True)
class Task:
    """What one process measures with one simulator."""

    build: Build
    subject: Subject
    sizes: tuple[tuple[int, int], ...]
    """Bytes of message and associated data."""
    samples: int = SAMPLES


@dataclass(slots=True)
class _Timing:
    """Cycles of the same operations on different data."""

    counts: defaultdict[Operation, list[int]] = field(
        default_factory=lambda: defaultdict(list)
    )
    stack_bytes: int = 0

    @property
    def spread(self) -> dict[Operation, int]:
        """Difference of the most and the fewest cycles, where there is one."""
        spreads = {n: max(c) - min(c) for n, c in self.counts.items()}
        return {name: spread for name, spread in spreads.items() if spread}

    def add(self, runs: Mapping[Operation, Run]) -> None:
        """Add one operation."""
        for name, run in runs.items():
            self.counts[name].append(run.cycles)
            self.stack_bytes = max(self.stack_bytes, run.stack_bytes or 0)


def measure(task: Task) -> list[Result]:
    """Measure, and return one result for each size.

    Raises
    ------
    WrongAnswerError, samara.bench.simulators.CrashError
        If the program on the device is wrong.
    samara.bench.toolchain.BuildError
        If it cannot be built.
    """
    try:
        program = building.build(task.build, task.subject)
    except toolchain.TooLargeError as error:
        return _rows_without_figures(task, str(error))
    device, image = task.build.device, program.image.path
    return measure_in(task, program, lambda: simulators.start(device, image))


def measure_in(
    task: Task, program: Program, start: Callable[[], Processor]
) -> list[Result]:
    """Measure a program that was built, in a processor that `start` starts with it.

    Raises
    ------
    WrongAnswerError, samara.bench.simulators.CrashError
        As `measure`.
    """
    return _Bench(task, program, start).rows()


def sizes_for(
    subject: Subject, sizes: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return the sizes that a subject can have: a block, or no associated data.

    A subject with sizes of its own has these, whatever is asked for.
    """
    if subject.block_size:
        return [(subject.block_size, 0)]
    if subject.messages:
        return [(message, 0) for message in subject.messages]
    if subject.frame is not None:
        return [one for one in dict.fromkeys(sizes) if subject.frame.takes(*one)]
    if not subject.takes_associated_data:
        return list(dict.fromkeys((message, 0) for message, _ in sizes))
    return list(dict.fromkeys(sizes))


def _rows_without_figures(
    task: Task, reason: str, program: Program | None = None
) -> list[Result]:
    return [
        replace(
            without_figures(task.build, task.subject, sizes, program), problem=reason
        )
        for sizes in sizes_for(task.subject, task.sizes)
    ]


class _Bench:
    """One subject's program in its simulator."""

    def __init__(
        self, task: Task, program: Program, start: Callable[[], Processor]
    ) -> None:
        self._task = task
        self._start = start
        self._subject = subject = task.subject
        self._program = program
        self._device = task.build.device
        # The same data in every run, so that results are repeatable.
        self._random = random.Random(subject.slug)  # noqa: S311 - not for secrets

    def rows(self) -> list[Result]:
        """Measure everything."""
        sampled = sizes_for(self._subject, [SAMPLED_SIZES])[-1]
        reason = ""
        try:
            with self._started() as machine:
                reason = self._lack_of_memory(machine, sampled, 0)
                if not reason:
                    timing = self._sample(machine, sampled)
                    self._try_odd_addresses(machine, sampled)
                    self._try_known_answers(machine)
                    return list(self._grid(machine, timing))
        except StackOverflowError as error:
            reason = f"needs more memory for its stack than there is: {error}"
        return _rows_without_figures(self._task, reason, self._program)

    @contextmanager
    def _started(self) -> Iterator[Machine]:
        image = self._program.image
        with self._start() as simulator:
            yield Machine(simulator, self._device, image, self._subject)

    def _lack_of_memory(
        self, machine: Machine, sizes: tuple[int, int], stack_bytes: int
    ) -> str:
        """Return why a message does not fit into memory; empty if it does."""
        device = self._device
        needed = machine.layout(*sizes).end - device.ram_start
        needed += stack_bytes + _OWN_STACK_BYTES
        if needed <= device.ram_bytes:
            return ""
        return (
            f"needs {needed:,} bytes of RAM for variables, buffers and stack,"
            f" {device.name} has {device.ram_bytes:,}"
        )

    def _sample(self, machine: Machine, sizes: tuple[int, int]) -> _Timing:
        timing = _Timing()
        for number in range(max(self._task.samples, 1)):
            work = self._work(machine, sizes)
            for operation in OPERATIONS:
                # The set-up of a stream cipher takes the nonce.
                if operation is Operation.OPEN and self._subject.set_up_takes_nonce:
                    self._do(machine, Operation.SET_UP, work)
                # The first call may do more than the others, such as make tables.
                watched = simulators.ALL_MEMORY if number < _WATCHED else 0
                answer = self._do(machine, operation, work, watch_stack=watched)
                timing.add(answer.runs)
        return timing

    def _grid(self, machine: Machine, timing: _Timing) -> Iterator[Result]:
        for sizes in sizes_for(self._subject, self._task.sizes):
            reason = self._lack_of_memory(machine, sizes, timing.stack_bytes)
            if reason:
                row = without_figures(
                    self._task.build, self._subject, sizes, self._program
                )
                yield replace(row, problem=reason)
            else:
                yield self._row(machine, sizes, timing)

    def _row(self, machine: Machine, sizes: tuple[int, int], timing: _Timing) -> Result:
        # To watch the whole memory takes long: it is done for long messages only, and
        # where it turns out to be necessary.
        most = max(_WINDOW, 4 * timing.stack_bytes)
        if sum(sizes) >= _LONG:
            most = simulators.ALL_MEMORY
        try:
            runs = self._runs(machine, sizes, most)
        except StackOverflowError:
            runs = self._runs(machine, sizes, simulators.ALL_MEMORY)
        build = self._task.build
        return replace(
            without_figures(build, self._subject, sizes, self._program),
            samples=len(timing.counts[Operation.SET_UP]),
            **figures(build.device, runs, timing.spread, timing.stack_bytes)._asdict(),
        )

    def _runs(
        self, machine: Machine, sizes: tuple[int, int], watch_stack: int
    ) -> dict[Operation, Run]:
        """Return the runs of the operations, then those of their parts."""
        work = self._work(machine, sizes)
        runs: dict[Operation, Run] = {}
        for operation in OPERATIONS:
            if operation is Operation.OPEN and self._subject.set_up_takes_nonce:
                self._do(machine, Operation.SET_UP, work)
            # Set-up is the same for all sizes; the samples have watched it.
            watched = 0 if operation is Operation.SET_UP else watch_stack
            runs |= self._do(machine, operation, work, watch_stack=watched).runs
        return {verb: runs[verb] for verb in self._subject.verbs} | runs

    def _do(
        self,
        machine: Machine,
        operation: Operation,
        work: Work,
        *,
        watch_stack: int = 0,
        aligned: bool = True,
    ) -> Answer:
        answer = machine.do(operation, work, watch_stack=watch_stack, aligned=aligned)
        if operation is Operation.SET_UP:
            return answer
        wanted = work.sealed if operation is Operation.SEAL else work.message
        if answer.result != 0 or answer.output + answer.tag != wanted:
            message = (
                f"{self._subject.slug} ({self._task.build.implementation},"
                f" -{self._task.build.opt}) on {self._device.name} gives a wrong"
                f" answer to {operation} for {len(work.message)} bytes with"
                f" {len(work.associated_data)} of associated data"
                + ("" if aligned else ", at odd addresses")
            )
            raise WrongAnswerError(message)
        return answer

    def _try_odd_addresses(self, machine: Machine, sizes: tuple[int, int]) -> None:
        """Check an answer with keys, nonces and data at odd addresses.

        Some processors read and write words at even addresses only. Ciphers of others
        are left out: their interface may not promise more.
        """
        if self._subject.source is not None:
            return
        work = self._work(machine, sizes)
        for operation in (Operation.SEAL, Operation.OPEN):
            # The set-up of a stream cipher takes the nonce.
            self._do(machine, Operation.SET_UP, work, aligned=False)
            self._do(machine, operation, work, aligned=False)

    def _try_known_answers(self, machine: Machine) -> None:
        """Check those that fit, and that a changed tag is refused."""
        for known in self._subject.known_answers:
            sizes = len(known.message), len(known.associated_data)
            if self._lack_of_memory(machine, sizes, 0):
                continue
            head = (known.key, known.nonce, known.associated_data)
            work = Work(*head, known.message, known.sealed)
            self._do(machine, Operation.SET_UP, work)
            for operation in (Operation.SEAL, Operation.OPEN):
                self._do(machine, operation, work)
            forged = known.sealed[:-1] + bytes([known.sealed[-1] ^ 1])
            if machine.do(Operation.OPEN, replace(work, sealed=forged)).result == 0:
                message = (
                    f"{self._subject.slug} on {self._device.name} opens the message"
                    f" of Count = {known.count} with a changed tag"
                )
                raise WrongAnswerError(message)

    def _work(self, machine: Machine, sizes: tuple[int, int]) -> Work:
        message_size, ad_size = sizes
        data = self._random.randbytes
        subject = self._subject
        key, nonce = data(subject.key_size), data(subject.nonce_size)
        message, ad = subject.message_of(data(message_size)), data(ad_size)
        if subject.frame is not None:
            nonce, ad = subject.frame.begin(nonce, ad_size)
        if subject.reference is not None:
            sealed = subject.reference.seal(key, nonce, message, ad)
            return Work(key, nonce, ad, message, sealed)
        # Without a reference: it must open what it sealed.
        room = bytes(message_size + subject.tag_size)
        work = Work(key, nonce, ad, message, room)
        answer = machine.do(Operation.SEAL, work)
        return replace(work, sealed=answer.output + answer.tag)


__all__ = [
    "SAMPLES",
    "CrashError",
    "Task",
    "WrongAnswerError",
    "measure",
    "measure_in",
    "sizes_for",
]
