# SPDX-License-Identifier: Apache-2.0
"""The best public code, and how much more samara's ciphers take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.bench import best_known
from samara.bench.best_known import Metric
from samara.bench.report.selecting import balanced
from samara.figure import Origin
from samara.records.tables import (
    NOT_MEASURED,
    NOTHING,
    Cell,
    Column,
    Row,
    Table,
    label,
    number,
    significant,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.bench.best_known import BestKnown
    from samara.bench.devices import Device
    from samara.bench.report.selecting import Results
    from samara.bench.results import Result


_COLUMNS = (
    label("suite"),
    label("work"),
    label("public code"),
    label("source"),
    Column("code", "bytes"),
    Column("count"),
    label("of"),
    Column("ours"),
    label("flags"),
    Column("our times its"),
)


def cell(device: Device, result: Result, results: Results) -> Cell:
    """Return the count of a cipher divided by that of the fastest public code.

    Parameters
    ----------
    result
        Of the row. The result with the same flags is compared, for the message that
        is known of the public code.
    """
    row = best_known.best(device, result.suite)
    if row is None:
        return NOTHING
    same_way = [
        one
        for one in _ours(device, row, results)
        if (one.implementation, one.opt) == (result.implementation, result.opt)
    ]
    found = balanced(same_way)
    times = None if found is None else best_known.ratio(found, row)
    if found is None or times is None:
        return NOT_MEASURED
    shown = significant(times, found.origin, 2)
    return Cell(
        shown.value,
        f"{shown.text} x {row.implementation}",
        shown.origin,
        f"{row.work}: {row.count:,} {row.metric}, {row.title}; {row.source}",
    )


def table(device: Device, results: Results) -> Iterator[Table]:
    """Yield the table of all public code that is known on a device, if there is any."""
    known = [row for row in best_known.known() if row.processor in _names(device)]
    rows = [
        Row(_cells(row, ours))
        for row in known
        for ours in _of_each_implementation(_ours(device, row, results)) or (None,)
    ]
    if rows:
        yield Table(
            f"{device.name}-best-known",
            "The best public code",
            _COLUMNS,
            rows,
            caption=(
                "What public code takes for the same message, and what each"
                " implementation of ours takes with its balanced flags, set-up"
                " included. A block is counted without set-up."
            ),
            groups=True,
            folded=True,
        )


def _names(device: Device) -> tuple[str, str]:
    return device.name, device.family.name


def _ours(device: Device, row: BestKnown, results: Results) -> list[Result]:
    """Return samara's results for the message of a row."""
    return results.matching(
        device=device.name,
        suite=row.suite,
        message_bytes=row.message_bytes,
        ad_bytes=row.ad_bytes,
    )


def _of_each_implementation(results: list[Result]) -> list[Result]:
    """Return the balanced result of each implementation."""
    names = dict.fromkeys(result.implementation for result in results)
    found = (
        balanced([each for each in results if each.implementation == name])
        for name in names
    )
    return [each for each in found if each is not None]


def _cells(row: BestKnown, found: Result | None) -> list[Cell]:
    theirs = [
        words(row.suite),
        words(row.work),
        words(row.title),
        words(row.source),
        number(row.code_bytes, row.origin),
        number(row.count, row.origin),
        words(row.metric),
    ]
    times = None if found is None else best_known.ratio(found, row)
    if found is None or times is None:
        return [*theirs, NOT_MEASURED, NOTHING, NOT_MEASURED]
    kind = Origin.MEASURED if row.metric is Metric.INSTRUCTIONS else found.origin
    return [
        *theirs,
        number(times * row.count, kind),
        words(found.compiled),
        significant(times, kind, 2),
    ]
