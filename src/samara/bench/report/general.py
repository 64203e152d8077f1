# SPDX-License-Identifier: Apache-2.0
"""What every cipher costs on one device: a section for each device."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from samara.bench import subjects
from samara.bench.building import PORTABLE
from samara.bench.report import charts
from samara.bench.report.model import (
    NOT_MEASURED,
    NOTHING,
    Cell,
    Column,
    Missing,
    Row,
    Section,
    Table,
    label,
    number,
    significant,
    words,
)
from samara.bench.report.results import (
    balanced,
    energy_origin,
    energy_remark,
    origin,
    total,
)
from samara.figure import Origin

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.bench.devices import Device
    from samara.bench.report.model import Plot
    from samara.bench.report.results import Results
    from samara.bench.store import Result

HEADLINE = (
    *("aes128-ccm-16", "aes128-gcm", "ascon-aead128", "grain128aead"),
    *("speck128-128-ccm-16", "simon128-128-ccm-16", "modspeck128-128-ccm-16"),
    "grain128ple",
)
"""The suites that are shown first: one of each cipher. As many as colours."""

REFERENCE = 64
"""Bytes of the message that choices are made by: a frame's payload."""

SIZES = (16, REFERENCE, 256)
"""Bytes of the messages that tables show. There is no header."""

FRAME_SIZES = (16, REFERENCE, 95)
"""Bytes of the payloads of frames: 95 are the most that all MICs leave room for."""

FRAME_HEADER = 14
"""Bytes of a frame's header, with those of its security."""


def _suite_columns(
    what: str, seal: str, open_: str, sizes: Sequence[int]
) -> tuple[Column, ...]:
    return (
        label(what),
        label("flags"),
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
    if chosen.names & set(HEADLINE):
        slug = f"{device.name}-suites"
        found.parts.append(chosen.suite_table(slug, "Sealing and opening", HEADLINE))
    found.parts += [*_plots(device, chosen), *chosen.folded_tables()]
    found.parts += _missing(device, chosen)
    return found


def _intro(device: Device, chosen: _Chosen) -> str:
    clock = f"{device.clock_hz / 1e6:g} MHz"
    return (
        f"{clock}, {device.flash_bytes:,} bytes of flash memory,"
        f" {device.ram_bytes:,} of RAM. Cycles are {device.family.cycles}, with"
        f" {device.family.simulator}. Energy is time times {energy_remark(device)}."
        f" Compiled by {' and '.join(chosen.compilers) or 'nothing yet'}."
    )


class _Chosen:
    """For each cipher and implementation on a device, the flags that are shown."""

    def __init__(self, device: Device, results: Results) -> None:
        self._device = device
        self._results = results
        everything = [r for r in results.all if r["device"] == device.name]
        self.compilers = sorted({r["compiler"] for r in everything})
        self._keys = list(
            dict.fromkeys((r["suite"], r["implementation"]) for r in everything)
        )
        order = [subject.slug for subject in subjects.subjects()]
        self._keys.sort(key=lambda k: order.index(k[0]) if k[0] in order else -1)

    @property
    def names(self) -> set[str]:
        """What there are results of, whatever they came to."""
        return {suite for suite, _ in self._keys}

    def of(
        self, suite: str, implementation: str | None = None, header: int = 0
    ) -> list[Result]:
        """Return the results with such a header, of the flags that are balanced.

        Of all implementations when none is named.
        """
        found = [
            result
            for result in self._results.matching(
                device=self._device.name, suite=suite, ad_bytes=header
            )
            if implementation in {None, result["implementation"]}
        ]
        sizes = {result["message_bytes"] for result in found}
        if not sizes:
            return []
        size = REFERENCE if REFERENCE in sizes else min(sizes)
        best = balanced(r for r in found if r["message_bytes"] == size)
        return [r for r in found if best is not None and _same_way(r, best)]

    def lacking_sizes(self) -> list[str]:
        """Return the suites with figures, but not of all sizes that are shown."""
        blocks, frames = _blocks(), _frames()
        lacking: list[str] = []
        for suite, implementation in self._keys:
            if suite in frames:
                continue
            about = {"suite": suite, "implementation": implementation}
            about["device"] = self._device.name
            sizes = {
                result["message_bytes"]
                for result in (
                    *self._results.matching(**about, ad_bytes=0),
                    *self._results.problems(**about, ad_bytes=0),
                )
            }
            whole = suite in blocks or set(SIZES) <= sizes
            if not whole and suite not in lacking:
                lacking.append(suite)
        return lacking

    def suite_table(self, slug: str, title: str, suites: Sequence[str]) -> Table:
        """Return the table of these suites."""
        rows = [
            Row(self._suite_cells(suite, implementation))
            for suite, implementation in self._keys
            if suite in suites
        ]
        return Table(
            slug,
            title,
            _SUITE_COLUMNS,
            rows,
            caption=(
                "With the flags that give the least code size times cycles of"
                f" set-up and sealing {REFERENCE} bytes. Time and energy: set-up"
                " and sealing."
            ),
        )

    def folded_tables(self) -> Iterator[Table]:
        """Return the tables of all suites and of all block ciphers."""
        blocks, frames = _blocks(), _frames()
        suites = [suite for suite, _ in self._keys if suite not in blocks | frames]
        if set(suites) - set(HEADLINE):
            slug = f"{self._device.name}-all-suites"
            whole = self.suite_table(slug, f"All {len(set(suites))} suites", suites)
            yield _fold(whole)
        yield from self._frame_table([key for key in self._keys if key[0] in frames])
        keys = [key for key in self._keys if key[0] in blocks]
        if keys:
            rows = [Row(self._block_cells(*key)) for key in keys]
            slug = f"{self._device.name}-blocks"
            table = Table(slug, "Block ciphers", _BLOCK_COLUMNS, rows)
            yield _fold(table)

    def _frame_table(self, keys: Sequence[tuple[str, str]]) -> Iterator[Table]:
        """Return the table of frame security, if it was measured."""
        if keys:
            rows = [
                Row(self._suite_cells(*key, FRAME_SIZES, FRAME_HEADER)) for key in keys
            ]
            yield Table(
                f"{self._device.name}-frames",
                "Frame security of IEEE 802.15.4",
                _FRAME_COLUMNS,
                rows,
                caption=(
                    f"A data frame of 2006 with {FRAME_HEADER} bytes of header: parsed,"
                    " looked up, protected or opened where it lies. Code is all of"
                    " that with its cipher; RAM the tables of 2 keys and 8 devices"
                    " with their counters, not the frame. Bytes are those of the"
                    " payload; the number behind the name is the MIC's. Set-up fills"
                    " the tables, once, and is not part of time and energy."
                ),
            )

    def _suite_cells(
        self,
        suite: str,
        implementation: str,
        sizes: Sequence[int] = SIZES,
        header: int = 0,
    ) -> list[Cell]:
        results = self.of(suite, implementation, header)
        if not results:
            return self._without_figures(suite, implementation, len(_SUITE_COLUMNS))
        at = {result["message_bytes"]: result for result in results}
        some = at.get(REFERENCE, results[0])
        kind = origin(some)
        return [
            *_common_cells(suite, implementation, some),
            number(some["cycles"]["set_up"], kind),
            *(_cycles(at.get(size), "seal") for size in sizes),
            _cycles(at.get(REFERENCE), "open"),
            *self._time_and_energy(at.get(REFERENCE), with_set_up=header == 0),
            _constant_time(some),
        ]

    def _block_cells(self, suite: str, implementation: str) -> list[Cell]:
        results = self.of(suite, implementation)
        if not results:
            return self._without_figures(suite, implementation, len(_BLOCK_COLUMNS))
        (result, *_) = results
        return [
            *_common_cells(suite, implementation, result),
            *(number(count, origin(result)) for count in result["cycles"].values()),
            *self._time_and_energy(result),
            _constant_time(result),
        ]

    def _time_and_energy(
        self, result: Result | None, *, with_set_up: bool = True
    ) -> list[Cell]:
        if result is None:
            return [NOT_MEASURED, NOT_MEASURED]
        device = self._device
        cycles = total(result) if with_set_up else result["cycles"]["seal"]
        return [
            significant(device.time_us(cycles) / 1e3, origin(result)),
            significant(
                device.energy_uj(cycles),
                energy_origin(device),
                remark=energy_remark(device),
            ),
        ]

    def _without_figures(
        self, suite: str, implementation: str, width: int
    ) -> list[Cell]:
        refused = self._results.problems(
            device=self._device.name, suite=suite, implementation=implementation
        )
        reason = refused[0]["problem"] if refused else ""
        second = words("does not fit", reason) if reason else NOT_MEASURED
        empty = [Cell(None, "-", remark=reason)] * (width - 2)
        return [words(full_name(suite, implementation)), second, *empty]


def _blocks() -> set[str]:
    """Return the block ciphers, which take a block and no message."""
    return {s.slug for s in subjects.subjects() if s.block_size}


def _frames() -> set[str]:
    """Return what secures whole frames."""
    return {s.slug for s in subjects.subjects() if s.frame is not None}


def _same_way(one: Result, other: Result) -> bool:
    """Tell whether two results are of one way to compile."""
    return all(one[name] == other[name] for name in ("implementation", "opt"))


def _fold(table: Table) -> Table:
    return replace(table, folded=True)


def full_name(suite: str, implementation: str) -> str:
    """Return a suite's name, and its implementation unless it is portable C."""
    return suite if implementation == PORTABLE else f"{suite} ({implementation})"


def _common_cells(suite: str, implementation: str, result: Result) -> list[Cell]:
    return [
        words(full_name(suite, implementation)),
        words(f"-{result['opt']}"),
        number(result["code_bytes"], Origin.MEASURED),
        number(result["static_ram_bytes"], Origin.MEASURED),
        number(result["stack_bytes"], Origin.MEASURED),
    ]


def _cycles(result: Result | None, verb: str) -> Cell:
    if result is None:
        return NOT_MEASURED
    return number(result["cycles"][verb], origin(result))


def _constant_time(result: Result) -> Cell:
    if result["constant_time"] is None:
        return NOTHING
    if result["constant_time"]:
        remark = f"{result['samples']} random keys, nonces and messages: one count"
        return words("yes", remark)
    by = ", ".join(f"{verb} {n:,}" for verb, n in result["varies"].items())
    return words(f"varies: {by}", "cycles between the fastest and the slowest sample")


def _plots(device: Device, chosen: _Chosen) -> list[Plot]:
    named = [(suite, chosen.of(suite)) for suite in HEADLINE]
    sealed, spots = [], []
    for colour, (suite, results) in enumerate(named):
        ordered = sorted(results, key=lambda result: result["message_bytes"])
        name = full_name(suite, ordered[0]["implementation"]) if ordered else suite
        xs, ys = [r["message_bytes"] for r in ordered], [total(r) for r in ordered]
        if len(ordered) > 1:
            sealed.append(charts.Line(name, xs, ys, colour))
        if REFERENCE in xs:
            at = ordered[xs.index(REFERENCE)]
            spot = charts.Line(name, [at["code_bytes"]], [total(at)], colour)
            spots.append(spot)
    plots = []
    if sealed:
        plots.append(_lines_plot(device, sealed))
    if spots:
        plots.append(_spots_plot(device, spots))
    return plots


def _lines_plot(device: Device, lines: Sequence[charts.Line]) -> Plot:
    title = f"Cycles over message size, {device.name}"
    panel = charts.Panel(
        "",
        lines,
        charts.Axis("message [bytes]"),
        charts.Axis("set-up and seal [cycles]"),
    )
    return charts.lines(charts.Words(f"{device.name}-cycles", title), [panel], 3.6)


def _spots_plot(device: Device, spots: Sequence[charts.Line]) -> Plot:
    title = f"Code against cycles, {device.name}"
    panel = charts.Panel(
        "",
        spots,
        charts.Axis("code [bytes]"),
        charts.Axis(f"set-up and seal {REFERENCE} bytes [cycles]", logarithmic=True),
    )
    caption = "Nearer to the lower left is better."
    return charts.points(charts.Words(f"{device.name}-code", title, caption), [panel])


def _missing(device: Device, chosen: _Chosen) -> list[Missing]:
    command = f"samara bench run --device {device.name}"
    if not chosen.names:
        return [Missing(f"anything on {device.name}.", command)]
    found = []
    if absent := _absent(chosen):
        what = f"{len(absent)} ciphers and modes, such as {_some(absent)}."
        few = absent if len(absent) <= _LISTED else []
        suites = "".join(f" --suite {suite}" for suite in few)
        found.append(Missing(what, f"{command}{suites}"))
    if lacking := chosen.lacking_sizes():
        suites = "".join(f" --suite {suite}" for suite in lacking)
        sizes = "".join(f" --message {size}" for size in SIZES)
        what = f"some of the sizes shown here, for {_some(lacking)}."
        found.append(Missing(what, f"{command}{suites}{sizes} --ad 0"))
    return found


def _absent(chosen: _Chosen) -> list[str]:
    """Return one suite of each program without results: tags change no program."""
    known = subjects.subjects()
    there = {s.image_name for s in known if s.slug in chosen.names}
    absent = {s.image_name: s.slug for s in known if s.image_name not in there}
    return list(absent.values())


def _some(names: Sequence[str]) -> str:
    """List the first few."""
    rest = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + rest


_LISTED = 6
