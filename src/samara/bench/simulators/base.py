# SPDX-License-Identifier: Apache-2.0
"""What every simulator offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType


class CrashError(Exception):
    """The program on the device did what it must not; the text tells what."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a run from one address to another took."""

    cycles: int
    instructions: int | None
    """None where the simulator does not count them."""
    stack_bytes: int | None
    """The most that the stack grew from where it was at the beginning; None
    when it was not watched."""

    @classmethod
    def together(cls, runs: Sequence[Run]) -> Run:
        """Return what runs took that followed one another."""
        counts = [run.instructions for run in runs if run.instructions is not None]
        stacks = [run.stack_bytes for run in runs if run.stack_bytes is not None]
        return cls(
            cycles=sum(run.cycles for run in runs),
            instructions=sum(counts) if len(counts) == len(runs) else None,
            stack_bytes=max(stacks) if stacks else None,
        )


class Simulator(Protocol):
    """A processor with a program in it. Addresses are those of its data memory."""

    def write(self, address: int, data: bytes) -> None:
        """Write into memory."""
        ...

    def read(self, address: int, size: int) -> bytes:
        """Read from memory."""
        ...

    def go(self, until: int, *, limit: int, floor: int, watch_stack: bool) -> Run:
        """Run until the program counter is at `until`.

        Parameters
        ----------
        limit
            The most cycles that this may take.
        floor
            The lowest address that is the stack's.
        watch_stack
            Whether the stack is to be measured, where that takes time.

        Raises
        ------
        CrashError
            When the program does what it must not, or exceeds the limit.
        """
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


def paint(simulator: Simulator, begin: int, floor: int) -> tuple[int, bytes]:
    """Put a pattern below the stack, to see later how far it came.

    Parameters
    ----------
    begin
        The stack pointer.
    floor
        The lowest address that is the stack's.

    Returns
    -------
    tuple of int and bytes
        For `intact_below`.
    """
    start = max(floor, begin - WATCHED_BYTES)
    pattern = _PATTERN[: begin - start]
    if pattern:
        simulator.write(start, pattern)
    return start, pattern


def gone(simulator: Simulator, start: int, pattern: bytes) -> int:
    """Return how many bytes at the end of the pattern are not as they were.

    Raises
    ------
    CrashError
        When none is.
    """
    size = len(pattern)
    left = simulator.read(start, size) if size else b""
    changed = int.from_bytes(left, "little") ^ int.from_bytes(pattern, "little")
    # The lowest bit that is not as it was.
    intact = ((changed & -changed).bit_length() - 1) // 8 if changed else size
    if intact == 0 and size:
        message = f"the stack takes {size} bytes or more, or reached the data"
        raise CrashError(message)
    return size - intact


WATCHED_BYTES = 2048
"""How far below the stack pointer the pattern goes."""

# Not constant: no variable of a program looks like it for long.
_PATTERN = bytes((0xA5 + 29 * i + (i >> 8)) % 256 for i in range(WATCHED_BYTES))
