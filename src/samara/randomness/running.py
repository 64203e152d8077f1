# SPDX-License-Identifier: Apache-2.0
"""Running NIST's tests on many sequences, by several workers.

A worker makes the sequences of a computed source itself. What is read from a file or
program is read here and sent to the workers, a sequence at a time: nothing is stored.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from samara.randomness import sts
from samara.randomness.sources import computed
from samara.randomness.storing import kept
from samara.workers import in_order

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from samara.randomness.settings import Settings
    from samara.randomness.sources import GivenSource
    from samara.workers import Workers

    Row = NDArray[np.float64]


def sequence_size(bits: int) -> int:
    """Return the bytes that a sequence is read from."""
    return (bits + 7) // 8


def of_sequence(source: str, seed: int, index: int, bits: int) -> Row:
    """Return the p-values of a sequence of a computed source."""
    data = computed(source, seed).sequence(index, sequence_size(bits))
    return of_bytes(data, bits)


def of_bytes(data: bytes, bits: int) -> Row:
    """Return the p-values of bits that were read."""
    return kept(sts.p_values(sts.Sequence.of_bytes(data, bits)))


def timed(settings: Settings, index: int) -> tuple[Row, float]:
    """Return the p-values of one sequence, and the seconds that this takes."""
    # Loading SciPy is not a part of it.
    of_bytes(bytes(range(256)), 2048)
    start = time.perf_counter()
    row = of_sequence(settings.source, settings.seed, index, settings.bits)
    return row, time.perf_counter() - start


def timed_bytes(data: bytes, bits: int) -> tuple[Row, float]:
    """Return the p-values of bits that were read, and the seconds that this takes."""
    of_bytes(bytes(range(256)), 2048)
    start = time.perf_counter()
    row = of_bytes(data, bits)
    return row, time.perf_counter() - start


def of_computed(settings: Settings, indices: range, pool: Workers) -> Iterator[Row]:
    """Yield the p-values of sequences of a computed source, in their order."""
    given = ((settings.source, settings.seed, i, settings.bits) for i in indices)
    return in_order(pool, of_sequence, given)


def of_given(
    settings: Settings, source: GivenSource, count: int, pool: Workers
) -> Iterator[Row]:
    """Yield the p-values of the next sequences of a source, until it ends."""
    return in_order(pool, of_bytes, _pieces(settings, source, count))


def _pieces(
    settings: Settings, source: GivenSource, count: int
) -> Iterator[tuple[bytes, int]]:
    size = sequence_size(settings.bits)
    for _ in range(count):
        data = source.read(size)
        if len(data) < size:
            return
        yield data, settings.bits
