# SPDX-License-Identifier: Apache-2.0
"""Results beside the best public code for the same message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.bench import best_known, devices

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.bench.best_known import BestKnown
    from samara.bench.results import Result


def rated(result: Result) -> tuple[BestKnown, float] | None:
    """Return the best public code for a result's message, and the ratio to it."""
    device = devices.by_name().get(result.device)
    if device is None or not result.has_figures:
        return None
    row = best_known.best(device, result.suite, result.sizes)
    times = None if row is None else best_known.ratio(result, row)
    return None if row is None or times is None else (row, times)


def lines(results: Sequence[Result]) -> Iterator[str]:
    """Yield a line for each message of these results that public code is known for.

    Each is about the fastest of the results with that cipher, device and sizes.
    """
    fastest: dict[tuple[str, BestKnown], tuple[float, str]] = {}
    for result in results:
        found = rated(result)
        if found is None:
            continue
        row, times = found
        key = (result.device, row)
        if key not in fastest or times < fastest[key][0]:
            fastest[key] = times, _line(result, row, times)
    for _, text in fastest.values():
        yield text


def _line(result: Result, row: BestKnown, times: float) -> str:
    return (
        f"{result.device} {row.suite}, {row.message_bytes}+{row.ad_bytes}:"
        f" {times:.1f} times the best known, {row.count:,} {row.metric}:"
        f" {row.title}; {row.source}, {row.origin}"
    )
