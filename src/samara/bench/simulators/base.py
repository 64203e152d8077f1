# SPDX-License-Identifier: Apache-2.0
"""What every simulator offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
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


def painted_bytes(size: int) -> bytes:
    """Return a pattern to be put below a stack, to see how far it comes."""
    # Not constant: no variable of a program looks like it for long.
    return (_PATTERN * (size // len(_PATTERN) + 1))[:size]


_PATTERN = bytes((0xA5 + 29 * i) % 256 for i in range(256))
