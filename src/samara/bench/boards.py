# SPDX-License-Identifier: Apache-2.0
"""Boards by the names that people give them: devices/boards.toml."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from samara.bench import places
from samara.bench.cores import plain_name
from samara.toml_rows import row_of, tables_of


@dataclass(frozen=True, slots=True)
class Board:
    """A board and its chip, or a chip that a device stands in for."""

    names: tuple[str, ...]
    """In any spelling that `samara.bench.cores.plain_name` takes; one may end with
    `*`."""
    title: str
    """With an article: "an Arduino Uno"."""
    chip: str
    """Name of a device or of a chip."""
    differs: str = ""
    """What differs from a device that only stands in; "" if that has the chip."""


@cache
def boards() -> tuple[Board, ...]:
    """Return the rows of devices/boards.toml, with plain names.

    Raises
    ------
    samara.errors.MisuseError
        When a row lacks a field, or has one that is not what it has to be.
    """
    place = "devices/boards.toml"
    rows = tables_of(places.root() / "devices" / "boards.toml", place)["board"]
    return tuple(
        _plain(row_of(Board, f"board {number} of {place}", row))
        for number, row in enumerate(rows, start=1)
    )


def _plain(board: Board) -> Board:
    return replace(board, names=tuple(map(plain_name, board.names)))


def board_of(name: str) -> Board | None:
    """Return the board of a name, with the chip that it has; None if there is none.

    Parameters
    ----------
    name
        Such as ``"uno"``, ``"Blue Pill"`` or ``"nucleo-f401re"``.
    """
    written = plain_name(name)
    for board in boards():
        for known in board.names:
            if written == known:
                return board
            if known.endswith("*") and written.startswith(known[:-1]):
                return _with_rest(board, written.removeprefix(known[:-1]))
    return None


def _with_rest(board: Board, rest: str) -> Board | None:
    """Return a board of many; None if its chip needs a rest, and there is none."""
    if "*" not in board.chip:
        return board
    return replace(board, chip=board.chip.replace("*", rest)) if rest else None


def names() -> list[str]:
    """Return all names, but of those with `*` only what is a name by itself."""
    written = (name.removesuffix("*") for board in boards() for name in board.names)
    return [name for name in written if board_of(name)]
