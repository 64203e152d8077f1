# SPDX-License-Identifier: Apache-2.0
"""Points of curves: measured, kept in a table, read again."""

from __future__ import annotations

import csv
import io
import math
import zlib
from dataclasses import astuple, dataclass, fields
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from phy_peers.system import Kind, bandwidth_times_time

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from phy_peers.system import System

SIZES = (20, 60, 250)
"""Bytes of payloads that are compared."""
COMPARED_SHARE = 0.01
"""The share of lost frames at which systems are compared."""
_STEP_DB = 0.5
_LOWEST_DB, _HIGHEST_DB = 0.0, 16.0
_FIRST_FRAMES = 50
_ERRORS = 50
# A curve begins where a frame in so many arrives, and ends below this share.
_ENOUGH = 0.004


@dataclass(frozen=True, slots=True)
class Point:
    """What was lost of one system at one energy."""

    kind: Kind
    system: str
    payload_bytes: int
    ebn0_db: float
    frames: int
    lost: int
    bandwidth_times_time: float
    """By bits of the payload; 0 for a code alone."""

    @property
    def share(self) -> float:
        """The share of frames that were lost."""
        return self.lost / self.frames


def curve(
    system: System, payload_bytes: int, frames: int, seed: int
) -> Iterator[Point]:
    """Yield points from where frames arrive to where few are lost.

    Raises
    ------
    NotTriedError
        If a library is not there.
    """
    system.prepare(payload_bytes)
    sent = system.waveform()
    used = 0.0 if sent is None else bandwidth_times_time(sent, payload_bytes)
    for step in range(round((_HIGHEST_DB - _LOWEST_DB) / _STEP_DB) + 1):
        ebn0_db = _LOWEST_DB + step * _STEP_DB
        random = _generator(system, payload_bytes, ebn0_db, seed)
        tried, lost = _lost(system, ebn0_db, frames, random)
        if lost < tried:
            yield Point(
                system.kind, system.name, payload_bytes, ebn0_db, tried, lost, used
            )
        if lost / tried < _ENOUGH:
            return


def _generator(
    system: System, payload_bytes: int, ebn0_db: float, seed: int
) -> np.random.Generator:
    place = zlib.crc32(system.name.encode()), payload_bytes, round(1000 * ebn0_db)
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=place))


def _lost(
    system: System, ebn0_db: float, frames: int, random: np.random.Generator
) -> tuple[int, int]:
    """Return how many frames were sent and lost: until enough are lost."""
    tried = lost = 0
    while tried < frames and lost < _ERRORS:
        count = min(_FIRST_FRAMES, frames - tried)
        lost += system.lost(ebn0_db, count, random)
        tried += count
        if lost == tried:
            break
    return tried, lost


def needed_db(points: Sequence[Point], wanted: float = COMPARED_SHARE) -> float:
    """Return the Eb/N0 at which a share is lost, between points; NaN beyond them."""
    for before, after in pairwise(points):
        if before.share >= wanted > after.share:
            # Half a frame stands for none.
            low = math.log(max(after.lost, 0.5) / after.frames)
            high = math.log(before.share)
            part = (high - math.log(wanted)) / (high - low)
            return before.ebn0_db + min(part, 1.0) * (after.ebn0_db - before.ebn0_db)
    return math.nan


def as_table(points: Sequence[Point]) -> str:
    """Return points as CSV."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(each.name for each in fields(Point))
    for point in points:
        *rest, used = astuple(point)
        rows.writerow([*rest, f"{used:.3f}"])
    return text.getvalue()


def from_table(text: str) -> list[Point]:
    """Return the points of a table."""
    return [
        Point(
            Kind(row["kind"]),
            row["system"],
            int(row["payload_bytes"]),
            float(row["ebn0_db"]),
            int(row["frames"]),
            int(row["lost"]),
            float(row["bandwidth_times_time"]),
        )
        for row in csv.DictReader(io.StringIO(text))
    ]


def of_system(
    points: Sequence[Point], kind: Kind, payload_bytes: int
) -> dict[str, list[Point]]:
    """Return the points of each system, in the order of the table."""
    found: dict[str, list[Point]] = {}
    for point in points:
        if (point.kind, point.payload_bytes) == (kind, payload_bytes):
            found.setdefault(point.system, []).append(point)
    return found
