# SPDX-License-Identifier: Apache-2.0
"""A real board as the processor that the bench measures in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from samara.bench.serial_boards.line import PAYLOAD_MAX, BoardError, number, numbers
from samara.bench.simulators import Run
from samara.bench.simulators.base import repeated

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from samara.bench.serial_boards.line import Line

_ADDRESS_SIZE = 4
_CHUNK = PAYLOAD_MAX - _ADDRESS_SIZE
_TIMER_SIZE = 2
_BITS_MIN, _BITS_MAX = 8, 32
_ALLOWED_COARSE = 4
"""Counts by which the pass of groups of cycles may differ from that of cycles."""


@dataclass(frozen=True, slots=True)
class Timer:
    """The timer of a chip."""

    bits: int
    coarse_shift: int
    """Log2 of the cycles that pass 1 counts as one; 0 if there is no such pass."""

    def check(self, simulated: int) -> None:
        """Refuse a job that may be too long; boards take up to twice as many cycles.

        Raises
        ------
        BoardError
            If the timer cannot count twice the simulator's cycles.
        """
        most = (1 << self.bits) - 1
        if not self.coarse_shift and 2 * simulated > most:
            message = (
                f"the board's timer counts {most:,} cycles, and this takes"
                f" {simulated:,} in the simulator: choose shorter messages"
            )
            raise BoardError(message)

    def cycles(self, fine: int, coarse: int | None) -> int:
        """Return the cycles of a job from both passes.

        Raises
        ------
        BoardError
            If they contradict each other.
        """
        if coarse is None:
            return fine % (1 << self.bits)
        about, period = coarse << self.coarse_shift, 1 << self.bits
        nearest = fine + round((about - fine) / period) * period
        if nearest < 0 or abs(nearest - about) > _ALLOWED_COARSE << self.coarse_shift:
            message = (
                "the board counted differently twice: does its program take the same"
                " time for the same input?"
            )
            raise BoardError(message)
        return nearest


def greeting(sent: bytes) -> tuple[Timer, str]:
    """Return the timer and the name of the program that a board told of.

    Raises
    ------
    BoardError
        If it is no such answer.
    """
    bits, shift = sent[:2] if len(sent) > _TIMER_SIZE else (0, 0)
    if not _BITS_MIN <= bits <= _BITS_MAX or shift > bits:
        message = "the board answered, but not as the measuring program does"
        raise BoardError(message)
    return Timer(bits, shift), sent[_TIMER_SIZE:].decode("ascii", "replace")


class Board:
    """A board at a line; see `samara.bench.simulators.Processor`.

    Parameters
    ----------
    symbols
        Addresses in the program that it has.
    patience_s
        How long a job may take.
    uses_up
        Whether a message uses up what the set-up before it made, as of a key stream.
    """

    def __init__(
        self,
        line: Line,
        timer: Timer,
        symbols: Mapping[str, int],
        patience_s: float,
        *,
        uses_up: bool = False,
    ) -> None:
        self._line, self._timer, self._patience_s = line, timer, patience_s
        labels = ((name, at) for name, at in symbols.items() if _is_label(name))
        self._labels = {at: name.removeprefix("measure_") for name, at in labels}
        self._uses_up = uses_up
        self._written: list[tuple[int, bytes]] = []
        self._set_up: list[tuple[int, bytes]] = []

    def write(self, address: int, data: bytes) -> None:
        """Write into memory."""
        self._written.append((address, data))
        self._write(address, data)

    def _write(self, address: int, data: bytes) -> None:
        for at in range(0, len(data), _CHUNK):
            self._line.ask("w", number(address + at) + data[at : at + _CHUNK])

    def fill(self, address: int, size: int, pattern: bytes) -> None:
        """Write a pattern again and again."""
        self.write(address, repeated(pattern, size))

    def read(self, address: int, size: int) -> bytes:
        """Read from memory."""
        read = b""
        while len(read) < size:
            part = min(PAYLOAD_MAX, size - len(read))
            came = self._line.ask("r", number(address + len(read)) + bytes((part,)))
            if len(came) != part:
                message = f"the board answered with {len(came)} bytes, not {part}"
                raise BoardError(message)
            read += came
        return read

    def go(self, until: int, *, limit: int, floor: int, watch_stack: int = 0) -> Run:
        """Do the job where an operation ends; all else the program does by itself.

        The stack is not seen.
        """
        del limit, floor, watch_stack
        label = self._labels[until]
        if not label.startswith("stop_"):
            return Run(0, None, None)
        if label == "stop_set_up":
            self._set_up = self._written
        fine = self._counted(0)
        coarse = self._counted_again(label) if self._timer.coarse_shift else None
        self._written = []
        return Run(self._timer.cycles(fine, coarse), None, None)

    def _counted_again(self, label: str) -> int:
        """Let the job run in groups of cycles; the first pass changed its input."""
        if self._uses_up and label != "stop_set_up":
            self._write_all(self._set_up)
            self._counted(0)
        self._write_all(self._written)
        return self._counted(1)

    def _write_all(self, written: Iterable[tuple[int, bytes]]) -> None:
        for address, data in written:
            self._write(address, data)

    def _counted(self, timed_pass: int) -> int:
        """Let the job run, and return its counts without those of the marks."""
        answer = self._line.ask("g", bytes((timed_pass,)), self._patience_s)
        counts, of_marks = numbers(answer, 2)
        return counts - of_marks

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._line.close()


def _is_label(name: str) -> bool:
    return name.startswith(("measure_start_", "measure_stop_", "measure_ready"))
