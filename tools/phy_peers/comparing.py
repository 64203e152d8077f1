# SPDX-License-Identifier: Apache-2.0
"""What the tool does: measures, tells, writes table and picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from phy_peers import own
from phy_peers.codec2 import FskLdpc
from phy_peers.drawing import draw
from phy_peers.liquid import FlexFrame, Packetizer
from phy_peers.measuring import (
    COMPARED_SHARE,
    SIZES,
    as_table,
    curve,
    from_table,
    needed_db,
)
from phy_peers.system import NotTriedError
from samara import atomic_files

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from phy_peers.measuring import Point
    from phy_peers.system import System

NAME = Path("docs/pictures/short-codes.csv")
SYSTEMS: tuple[System, ...] = (*own.SYSTEMS, Packetizer(), FlexFrame(), FskLdpc())


def compare(options: Namespace) -> int:
    """Measure, write and draw; return the exit status."""
    table = options.to / NAME.name
    chosen = _chosen(options.system or [""])
    if not chosen:
        names = ", ".join(each.name for each in SYSTEMS)
        print(f"phy-beside-peers: no system of that name; there are: {names}")
        return 2
    points = from_table(table.read_text("utf-8")) if table.exists() else []
    if not options.draw:
        for found in _measured(chosen, options):
            # After each curve: what is measured is kept if the rest is broken off.
            points = _with(points, found)
            atomic_files.write_new(table, as_table(points).encode(), force=True)
    if not points:
        print(f"phy-beside-peers: {table} has no points: measure first")
        return 1
    atomic_files.write_new(table.with_suffix(".png"), draw(points), force=True)
    print(f"{table.with_suffix('.png')} drawn")
    return 0


def _chosen(parts: Sequence[str]) -> list[System]:
    return [each for each in SYSTEMS if any(part in each.name for part in parts)]


def _measured(
    systems: Sequence[System], options: Namespace
) -> Iterator[Sequence[Point]]:
    """Yield curve after curve."""
    for system in systems:
        for size in options.size or SIZES:
            try:
                found = list(curve(system, size, options.frames, options.seed))
            except NotTriedError as error:
                print(f"{system.name}: NOT TRIED: {error}")
                break
            _tell(system, size, found)
            yield found


def _with(old: Sequence[Point], new: Sequence[Point]) -> list[Point]:
    """Return all points, with a new curve in place of an old one."""
    again = {(point.system, point.payload_bytes) for point in new}
    kept = [each for each in old if (each.system, each.payload_bytes) not in again]
    order = [each.name for each in SYSTEMS]
    return sorted(
        (*kept, *new),
        key=lambda point: (order.index(point.system), point.payload_bytes),
    )


def _tell(system: System, size: int, points: Sequence[Point]) -> None:
    used = points[-1].bandwidth_times_time if points else 0.0
    width = f", bandwidth x time a bit {used:.2f}" if used else ""
    needed = f"{needed_db(points):.1f} dB for {COMPARED_SHARE:.0%} lost"
    print(f"{system.name}, {size} bytes: {needed}{width}", flush=True)
