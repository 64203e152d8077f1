# SPDX-License-Identifier: Apache-2.0
"""Jobs for the measuring program; firmware/measure/measure.h is its side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.bench.results import OF_MESSAGES, Operation
from samara.bench.simulators import CrashError, Run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from samara.bench.devices import Device
    from samara.bench.images import Image
    from samara.bench.simulators import Processor
    from samara.bench.subjects import Subject

OPERATIONS = OF_MESSAGES
"""What the measuring program can do. A block cipher encrypts by SEAL."""

# The fields of measure_job, in order; each is one word.
_FIELDS = (
    *("operation", "key", "nonce", "nonce_size"),
    *("associated_data", "associated_data_size", "input", "input_size"),
    *("output", "tag", "tag_size", "scratch", "output_size", "result"),
)
_BUFFERS = ("key", "nonce", "associated_data", "input", "output", "tag", "scratch")
_ALIGNMENT = 8
_SHIFTED = 1
"""Bytes behind an aligned address at which buffers begin that are not aligned."""

# Limit of the cycles of one call: more than the slowest cipher takes for the longest
# message on the smallest device.
_LIMIT = 300_000_000
# The same between calls, where memory is set up, 32 records of a store among it, and
# arguments are loaded.
_WAITING_LIMIT = 20_000_000


@dataclass(frozen=True, slots=True)
class Work:
    """A message to seal or to open, and the right answer."""

    key: bytes
    nonce: bytes
    associated_data: bytes
    message: bytes
    sealed: bytes
    """Ciphertext and tag."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The runs of an operation, and what it wrote."""

    runs: Mapping[Operation, Run]
    """Its run, and those of its parts if it has any."""
    result: int
    output: bytes
    tag: bytes


class Layout:
    """Addresses of the buffers of a job: after the program's variables.

    Parameters
    ----------
    sizes
        Bytes of the message and of its associated data.
    aligned
        Whether each buffer begins at a multiple of eight. Otherwise all but the scratch
        memory begin at odd addresses, as the fields of a frame may.
    """

    def __init__(
        self,
        device: Device,
        image: Image,
        subject: Subject,
        sizes: tuple[int, int],
        *,
        aligned: bool = True,
    ) -> None:
        message_size, ad_size = sizes
        self._shift = 0 if aligned else _SHIFTED
        self._next = image.symbols["_end"] - device.family.data_offset
        padded = message_size + subject.padding_size
        self.key = self._place(subject.key_size)
        self.nonce = self._place(subject.nonce_size)
        self.associated_data = self._place(ad_size)
        self.tag = self._place(subject.tag_size)
        room = padded + (subject.tag_size if subject.tag_in_output else 0)
        self.input = self._place(room)
        # Samara's ciphers work in place; others may not.
        self.output = self._place(room) if subject.tag_in_output else self.input
        self._shift = 0
        self.scratch = self._place(subject.scratch_size(message_size, ad_size))
        self.end = self._next

    def _place(self, size: int) -> int:
        address = -(-self._next // _ALIGNMENT) * _ALIGNMENT + self._shift
        self._next = address + size
        return address


class Machine:
    """A device with a measuring program that waits for jobs."""

    def __init__(
        self, simulator: Processor, device: Device, image: Image, subject: Subject
    ) -> None:
        self._simulator = simulator
        self._device = device
        self._image = image
        self._subject = subject
        self._go("ready", floor=0)

    def layout(
        self, message_size: int, ad_size: int, *, aligned: bool = True
    ) -> Layout:
        """Return the addresses of the buffers of a job of these sizes."""
        sizes = (message_size, ad_size)
        own = self._device, self._image, self._subject
        return Layout(*own, sizes, aligned=aligned)

    def do(
        self,
        operation: Operation,
        work: Work,
        *,
        watch_stack: int = 0,
        aligned: bool = True,
    ) -> Answer:
        """Do one operation.

        Raises
        ------
        CrashError
            If the program does something that is forbidden: see `Processor.go`.
        """
        sizes = len(work.message), len(work.associated_data)
        layout = self.layout(*sizes, aligned=aligned)
        size = self._write_buffers(operation, work, layout)
        self._write_job(operation, work, layout, size)
        self._go(f"start_{operation}", floor=layout.end)
        # A part ends where the next one begins, the last one with the operation.
        names = self._subject.parts.get(operation, (operation,))
        ends = [*names[1:], f"stop_{operation}"]
        runs = [self._go(end, floor=layout.end, watch=watch_stack) for end in ends]
        self._go("ready", floor=layout.end)
        verb = self._subject.verbs[OPERATIONS.index(operation)]
        named = {verb: Run.together(runs)}
        if len(runs) > 1:
            named |= zip(names, runs, strict=True)
        return self._answer(named, operation, work, layout)

    def _go(self, mark: str, *, floor: int, watch: int = 0) -> Run:
        until = self._image.symbols[f"measure_{mark}"]
        waiting = mark == "ready" or mark.startswith("start_")
        limit = _WAITING_LIMIT if waiting else _LIMIT
        return self._simulator.go(until, limit=limit, floor=floor, watch_stack=watch)

    def _write_buffers(self, operation: Operation, work: Work, layout: Layout) -> int:
        """Write the inputs of an operation, and return the size of its main input."""
        data, tag = work.message, b""
        if operation is Operation.OPEN:
            data, tag = work.sealed, b""
            if not self._subject.tag_in_output:
                split = len(work.sealed) - self._subject.tag_size
                data, tag = work.sealed[:split], work.sealed[split:]
        parts = (
            (layout.key, work.key),
            (layout.nonce, work.nonce),
            (layout.associated_data, work.associated_data),
            (layout.input, data),
            (layout.tag, tag),
        )
        for address, part in parts:
            if part:
                self._simulator.write(address, part)
        return len(data)

    def _write_job(
        self, operation: Operation, work: Work, layout: Layout, input_size: int
    ) -> None:
        values = {
            "operation": 1 + OPERATIONS.index(operation),
            "nonce_size": len(work.nonce),
            "associated_data_size": len(work.associated_data),
            "input_size": input_size,
            "tag_size": self._subject.tag_size,
            "output_size": 0,
            # Remains if the program does not answer.
            "result": 1,
        }
        for name in _BUFFERS:
            values[name] = getattr(layout, name)
        size = self._device.family.word_bytes
        words = (values[name].to_bytes(size, "little") for name in _FIELDS)
        self._simulator.write(self._job_address, b"".join(words))

    @property
    def _job_address(self) -> int:
        offset = self._device.family.data_offset
        return self._image.symbols["measure_job_now"] - offset

    def _answer(
        self,
        runs: Mapping[Operation, Run],
        operation: Operation,
        work: Work,
        layout: Layout,
    ) -> Answer:
        if operation is Operation.SET_UP:
            return Answer(runs, 0, b"", b"")
        size = self._device.family.word_bytes
        place = self._job_address + size * _FIELDS.index("result")
        result = int.from_bytes(self._simulator.read(place, size), "little")
        sealed_size = len(work.sealed) - self._subject.tag_size
        output_size = len(work.message)
        tag = b""
        if operation is Operation.SEAL:
            output_size = sealed_size
            if self._subject.tag_in_output:
                output_size += self._subject.tag_size
            elif self._subject.tag_size:
                tag = self._simulator.read(layout.tag, self._subject.tag_size)
        output = (
            self._simulator.read(layout.output, output_size) if output_size else b""
        )
        return Answer(runs, result, output, tag)


__all__ = ["OPERATIONS", "Answer", "CrashError", "Layout", "Machine", "Work"]
