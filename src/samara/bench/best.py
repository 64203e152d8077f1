# SPDX-License-Identifier: Apache-2.0
"""The best public code that is known, beside the fastest of samara's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

from samara.bench import best_known, requests, results_table, store, subjects
from samara.bench.requests import DeviceNames, SuiteNames
from samara.bench.results import Operation
from samara.figure import Figure
from samara.records import (
    Answer,
    Digest,
    Field,
    Record,
    Request,
    Title,
    record_class,
    request_class,
)
from samara.records.tables import NOTHING, Cell, Column, Row, Table, label, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from samara.bench.best_known import BestKnown
    from samara.bench.devices import Device
    from samara.bench.results import Result


@request_class
class BestRequest(Request):
    """Which public code."""

    devices: DeviceNames = ()
    suites: SuiteNames = ()


@record_class
class BestRecord(Record):
    """Public code for a message, and one of samara's implementations for it."""

    TYPE: ClassVar[str] = "best_known"

    device: Annotated[str, Field("Name of the device.")]
    suite: Annotated[str, Field("Suite or block cipher.")]
    message_bytes: Annotated[int, Field("Size of the message.", unit="byte")]
    ad_bytes: Annotated[int, Field("Size of the associated data.", unit="byte")]
    operation: Annotated[
        Operation, Field("`seal`, with set-up, `encrypt`, `decrypt` or `set_up`.")
    ]
    implementation: Annotated[str, Field("The public code.")]
    secret_tables: Annotated[
        bool, Field("Whether it looks up tables at places that depend on secrets.")
    ]
    public: Annotated[Figure, Field("Its cycles or instructions.")]
    ours: Annotated[Figure | None, Field("Those of samara's implementation.")]
    times: Annotated[Figure | None, Field("Ours divided by those of the public code.")]
    lost: Annotated[
        bool | None,
        Field(
            "Whether all of samara's implementations take more; `null` if none is"
            " measured."
        ),
    ]


@dataclass(frozen=True, slots=True)
class _Pair:
    """Public code on a device, and what samara has for the same message."""

    device: Device
    public: BestKnown
    ours: Sequence[tuple[Result, float]]
    """The fastest of each implementation with its times, the fastest first."""

    @property
    def is_lost(self) -> bool:
        """Whether the public code takes less than all of samara's."""
        return bool(self.ours) and self.ours[0][1] > 1

    @property
    def rank(self) -> float:
        """Its place in a list, the worst first; what is not measured is last."""
        return -self.ours[0][1] if self.ours else 0.0

    def rows(self) -> Iterator[tuple[_Pair, Result | None, float | None]]:
        """Yield the pair with each implementation of samara's."""
        for result, times in self.ours:
            yield self, result, times
        if not self.ours:
            yield self, None, None


def best(request: BestRequest) -> Answer[BestRecord]:
    """Yield every pair of public code and device, the lost ones first.

    Those are lost of which even the fastest of samara's implementations takes more
    than the public code; the worst come first, and last what is not measured.

    Raises
    ------
    samara.crypto.UnknownNameError
        If a device, a suite or a block cipher is not known.
    """
    yield from requests.notices(request.devices)
    for name in request.suites:
        subjects.subject(name)
    pairs = [
        pair
        for device in requests.chosen_devices(request.devices)
        for pair in _pairs(device, request.suites)
    ]
    rows = [row for pair in sorted(pairs, key=_rank) for row in pair.rows()]
    if rows:
        yield Digest((_record(*row) for row in rows), [_table(rows, pairs)])
    else:
        yield Title(
            "",
            empty="No public code is known for these. published/best_known.csv lists"
            " what is; `samara bench best` shows all of it.",
        )


def _rank(pair: _Pair) -> float:
    return pair.rank


def _pairs(device: Device, suites: Sequence[str]) -> Iterator[_Pair]:
    """Yield the public code on a device, in the order of the file."""
    known = [
        row
        for row in best_known.known()
        if row.processor in (device.name, device.family.name)
        and (not suites or row.suite in suites)
    ]
    if not known:
        return
    sizes = {row.sizes for row in known}
    found = store.read(
        store.committed_of(device.name),
        store.own(),
        suites={row.suite for row in known},
        wanted=lambda message, ad: (message, ad) in sizes,
    )
    by_message: dict[tuple[str, tuple[int, int]], list[Result]] = {}
    for one in found:
        if one.device == device.name:
            by_message.setdefault((one.suite, one.sizes), []).append(one)
    for row in known:
        ours = by_message.get((row.suite, row.sizes), ())
        yield _Pair(device, row, _fastest(ours, row))


def _fastest(
    results: Iterable[Result], row: BestKnown
) -> Sequence[tuple[Result, float]]:
    """Return the fastest result of each implementation, and its count by the row's."""
    ours = [
        (result, times)
        for result in results
        if (times := best_known.ratio(result, row)) is not None
    ]
    fastest: dict[str, tuple[Result, float]] = {}
    for result, times in sorted(ours, key=lambda pair: pair[1]):
        fastest.setdefault(result.implementation, (result, times))
    return list(fastest.values())


_SHORT_WORK = {
    Operation.ENCRYPT: "block",
    Operation.DECRYPT: "decrypt",
    Operation.SET_UP: "key",
}

_COLUMNS = (
    label("device"),
    label("suite", rank=0),
    label("work", rank=0),
    label("public code", rank=0),
    Column("theirs"),
    label("unit", rank=2),
    Column("ours", rank=0),
    Column("times", rank=0),
    Column("implementation", numeric=False, rank=2, wraps=True),
)

_CAPTION = (
    "Work: bytes of message + associated data, sealed with the set-up of the key; or"
    " a block encrypted, a block decrypted, or a key set up. -: not measured yet. * has"
    " tables that secrets index: not in constant time where memory has a cache."
)


def _table(
    rows: Iterable[tuple[_Pair, Result | None, float | None]], pairs: Sequence[_Pair]
) -> Table:
    return Table(
        "best",
        "",
        _COLUMNS,
        [
            Row(
                _cells(pair, result, times),
                command="" if result is None else results_table.command_of(result),
            )
            for pair, result, times in rows
        ],
        caption=f"{_CAPTION} {_lost_in_words(pairs)}",
    )


def _lost_in_words(pairs: Sequence[_Pair]) -> str:
    """Say how many pairs are lost, and how many of these to code with such tables."""
    lost = [pair for pair in pairs if pair.is_lost]
    text = f"Lost to public code: {len(lost)} of {len(pairs)} pairs, which come first"
    by_tables = sum(pair.public.has_secret_tables for pair in lost)
    return f"{text}; {by_tables} of them to code marked *." if lost else f"{text}."


def _cells(pair: _Pair, result: Result | None, times: float | None) -> list[Cell]:
    row = pair.public
    count = None if times is None else round(times * row.count)
    return [
        words(pair.device.name),
        words(row.suite),
        words(_SHORT_WORK.get(row.operation, f"{row.message_bytes:,}+{row.ad_bytes}")),
        words(f"{row.project} *" if row.has_secret_tables else row.project),
        Cell(row.count, f"{row.count:,}"),
        words(row.metric),
        NOTHING if count is None else Cell(count, f"{count:,}"),
        NOTHING if times is None else Cell(times, f"{times:.2f}"),
        words(row.title + ("" if result is None else f" | ours {result.compiled}")),
    ]


def _record(pair: _Pair, result: Result | None, times: float | None) -> BestRecord:
    row = pair.public
    ours = rated = None
    if result is not None and times is not None:
        source = f"the bench, {result.compiled}"
        count = round(times * row.count)
        ours = Figure(count, row.figure.unit, result.origin, source)
        rated = Figure(times, "1", result.origin, "ours by the public code")
    return BestRecord(
        device=pair.device.name,
        suite=row.suite,
        message_bytes=row.message_bytes,
        ad_bytes=row.ad_bytes,
        operation=row.operation,
        implementation=row.title,
        secret_tables=row.has_secret_tables,
        public=row.figure,
        ours=ours,
        times=rated,
        lost=pair.is_lost if pair.ours else None,
    )
