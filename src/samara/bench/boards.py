# SPDX-License-Identifier: Apache-2.0
"""Boards by the names that people give them: devices/boards.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from functools import cache

from samara.bench import places
from samara.bench.cores import plain_name


@dataclass(frozen=True, slots=True)
class Board:
    """A board and its chip, or a chip that a device stands in for."""

    names: tuple[str, ...]
    """As `samara.bench.cores.plain_name` writes them; one may end with `*`."""
    title: str
    """With an article: "an Arduino Uno"."""
    chip: str
    """Name of a device or of a chip."""
    differs: str = ""
    """What differs from a device that only stands in; "" if that has the chip."""


@cache
def boards() -> tuple[Board, ...]:
    """Return the rows of devices/boards.toml."""
    path = places.root() / "devices" / "boards.toml"
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["board"]
    return tuple(Board(**{**row, "names": tuple(row["names"])}) for row in rows)


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
