# SPDX-License-Identifier: Apache-2.0
"""How flash memory makes a processor wait: the rows of devices/flash_waits.toml."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from samara.bench import places
from samara.bench.boards import board_of
from samara.bench.cores import plain_name
from samara.errors import ArgumentError
from samara.toml_rows import row_of, tables_of

LINES_MAX = 1024
"""Most lines of a memory that the simulators can keep."""


@dataclass(frozen=True, slots=True)
class Flash:
    """The flash memory of some chips."""

    chips: tuple[str, ...]
    title: str
    states: tuple[tuple[float, float], ...]
    """Highest clock in MHz, and the wait states up to it."""
    line_bytes: int
    lines: int
    data_lines: int
    prefetches: bool
    source: str
    checked: bool
    sets: int = 1
    """In how many sets the lines of instructions are, by their place in the memory."""
    shares: bool = False
    """Whether data are kept in the lines of instructions, too."""

    def __post_init__(self) -> None:
        """Check the numbers of lines.

        Raises
        ------
        ArgumentError
            If a simulator could not keep them.
        """
        if self.sets < 1 or self.lines % self.sets:
            message = (
                f"lines must be so many of each set, not {self.lines} in {self.sets}"
            )
            raise ArgumentError(message)
        if not 0 <= max(self.lines, self.data_lines) <= LINES_MAX:
            message = (
                f"lines and data_lines must be at most {LINES_MAX} of {self.title}"
            )
            raise ArgumentError(message)
        if self.shares and self.data_lines:
            message = f"data_lines must be 0 where lines are shared ({self.title})"
            raise ArgumentError(message)

    def states_at(self, clock_mhz: float) -> int:
        """Return the wait states at a clock.

        Raises
        ------
        ArgumentError
            If the clock is too high.
        """
        for most, states in self.states:
            if clock_mhz <= most:
                return int(states)
        message = (
            f"--clock must be at most {self.states[-1][0]:g} MHz for {self.title}, not"
            f" {clock_mhz:g}"
        )
        raise ArgumentError(message)


@dataclass(frozen=True, slots=True)
class FlashWaits:
    """Flash memory at a clock."""

    flash: Flash
    states: int


@cache
def rows() -> tuple[Flash, ...]:
    """Return all rows."""
    place = "devices/flash_waits.toml"
    found = tables_of(places.root() / place, place)["flash"]
    return tuple(
        row_of(Flash, f"flash {number} of {place}", row)
        for number, row in enumerate(found, 1)
    )


def chips() -> list[str]:
    """Return the beginnings of the names of chips that have a row."""
    return [chip for row in rows() for chip in row.chips]


def flash_of(name: str) -> Flash:
    """Return the flash memory of a chip, or of the chip of a board.

    Raises
    ------
    ArgumentError
        If there is no row.
    """
    board = board_of(name)
    chip = plain_name(board.chip if board else name).removeprefix("at")
    for row in rows():
        if chip.startswith(row.chips):
            return row
    message = (
        f"samara has no wait states of {name}: --device must be a chip whose name"
        f" begins with {', '.join(chips())}, or a board with one"
    )
    raise ArgumentError(message)
