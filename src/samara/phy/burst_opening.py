# SPDX-License-Identifier: Apache-2.0
"""Bursts of recordings opened with one of several keys.

The frame counter is not on the air. It is searched from the last one on, in both
directions of a link, and only a payload whose tag is right is given out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.crypto import ple_sync
from samara.phy.frames import make_codec, sign_changed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.phy.frames import Soft

_DIRECTIONS = (0, 1)
# Without encryption, the code does not tell the counter: each is tried with the tag.
_TRIED_AT_ONCE = 256
_MOST_TRIED = 1 << 12


@dataclass(frozen=True, slots=True)
class Opened:
    """What a burst carries."""

    key: int
    """Number of the key, from 1."""
    direction: int
    counter: int
    payload: bytes
    is_replayed: bool
    """Whether the counter is not above that of a burst before it."""


@dataclass(slots=True)
class _Candidate:
    """One direction of a link, and how far it is."""

    key: bytes
    number: int
    direction: int
    codec: Any
    counters: range
    next_counter: int = field(init=False)

    def __post_init__(self) -> None:
        self.next_counter = self.counters.start

    def ranges(self) -> Iterator[range]:
        """Yield what is tried: later counters first, then those of replays."""
        yield range(self.next_counter, self.next_counter + len(self.counters))
        if self.next_counter > self.counters.start:
            yield range(self.counters.start, self.next_counter)


class Opener:
    """Opens bursts, which all have one size.

    Parameters
    ----------
    counters
        Tried for the first burst of a key; for a later one as many from the next on.

    Raises
    ------
    samara.phy.tuning.RadioError
        If GNU Radio or gr-samara is not installed.
    """

    def __init__(
        self,
        keys: Sequence[bytes],
        counters: range,
        *,
        payload_size: int,
        link_id: int,
        encrypted: bool,
    ) -> None:
        self._link_id, self._encrypted = link_id, encrypted
        self._candidates = [
            _Candidate(key, number, direction, codec, counters)
            for number, key in enumerate(keys, 1)
            for direction in _DIRECTIONS
            for codec in [
                make_codec(
                    key, direction=direction, link_id=link_id, encrypts=encrypted
                )
            ]
        ]
        self.coded_bits: int = self._candidates[0].codec.coded_bits(payload_size)

    def open(self, soft: Soft) -> Opened | None:
        """Return what a burst carries; None if no key opens it.

        Parameters
        ----------
        soft
            Log-likelihood ratios, positive for bit 0.
        """
        for candidate in self._candidates:
            for counters in candidate.ranges():
                if opened := self._try(candidate, soft, counters):
                    candidate.next_counter = max(
                        candidate.next_counter, opened.counter + 1
                    )
                    return opened
        return None

    def _try(self, candidate: _Candidate, soft: Soft, counters: range) -> Opened | None:
        for tried in self._likely(candidate, soft, counters):
            numbers = np.array(tried, np.uint64)
            rows = np.repeat(sign_changed(soft)[None], len(numbers), 0)
            payloads, good = candidate.codec.decode(rows, numbers)
            for at in np.flatnonzero(good)[:1]:
                return Opened(
                    candidate.number,
                    candidate.direction,
                    int(numbers[at]),
                    bytes(payloads[at]),
                    int(numbers[at]) < candidate.next_counter,
                )
        return None

    def _likely(
        self, candidate: _Candidate, soft: Soft, counters: range
    ) -> Iterator[Sequence[int]]:
        """Yield counters whose tags are to be checked."""
        if not self._encrypted:
            tried = counters[:_MOST_TRIED]
            for start in range(0, len(tried), _TRIED_AT_ONCE):
                yield tried[start : start + _TRIED_AT_ONCE]
            return
        found = ple_sync.scan(
            candidate.key,
            ple_sync.quantise(soft),
            counters,
            direction=candidate.direction,
            link_id=self._link_id,
        )
        if found is not None:
            yield [found.counter]
