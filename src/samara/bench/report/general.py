# SPDX-License-Identifier: Apache-2.0
"""The cost of every cipher on one device: a section for each device."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from samara.bench import grouping, subjects, surviving
from samara.bench.report import best
from samara.bench.report.answer import answer
from samara.bench.report.selecting import balanced
from samara.bench.results import Operation
from samara.bench.ways import PORTABLE
from samara.figure import Origin
from samara.records import charts
from samara.records.parts import Missing, Plot, Section
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
    from collections.abc import Collection, Iterator, Sequence

    from samara.bench.devices import Device
    from samara.bench.report.selecting import FieldValues, Results
    from samara.bench.results import Result

HEADLINE = (
    *("aes128-ccm-16", "aes128-gcm", "ascon-aead128", "grain128aead"),
    *("speck128-128-ccm-16", "simon128-128-ccm-16", "modspeck128-128-ccm-16"),
)
"""The suites that are shown first: one for each cipher that authenticates."""

UNAUTHENTICATED = ("grain128ple",)
"""Suites in tables of their own. With the others, as many as there are colours."""

PLOTTED_BYTES = 128
"""The longest message in plots, about the longest frame. Tables have longer ones."""

REFERENCE = 64
"""Bytes of the message by which flags are chosen: the payload of a frame."""

SIZES = (16, REFERENCE, 256)
"""Bytes of the messages in tables, without associated data."""

FRAME_SIZES = (16, REFERENCE, 95)
"""Bytes of the payloads of frames: with 95 there is room for all MICs."""

FRAME_HEADER = 14
"""Bytes of a frame's header, with its auxiliary security header."""


def _suite_columns(
    what: str, seal: str, open_: str, sizes: Sequence[int]
) -> tuple[Column, ...]:
    return (
        label(what),
        label("flags"),
        Column("best known", "our times its"),
        Column("code", "bytes"),
        Column("RAM", "bytes"),
        Column("stack", "bytes"),
        Column("set-up", "cycles"),
        *(Column(f"{seal} {size} B", "cycles") for size in sizes),
        Column(f"{open_} {REFERENCE} B", "cycles"),
        Column(f"time {REFERENCE} B", "ms"),
        Column(f"energy {REFERENCE} B", "µJ"),
        label("constant time"),
    )


_SUITE_COLUMNS = _suite_columns("suite", "seal", "open", SIZES)
_FRAME_COLUMNS = _suite_columns("frame security", "protect", "open", FRAME_SIZES)

_BLOCK_COLUMNS = (
    label("block cipher"),
    label("flags"),
    Column("best known", "our times its"),
    Column("code", "bytes"),
    Column("RAM", "bytes"),
    Column("stack", "bytes"),
    *(Column(name, "cycles") for name in ("set-up", "encrypt", "decrypt")),
    Column("time", "ms"),
    Column("energy", "µJ"),
    label("constant time"),
)


def section(device: Device, results: Results) -> Section:
    """Return the section of a device."""
    chosen = _Chosen(device, results)
    found = Section(
        slug=device.name,
        title=device.title,
        intro=_intro(device, chosen),
        group="Devices",
        name=device.name,
    )
    found.parts += answer(device, results, REFERENCE)
    for slug, title, suites in (
        (f"{device.name}-suites", "Sealing and opening", HEADLINE),
        (
            f"{device.name}-unauthenticated",
            f"Encryption alone{_DANGER}",
            UNAUTHENTICATED,
        ),
    ):
        if chosen.names & set(suites):
            keys = chosen.keys(suites)
            found.parts.append(chosen.suite_table(slug, title, keys))
    found.parts += [*_plots(device, chosen), *chosen.folded_tables()]
    found.parts += best.table(device, results)
    found.parts += _missing(device, chosen)
    return found


_DANGER = ": messages can be changed unnoticed"


def _intro(device: Device, chosen: _Chosen) -> str:
    clock = f"{device.clock_hz / 1e6:g} MHz"
    return (
        f"{clock}, {device.flash_bytes:,} bytes of flash memory,"
        f" {device.ram_bytes:,} of RAM. Cycles are {device.family.cycles}, with"
        f" {device.family.simulator}. Energy is time times {device.energy_source}."
        f" Compiled by {' and '.join(chosen.compilers) or 'nothing yet'}."
    )


class _Chosen:
    """The flags that are shown for each cipher and implementation on a device."""

    def __init__(self, device: Device, results: Results) -> None:
        self._device = device
        self._results = results
        everything = results.of_device(device.name)
        self.compilers = sorted({r.compiler for r in everything})
        self._keys = list(
            dict.fromkeys((r.suite, r.implementation) for r in everything)
        )
        order = [subject.slug for subject in subjects.subjects()]
        self._keys.sort(key=lambda k: order.index(k[0]) if k[0] in order else -1)

    @property
    def names(self) -> set[str]:
        """The suites that have results, with figures or without."""
        return {suite for suite, _ in self._keys}

    def of(
        self, suite: str, implementation: str | None = None, ad_bytes: int = 0
    ) -> list[Result]:
        """Return the results with this associated data, of the balanced flags.

        Default: of all implementations.
        """
        found = [
            result
            for result in self._results.matching(
                device=self._device.name, suite=suite, ad_bytes=ad_bytes
            )
            if implementation in {None, result.implementation}
        ]
        sizes = {result.message_bytes for result in found}
        if not sizes:
            return []
        size = REFERENCE if REFERENCE in sizes else min(sizes)
        least = balanced(r for r in found if r.message_bytes == size)
        return [r for r in found if least is not None and _same_way(r, least)]

    def lacking_sizes(self) -> list[str]:
        """Return the suites with figures that lack some of the sizes in tables."""
        blocks, apart = _blocks(), _frames() | _surviving()
        lacking: list[str] = []
        for suite, implementation in self._keys:
            if suite in apart:
                continue
            about: FieldValues = {
                "device": self._device.name,
                "suite": suite,
                "implementation": implementation,
                "ad_bytes": 0,
            }
            sizes = {
                result.message_bytes
                for result in (
                    *self._results.matching(**about),
                    *self._results.problems(**about),
                )
            }
            whole = suite in blocks or set(SIZES) <= sizes
            if not whole and suite not in lacking:
                lacking.append(suite)
        return lacking

    def keys(self, suites: Collection[str]) -> list[tuple[str, str]]:
        """Return those of these suites that have results, by implementation."""
        return [key for key in self._keys if key[0] in suites]

    def suite_table(
        self, slug: str, title: str, keys: Sequence[tuple[str, str]]
    ) -> Table:
        """Return the table of these suites and implementations."""
        rows = [Row(self._suite_cells(shown)) for shown in grouping.fold(keys)]
        return Table(
            slug,
            title,
            _SUITE_COLUMNS,
            rows,
            caption=(
                "With the flags that give the least code size times cycles of"
                f" set-up and sealing {REFERENCE} bytes. Time and energy: set-up"
                " and sealing. Suites that differ by the tag's length share a row,"
                " with the figures of the longest. Best known: how many times as"
                " many cycles ours takes as the fastest public code, for the"
                " message that is known of it."
            ),
        )

    def folded_tables(self) -> Iterator[Table]:
        """Return the tables of all suites and of all block ciphers."""
        blocks, frames = _blocks(), _frames()
        apart = blocks | frames | _surviving()
        suites = [key for key in self._keys if key[0] not in apart]
        for authentic, suffix, what, first in (
            (True, "all-suites", "suites that authenticate", HEADLINE),
            (False, "all-unauthenticated", f"that do not{_DANGER}", UNAUTHENTICATED),
        ):
            keys = [k for k in suites if grouping.authenticates(k[0]) == authentic]
            names = {suite for suite, _ in keys}
            if names - set(first):
                slug = f"{self._device.name}-{suffix}"
                yield _fold(self.suite_table(slug, f"All {len(names)} {what}", keys))
        yield from self._frame_table(self.keys(frames))
        keys = self.keys(blocks)
        if keys:
            rows = [Row(self._block_cells(*key)) for key in keys]
            slug = f"{self._device.name}-blocks"
            table = Table(slug, "Block ciphers", _BLOCK_COLUMNS, rows)
            yield _fold(table)

    def _frame_table(self, keys: Sequence[tuple[str, str]]) -> Iterator[Table]:
        """Return the tables of frame security, if it was measured."""
        for authentic, slug, title in (
            (True, "frames", "Frame security of IEEE 802.15.4"),
            (False, "frames-unauthenticated", f"Frames without MIC{_DANGER}"),
        ):
            chosen = [k for k in keys if grouping.authenticates(k[0]) == authentic]
            rows = [
                Row(self._suite_cells(shown, FRAME_SIZES, FRAME_HEADER))
                for shown in grouping.fold(chosen)
            ]
            if rows:
                yield Table(
                    f"{self._device.name}-{slug}",
                    title,
                    _FRAME_COLUMNS,
                    rows,
                    caption=_FRAME_CAPTION,
                )

    def _suite_cells(
        self,
        shown: grouping.SuiteRow,
        sizes: Sequence[int] = SIZES,
        ad_bytes: int = 0,
    ) -> list[Cell]:
        results = self.of(shown.suite, shown.implementation, ad_bytes)
        if not results:
            return self._without_figures(shown, len(_SUITE_COLUMNS))
        at = {result.message_bytes: result for result in results}
        some = at.get(REFERENCE, results[0])
        kind = some.origin
        return [
            *self._common_cells(shown, some),
            number(some.set_up_cycles, kind),
            *(_cycles(at.get(size), Operation.SEAL) for size in sizes),
            _cycles(at.get(REFERENCE), Operation.OPEN),
            *self._time_and_energy(at.get(REFERENCE), with_set_up=ad_bytes == 0),
            _constant_time(some),
        ]

    def _common_cells(self, shown: grouping.SuiteRow, result: Result) -> list[Cell]:
        remark = f"figures of {shown.suite}" if shown.name != shown.suite else ""
        return [
            words(full_name(shown.name, shown.implementation), remark),
            words(f"-{result.opt}"),
            best.cell(self._device, result, self._results),
            number(result.code_bytes, Origin.MEASURED),
            number(result.static_ram_bytes, Origin.MEASURED),
            number(result.stack_bytes, Origin.MEASURED),
        ]

    def _block_cells(self, suite: str, implementation: str) -> list[Cell]:
        shown = grouping.SuiteRow(suite, implementation, suite)
        results = self.of(suite, implementation)
        if not results:
            return self._without_figures(shown, len(_BLOCK_COLUMNS))
        (result, *_) = results
        return [
            *self._common_cells(shown, result),
            *(number(count, result.origin) for count in result.counts.values()),
            *self._time_and_energy(result),
            _constant_time(result),
        ]

    def _time_and_energy(
        self, result: Result | None, *, with_set_up: bool = True
    ) -> list[Cell]:
        if result is None:
            return [NOT_MEASURED, NOT_MEASURED]
        device = self._device
        cycles = result.total_cycles if with_set_up else result.protect_cycles
        return [
            significant(device.time_us(cycles) / 1e3, result.origin),
            significant(
                device.energy_uj(cycles),
                device.energy_origin,
                remark=device.energy_source,
            ),
        ]

    def _without_figures(self, shown: grouping.SuiteRow, width: int) -> list[Cell]:
        refused = self._results.problems(
            device=self._device.name,
            suite=shown.suite,
            implementation=shown.implementation,
        )
        reason = (refused[0].problem or "") if refused else ""
        second = words("does not fit", reason) if reason else NOT_MEASURED
        empty = [Cell(None, "-", remark=reason)] * (width - 2)
        return [words(full_name(shown.name, shown.implementation)), second, *empty]


_FRAME_CAPTION = (
    f"A data frame of 2006 with {FRAME_HEADER} bytes of header: parsed, looked up,"
    " protected or opened where it lies. Code is all of that with its cipher; RAM the"
    " tables of 2 keys and 8 devices with their counters, not the frame. Bytes are"
    " those of the payload; the numbers behind the name are the MIC's, whose longest"
    " has its figures here. Set-up fills the tables, once, and is not part of time and"
    " energy."
)


def _blocks() -> set[str]:
    """Return the names of the block ciphers."""
    return {s.slug for s in subjects.subjects() if s.block_size}


def _frames() -> set[str]:
    """Return the names of the ciphers for whole frames."""
    return {s.slug for s in subjects.subjects() if s.frame is not None}


def _surviving() -> set[str]:
    """Return the names of the nodes and the counter store, which are no ciphers."""
    return {*surviving.NODE_NAMES, surviving.STORE}


def _same_way(one: Result, other: Result) -> bool:
    """Return whether two results were compiled in the same way."""
    return (one.implementation, one.opt) == (other.implementation, other.opt)


def _fold(table: Table) -> Table:
    return replace(table, folded=True)


def full_name(suite: str, implementation: str) -> str:
    """Return a suite's name, and its implementation unless it is portable C."""
    return suite if implementation == PORTABLE else f"{suite} ({implementation})"


def _cycles(result: Result | None, operation: Operation) -> Cell:
    if result is None:
        return NOT_MEASURED
    return number(result.cycles_of(operation), result.origin)


def _constant_time(result: Result) -> Cell:
    if result.constant_time is None:
        return NOTHING
    if result.constant_time:
        remark = f"{result.samples} random keys, nonces and messages: one count"
        return words("yes", remark)
    by = ", ".join(f"{verb} {n:,}" for verb, n in result.varies.items())
    return words(f"varies: {by}", "cycles between the fastest and the slowest sample")


def _plots(device: Device, chosen: _Chosen) -> list[Plot]:
    shown = (*HEADLINE, *UNAUTHENTICATED)
    sealed, spots = [], []
    for colour, (suite, results) in enumerate(
        (each, chosen.of(each)) for each in shown
    ):
        ordered = sorted(results, key=lambda result: result.message_bytes)
        name = full_name(suite, ordered[0].implementation) if ordered else suite
        short = [_point(r, r.message_bytes) for r in ordered if _is_short(r)]
        if len(short) > 1:
            sealed.append(charts.Series(name, short, colour=colour))
        spot = [
            _point(r, r.code_bytes or 0)
            for r in ordered
            if r.message_bytes == REFERENCE
        ]
        if spot:
            spots.append(charts.Series(name, spot, charts.Draws.POINTS, colour))
    plots = [_lines_plot(device, sealed)] if sealed else []
    return plots + ([_spots_plot(device, spots)] if spots else [])


def _is_short(result: Result) -> bool:
    return result.message_bytes <= PLOTTED_BYTES


def _point(result: Result, x: float) -> charts.Point:
    build = f"{result.implementation}, -{result.opt}"
    return charts.Point(x, result.total_cycles, origin=result.origin, source=build)


def _lines_plot(device: Device, lines: Sequence[charts.Series]) -> Plot:
    title = f"Cycles over message size, {device.name}"
    across = charts.Axis("message", "bytes")
    up = charts.Axis("set-up and seal", "cycles")
    chart = charts.Chart(title, across, up, lines)
    return Plot(f"{device.name}-cycles", title, [chart])


def _spots_plot(device: Device, spots: Sequence[charts.Series]) -> Plot:
    title = f"Code against cycles, {device.name}"
    across = charts.Axis("code", "bytes")
    up = charts.Axis(f"set-up and seal {REFERENCE} bytes", "cycles")
    chart = charts.Chart(title, across, up, spots)
    caption = "Nearer to the lower left is better."
    return Plot(f"{device.name}-code", title, [chart], caption)


def _missing(device: Device, chosen: _Chosen) -> list[Missing]:
    command = f"samara bench run --device {device.name}"
    if not chosen.names:
        return [Missing(f"anything on {device.name}.", command)]
    found = []
    if absent := _without_results(chosen):
        what = f"{len(absent)} ciphers and modes, such as {_first_few(absent)}."
        few = absent if len(absent) <= _LISTED else []
        suites = "".join(f" --suite {suite}" for suite in few)
        found.append(Missing(what, f"{command}{suites}"))
    if lacking := chosen.lacking_sizes():
        suites = "".join(f" --suite {suite}" for suite in lacking)
        sizes = "".join(f" --message {size}" for size in SIZES)
        what = f"some of the sizes shown here, for {_first_few(lacking)}."
        found.append(Missing(what, f"{command}{suites}{sizes} --ad 0"))
    return found


def _without_results(chosen: _Chosen) -> list[str]:
    """Return a suite for each program without results: tags do not change it."""
    known = subjects.subjects()
    there = {s.image_name for s in known if s.slug in chosen.names}
    absent = {s.image_name: s.slug for s in known if s.image_name not in there}
    return list(absent.values())


def _first_few(names: Sequence[str]) -> str:
    """Return the first few names as text."""
    rest = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + rest


_LISTED = 6
