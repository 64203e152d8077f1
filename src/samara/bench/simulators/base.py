# SPDX-License-Identifier: Apache-2.0
"""The interface of all simulators."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Sequence


class CrashError(Exception):
    """The program on the device did something forbidden; the text says what."""


class StackOverflowError(CrashError):
    """The stack reached the data: the device has too little memory."""


@dataclass(frozen=True, slots=True)
class Run:
    """The cycles, instructions and stack of a run between two addresses."""

    cycles: int
    instructions: int | None
    """None if the simulator does not count them."""
    stack_bytes: int | None
    """Bytes by which the stack grew at most since the beginning of the run; None if it
    was not watched."""

    @classmethod
    def together(cls, runs: Sequence[Run]) -> Run:
        """Return the sum of consecutive runs."""
        counts = [run.instructions for run in runs if run.instructions is not None]
        stacks = [run.stack_bytes for run in runs if run.stack_bytes is not None]
        return cls(
            cycles=sum(run.cycles for run in runs),
            instructions=sum(counts) if len(counts) == len(runs) else None,
            stack_bytes=max(stacks) if stacks else None,
        )


ALL_MEMORY = 1 << 32
"""More bytes than any of these devices has."""


class Processor(Protocol):
    """A processor with a program in it, simulated or on a board.

    Addresses are those of its data memory.
    """

    def write(self, address: int, data: bytes) -> None:
        """Write into memory."""
        ...

    def fill(self, address: int, size: int, pattern: bytes) -> None:
        """Write a pattern again and again, until `size` bytes are written."""
        ...

    def read(self, address: int, size: int) -> bytes:
        """Read from memory."""
        ...

    def go(self, until: int, *, limit: int, floor: int, watch_stack: int = 0) -> Run:
        """Run until the program counter is at `until`.

        Parameters
        ----------
        limit
            The most cycles that this may take.
        floor
            The lowest address that is the stack's.
        watch_stack
            How many bytes of the stack are to be watched at most, where that
            takes time; `ALL_MEMORY` of them, or 0.

        Raises
        ------
        CrashError
            When the program does what it must not, or exceeds the limit.
        """
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


class Simulator(Processor, Protocol):
    """A simulated processor, which tells what a board keeps to itself."""

    def registers(self) -> Sequence[bytes]:
        """Return the general registers, in the order of their numbers.

        Each has its lowest byte first. Those that are in memory are not among them.
        """
        ...


def repeated(pattern: bytes, size: int) -> bytes:
    """Return this many bytes of a repeated pattern."""
    return (pattern * (size // len(pattern) + 1))[:size]


class StackWatch:
    """Finds how far a stack grew, from what is left of a pattern below it.

    The pattern fills the memory that the stack may take. The stack is seen where
    something is written: memory that it takes and leaves as it was, below all
    that is written, is not.
    """

    def __init__(self, simulator: Processor) -> None:
        self._simulator = simulator
        self._floor = 0
        self._filled = b""
        self._patterns = cycle(_PATTERNS)

    def begin(self, stack: int, floor: int, most: int = ALL_MEMORY) -> None:
        """Put the pattern into memory.

        No two calls in a row have the same: what a program writes may look like
        one of them by chance, and not like both.

        Parameters
        ----------
        stack
            The stack pointer.
        floor
            The lowest address that is the stack's.
        most
            How many bytes below the stack pointer are filled, if there are more.
        """
        floor = max(floor, stack - most)
        self._floor = floor
        # Before the program has set its stack there is none to be watched.
        size, pattern = max(0, stack - floor), next(self._patterns)
        self._filled = repeated(pattern, size)
        if size:
            self._simulator.fill(floor, size, pattern)

    def grown(self) -> int:
        """Return how many bytes at the end of the pattern are not as they were.

        Raises
        ------
        StackOverflowError
            When none is: the stack took all, or more.
        """
        size = len(self._filled)
        left = self._simulator.read(self._floor, size) if size else b""
        if left == self._filled:
            return 0
        changed = _number(left) ^ _number(self._filled)
        # The lowest bit that is not as it was.
        intact = ((changed & -changed).bit_length() - 1) // 8
        if intact == 0:
            raise StackOverflowError(_REACHED.format(size))
        return size - intact


_REACHED = "the stack reached the data: it takes all of {} bytes, or more"


def _number(data: bytes) -> int:
    return int.from_bytes(data, "little")


# Not constant: no variable of a program looks like it for long. 61 is odd, so that
# it does not repeat with arrays of words.
_PATTERNS = tuple(
    bytes((0xA5 + 29 * i) % 256 ^ flipped for i in range(61)) for flipped in (0, 0xFF)
)
