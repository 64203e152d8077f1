# SPDX-License-Identifier: Apache-2.0
"""`samara bench best`: the best public code, and how far samara's is from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich.markup import escape

from samara.bench import best_known, devices, store, subjects
from samara.cli.bench_options import Devices, Suites, chosen_devices
from samara.cli.json_lines import Json, print_json
from samara.cli.tables import Column, Wide, console, print_table
from samara.figure import Figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from samara.bench.best_known import BestKnown
    from samara.bench.devices import Device
    from samara.bench.results import Result

_COLUMNS = (
    Column("device"),
    Column("suite", rank=0),
    Column("bytes", numeric=True),
    Column("public\ncode", numeric=True, rank=0),
    Column("unit", rank=1),
    Column("ours", numeric=True, rank=0),
    Column("times", numeric=True, rank=0),
    Column("implementation", rank=2, wraps=True),
)


def best(
    *,
    device: Devices = None,
    suite: Suites = None,
    as_json: Json = False,
    wide: Wide = False,
) -> None:
    """Show the best public code that is known, beside the fastest of samara's.

    Each row is about one message or block, measured in the same simulator, and
    one of samara's implementations, such as C or assembly. times is samara's
    count divided by that of the public code. Cycles are compared where they are
    measured, instructions where they are estimated.

    Every pair of public code and a device is shown, the lost ones first: those of
    which even the fastest of samara's implementations takes more than the public
    code, the worst at the top. What is not measured comes last.

    \b
    Examples:
      samara bench best --device atmega128
      samara bench best --suite aes128 --json
    """
    for name in suite or ():
        subjects.subject(name)
    pairs = [
        Pair(found, row, _fastest(found, row))
        for found in chosen_devices(device)
        for row in best_known.known()
        if row.on in (found.name, found.family.name)
        and (not suite or row.suite in suite)
    ]
    rows = [
        (pair, ours)
        for pair in sorted(pairs, key=lambda pair: pair.rank)
        for ours in pair.ours or (None,)
    ]
    if as_json:
        for pair, ours in rows:
            _print_json(pair, ours)
        return
    lost = sum(pair.is_lost for pair in pairs)
    print_table(
        console(),
        _COLUMNS,
        [_cells(pair.device, pair.public, ours) for pair, ours in rows],
        empty="No public code is known for these. published/best_known.csv lists what"
        " is; `samara bench best` shows all of it.",
        caption="bytes: message + associated data. -: not measured yet."
        f" Lost to public code: {lost} of {len(pairs)} pairs, which come first.",
        wide=wide,
    )


class Pair(NamedTuple):
    """Public code on a device, and what samara has for the same message."""

    device: Device
    public: BestKnown
    ours: list[tuple[Result, float]]
    """The fastest of each implementation with its times, the fastest first."""

    @property
    def is_lost(self) -> bool:
        """Whether the public code takes less than all of samara's."""
        return bool(self.ours) and self.ours[0][1] > 1

    @property
    def rank(self) -> float:
        """Its place in a list, the worst first; what is not measured is last."""
        return -self.ours[0][1] if self.ours else 0.0


def _fastest(device: Device, row: BestKnown) -> list[tuple[Result, float]]:
    """Return the fastest result of each implementation, and its count by the row's."""
    path = store.committed_of(device.name)
    found = store.read(
        path,
        store.own(),
        suites=[row.suite],
        wanted=lambda message, ad: (message, ad) == row.sizes,
    )
    ours = [
        (result, times)
        for result in found
        if result.device == device.name
        and (times := best_known.ratio(result, row)) is not None
    ]
    fastest: dict[str, tuple[Result, float]] = {}
    for result, times in sorted(ours, key=lambda pair: pair[1]):
        fastest.setdefault(result.implementation, (result, times))
    return list(fastest.values())


def _cells(
    device: Device, row: BestKnown, ours: tuple[Result, float] | None
) -> list[str]:
    result, times = ours or (None, None)
    return [
        device.name,
        row.suite,
        f"{row.message_bytes}+{row.ad_bytes}",
        f"{row.count:,}",
        row.metric,
        "-" if times is None else f"{round(times * row.count):,}",
        "-" if times is None else f"{times:.2f}",
        escape(row.title) + ("" if result is None else f" | ours {result.compiled}"),
    ]


def _print_json(pair: Pair, ours: tuple[Result, float] | None) -> None:
    row = pair.public
    unit = row.metric.removesuffix("s")
    fields = {
        "device": pair.device.name,
        "suite": row.suite,
        "message_bytes": row.message_bytes,
        "ad_bytes": row.ad_bytes,
        "operation": row.operation,
        "implementation": row.title,
        "public": Figure(row.count, unit, row.origin, row.source),
        "ours": None,
        "times": None,
        "lost": pair.is_lost if pair.ours else None,
    }
    if ours is not None:
        result, times = ours
        source = f"the bench, {result.compiled}"
        count = round(times * row.count)
        fields["ours"] = Figure(count, unit, result.origin, source)
        fields["times"] = Figure(times, "1", result.origin, "ours by the public code")
    print_json("best_known", fields)


def lines(results: Sequence[Result]) -> Iterator[str]:
    """Yield a line for each message of these results that public code is known for.

    Each is about the fastest of the results with that cipher, device and sizes.
    """
    fastest: dict[tuple[str, BestKnown], tuple[float, str]] = {}
    for result, row, times in _rated(results):
        key = (result.device, row)
        if key not in fastest or times < fastest[key][0]:
            fastest[key] = times, _line(result, row, times)
    for _, text in fastest.values():
        yield text


def rated(result: Result) -> tuple[BestKnown, float] | None:
    """Return the best public code for a result's message, and the ratio to it."""
    if not result.has_figures:
        return None
    row = best_known.matching(result, devices.devices())
    times = None if row is None else best_known.ratio(result, row)
    return None if row is None or times is None else (row, times)


def _rated(results: Iterable[Result]) -> Iterator[tuple[Result, BestKnown, float]]:
    for result in results:
        found = rated(result)
        if found is not None:
            yield result, *found


def _line(result: Result, row: BestKnown, times: float) -> str:
    return (
        f"{result.device} {row.suite}, {row.message_bytes}+{row.ad_bytes}:"
        f" {times:.1f} times the best known, {row.count:,} {row.metric}:"
        f" {row.title}; {row.source}, {row.origin}"
    )
