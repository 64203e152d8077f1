# SPDX-License-Identifier: Apache-2.0
"""Many points of a simulation, on the processors of this machine or a Dask cluster.

A point is simulated block by block until it has enough errors. Any executor of
`concurrent.futures` can compute the blocks, in any order. They are counted in the
order of their numbers, up to the one that completes the point, so that the result
does not depend on the executor.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from samara.phy.intervals import Tally
from samara.phy.trial import BLOCK_FRAMES, Case, Receiver, run_block
from samara.workers import in_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.workers import Workers

Tallies = dict[Receiver, Tally]


@dataclass(frozen=True, slots=True)
class Limits:
    """When a point is complete: after so many frame errors, or so many frames."""

    frame_errors: int = 100
    """Frame errors of the receiver that decrypts soft bits."""
    frames: int = 20_000

    @property
    def blocks(self) -> int:
        """The largest number of blocks of a point."""
        return -(-self.frames // BLOCK_FRAMES)


@dataclass(frozen=True, slots=True)
class Point:
    """One case at one Eb/N0 in dB, with what was counted."""

    case: Case
    ebn0_db: float
    tallies: Tallies = field(
        default_factory=lambda: {receiver: Tally() for receiver in Receiver}
    )

    def add(self, tallies: Tallies) -> None:
        """Count one block."""
        for receiver, tally in tallies.items():
            self.tallies[receiver].add(tally)

    @property
    def frame_errors(self) -> int:
        """Frame errors of the receiver that decrypts soft bits."""
        return self.tallies[Receiver.PLE].frame_errors


def run(
    points: Sequence[tuple[Case, float]],
    limits: Limits,
    seed: int,
    workers: Workers,
) -> Iterator[tuple[Point, bool]]:
    """Simulate points one after the other.

    Yield each after each of its blocks, and whether it is complete then.

    Parameters
    ----------
    points
        Cases, each with an Eb/N0 in dB.
    limits
        When a point is complete.
    seed
        The same seed gives the same results.
    workers
        What computes the blocks; on a cluster they need GNU Radio, too.
    """
    for case, ebn0_db in points:
        point = Point(case, ebn0_db)
        blocks = ((case, ebn0_db, seed, block) for block in range(limits.blocks))
        for tallies in in_order(workers, run_block, blocks):
            point.add(tallies)
            yield point, False
            if point.frame_errors >= limits.frame_errors:
                break
        yield point, True
