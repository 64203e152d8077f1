# SPDX-License-Identifier: Apache-2.0
"""One row for each device: how much was measured there, and its fastest standard.

Of the results, which are hundreds of thousands, only those of standards for one size of
message are read. Whether they are stale is told where a device is asked for: to look
at the sources of all devices takes longer than to answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from samara import crypto
from samara.bench import devices, grouping, results_table, store
from samara.bench.result_record import energy_origin
from samara.bench.results import Sizes
from samara.crypto import Standing
from samara.figure import Origin
from samara.records import Remark
from samara.records.tables import (
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
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from samara.bench.results import Result

SIZES = Sizes(64, 14)
"""Of the message that is compared."""

_COLUMNS = (
    label("device", rank=0),
    Column("title", numeric=False, rank=4, wraps=True),
    Column("measured", rank=1),
    label("fastest standard", rank=0),
    label("opt", rank=2),
    Column("seal", "cycles", rank=0),
    Column("seal", "ms", rank=3),
    Column("seal", "µJ", rank=2),
    Column("code", "bytes", rank=1),
)
_FIGURES = 6
"""Columns about the fastest standard: the last ones."""

_CAPTION = (
    "measured: suites, block ciphers, frames and others that have results. fastest"
    f" standard: to seal {SIZES.message} bytes with {SIZES.ad} bytes of associated"
    " data, without set-up."
)
_HOW = (
    "To see the results of a device, the fastest first: samara bench show --device"
    " {device} --message {sizes.message} --ad {sizes.ad} --sort cycles. For all"
    " results: --csv or --json."
)


class Measured(NamedTuple):
    """What was measured on a device."""

    device: str
    suites: int
    """Suites, block ciphers, frames and others that have results."""
    fastest: Result | None
    """Of standards that authenticate, with their longest tags; None without figures."""


def measured() -> list[Measured]:
    """Return what was measured on each device, by name."""
    fastest: dict[str, Result] = {}
    for one in _of_standards():
        best = fastest.get(one.device)
        if best is None or one.protect_cycles < best.protect_cycles:
            fastest[one.device] = one
    return [
        Measured(device, len(suites), fastest.get(device))
        for device, suites in sorted(_suites_by_device().items())
    ]


def parts_of(found: Sequence[Measured]) -> Iterator[Table | Remark]:
    """Yield the table of all devices, and how to see more."""
    rows = [Row(_cells(each), command=_command(each)) for each in found]
    yield Table("overview", "", _COLUMNS, rows, caption=_CAPTION)
    yield Remark(_HOW.format(device=found[0].device, sizes=SIZES))
    used = {cell.origin for row in rows for cell in row.cells if cell.origin}
    for text in results_table.origin_lines(used):
        yield Remark(text, is_line=True)


def _of_standards() -> list[Result]:
    """Return the figures of standards for one message, on all devices."""
    found = store.read(
        store.committed(),
        store.own(),
        suites=_standards(),
        wanted=lambda message, ad: (message, ad) == SIZES,
    )
    return [each for each in found if each.has_figures]


def _standards() -> set[str]:
    """Return suites that authenticate, of each the one with the longest tag."""
    suites = [
        each
        for each in crypto.suites()
        if each.authenticates and each.standing is Standing.STANDARD
    ]
    rows = grouping.fold((each.slug, "") for each in suites)
    return {row.suite for row in rows}


def _suites_by_device() -> dict[str, set[str]]:
    found = {path.stem: store.suites_in(path) for path in _committed()}
    for program in store.programs(store.own()):
        found.setdefault(program.name.device, set()).add(program.name.suite)
    return found


def _committed() -> list[Path]:
    place = store.committed()
    return store.files_in(place) if place.is_dir() else []


def _cells(each: Measured) -> list[Cell]:
    count = Cell(each.suites, str(each.suites))
    return [words(each.device), words(_title(each.device)), count, *_best(each.fastest)]


def _title(name: str) -> str:
    known = devices.by_name().get(name)
    return known.title if known else ""


def _best(best: Result | None) -> Sequence[Cell]:
    if best is None:
        return [NOTHING] * _FIGURES
    time_us = best.protect_time_us
    return [
        words(results_table.suite_words(best)),
        words(best.opt),
        number(best.protect_cycles, best.origin),
        significant(None if time_us is None else time_us / 1e3, best.origin),
        significant(best.protect_energy_uj, energy_origin(best)),
        number(best.code_bytes, Origin.MEASURED),
    ]


def _command(each: Measured) -> str:
    if each.fastest is None:
        return f"samara bench show --device {each.device}"
    return results_table.command_of(each.fastest)
