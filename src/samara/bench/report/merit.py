# SPDX-License-Identifier: Apache-2.0
"""The figure of merit: equations (3) and (4) of the ModSpeck paper.

Both come from the Triathlon of Lightweight Block Ciphers by Dinu and others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from samara.bench import published as tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.bench.results import Result


class Metrics(NamedTuple):
    """The metrics of equation (3), in the same units for all implementations."""

    ram: float
    code: float
    cycles: float


def metrics(result: Result) -> Metrics:
    """Return a result's metrics: bytes, bytes, cycles of set-up and one block."""
    return Metrics(result.memory_bytes, result.code_bytes or 0, result.total_cycles)


def parameters(implementations: Sequence[Metrics]) -> list[float]:
    """Return the performance parameters of implementations on one device, by (3).

    Each is the sum, over the metrics, of the value over the least value of any
    implementation; every weight is 1.

    >>> parameters([Metrics(100, 1000, 50), Metrics(200, 1000, 25)])
    [4.0, 4.0]
    """
    if not implementations:
        return []
    least = [min(values) for values in zip(*implementations, strict=True)]
    return [
        sum(value / best for value, best in zip(values, least, strict=True))
        for values in implementations
    ]


def figure(best_parameters: Sequence[float]) -> float:
    """Return a cipher's figure of merit from its best parameters, by (4).

    >>> figure([3.0, 4.0])
    3.5
    """
    return sum(best_parameters) / len(best_parameters)


def published() -> list[float]:
    """Return the results of (3) and (4) for the paper's own figures, row by row."""
    records = tables.table("modspeck_arduino.csv")
    boards = [
        parameters(
            [
                Metrics(
                    record.value(f"{board}_ram_bits"),
                    record.value(f"{board}_code_kb"),
                    record.value(f"{board}_cycles"),
                )
                for record in records
            ]
        )
        for board in ("uno", "mega")
    ]
    return [figure(pair) for pair in zip(*boards, strict=True)]
