# SPDX-License-Identifier: Apache-2.0
"""What `samara bench show` says of the best public code beside its table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.bench import best_known, devices

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.bench.store import Result


def lines(results: Sequence[Result]) -> Iterator[str]:
    """Yield a line for each message that somebody's code is known for.

    Each is about the fastest of the results with that cipher, device and sizes.
    """
    told: dict[tuple[object, ...], tuple[float, str]] = {}
    known = devices.devices()
    for result in results:
        row = best_known.matching(result, known) if result["cycles"] else None
        ratio = None if row is None else best_known.ratio(result, row)
        if row is None or ratio is None:
            continue
        key = (result["device"], row)
        if key not in told or ratio < told[key][0]:
            told[key] = ratio, _line(result, row, ratio)
    for _, text in told.values():
        yield text


def _line(result: Result, row: best_known.BestKnown, ratio: float) -> str:
    return (
        f"{result['device']} {row.suite}, {row.message_bytes}+{row.ad_bytes}:"
        f" {ratio:.1f} times the best known, {row.count:,} {row.metric}:"
        f" {row.title}; {row.source}, {row.origin}"
    )
