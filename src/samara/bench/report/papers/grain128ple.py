# SPDX-License-Identifier: Apache-2.0
"""Table I of the Grain-128PLE paper: time over the length of a message."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from samara.bench import devices, published
from samara.bench.report.host import measure
from samara.bench.report.selecting import balanced
from samara.figure import Origin
from samara.records import charts
from samara.records.answers import Remark
from samara.records.parts import Missing, Plot, Section
from samara.records.tables import (
    NOT_MEASURED,
    NOTHING,
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

    from samara.bench.report.host import HostTimes
    from samara.bench.report.selecting import Results
    from samara.bench.results import Result

SLUG = "grain128ple"
SUITE = "grain128ple"
SIZES = (100, 128, 1024, 10_240, 102_400)
DEVICE_SIZES = tuple(size for size in SIZES if size <= 1024)  # noqa: PLR2004
MBYTE = 1 << 20
"""Bytes of the paper's Mbyte."""
STATE_BITS = 256
"""Of the generator's two registers, which is all that the cipher has."""

_COLUMNS = (
    label("on"),
    label("flags"),
    Column("message", "bytes"),
    Column("encrypt", "ms"),
    Column("encrypt", "s/Mbyte"),
    Column("start-up", "ms"),
    Column("without start-up", "s/Mbyte"),
    Column("decrypt", "ms"),
    Column("decrypt", "s/Mbyte"),
)
_MEMORY_COLUMNS = (
    label("on"),
    label("flags"),
    Column("RAM", "bytes"),
    Column("stack", "bytes"),
    Column("code", "bytes"),
)

_FINDING = (
    "The published overhead rises 28-fold from 100 to 102,400 bytes, which a stream"
    " cipher's cannot, because every bit costs the same after start-up: it is the"
    " testbed's program that slows down, as one that copies its message for every bit"
    " does."
)
_FLAT = 0.1
"""By how much what is called flat may differ, as a part of the least."""
_MEMORY_FINDING = (
    "The published 14.31 and 12.50 kbyte are memory of the LabVIEW program: the"
    f" cipher's own registers have {STATE_BITS} bits, {STATE_BITS // 8} bytes."
)


def section(results: Results) -> Section:
    """Return the paper's table beside ours, on this machine and on devices."""
    return section_with(results, measure(SUITE, SIZES))


def section_with(results: Results, host: HostTimes) -> Section:
    """Return the paper's table beside ours, on a host and on devices."""
    paper = published.paper(SLUG)
    found = Section(
        slug=f"paper-{SLUG}",
        title=f"{paper.name}: Table I",
        intro=(
            "Time to encrypt messages of 100 to 102,400 bytes, on this machine"
            f" ({host.processor}, one call in C a message) and, up to 1,024, on devices"
            " (balanced flags). Decrypting is the same operation, so that the host's"
            " is not timed again."
        ),
        group="Papers",
        name=paper.name,
        source=paper.citation,
    )
    chosen = _on_devices(results)
    found.parts = [
        *_missing(chosen),
        _time_table(chosen, host),
        Remark(_FINDING),
        Remark(course(host)),
        _memory_table(chosen),
        Remark(_MEMORY_FINDING),
        _plot(chosen, host),
    ]
    return found


_Chosen = dict[str, dict[int, "Result"]]
"""By device and by bytes of the message."""


def _on_devices(results: Results) -> _Chosen:
    chosen: _Chosen = {}
    for device in devices.devices():
        found = results.matching(device=device.name, suite=SUITE)
        best = balanced(r for r in found if r.message_bytes == DEVICE_SIZES[-1])
        best = best or balanced(found)
        chosen[device.name] = {
            r.message_bytes: r
            for r in found
            if best is not None
            and (r.opt, r.implementation) == (best.opt, best.implementation)
            and r.message_bytes in DEVICE_SIZES
        }
    return chosen


def _time_table(chosen: _Chosen, host: HostTimes) -> Table:
    rows = [*_published_rows(), *_host_rows(host)]
    for name, by_size in chosen.items():
        rows += _device_rows(name, by_size)
    title = "Time over message length"
    return Table("grain128ple-table1", title, _COLUMNS, rows, groups=True)


def _published_rows() -> Iterator[Row]:
    kind = Origin.PUBLISHED
    for record in published.table("grain128ple_time.csv"):
        yield Row(
            [
                words("paper, LabVIEW on a laptop"),
                NOTHING,
                number(record.number("message_bytes"), kind),
                number(record.number("encrypt_ms"), kind, 1),
                number(record.number("encrypt_s_per_mbyte"), kind, 2),
                NOTHING,
                NOTHING,
                number(record.number("decrypt_ms"), kind, 1),
                number(record.number("decrypt_s_per_mbyte"), kind, 2),
            ]
        )


def _host_rows(host: HostTimes) -> Iterator[Row]:
    start_up = start_up_seconds(host)
    for size, seconds in host.seconds.items():
        kind = Origin.HOST_CLOCK
        yield Row(
            [
                words("this machine", host.processor),
                NOTHING,
                number(size, Origin.MEASURED),
                significant(seconds * 1e3, kind),
                significant(seconds / size * MBYTE, kind),
                significant(start_up * 1e3, Origin.ESTIMATED),
                significant((seconds - start_up) / size * MBYTE, Origin.ESTIMATED),
                NOTHING,
                NOTHING,
            ],
            emphasis=True,
        )


def course(host: HostTimes) -> str:
    """Say how this run's time for a byte goes with the length of a message."""
    start_up = start_up_seconds(host)
    small, large = min(host.seconds), max(host.seconds)
    ratio = (host.seconds[small] / small) / (host.seconds[large] / large)
    rest = [(seconds - start_up) / size for size, seconds in host.seconds.items()]
    spread = max(rest) / min(rest) - 1 if min(rest) > 0 else math.inf
    with_it = (
        f"With start-up, a byte of {small:,} takes {ratio:.2f} times as long on this"
        f" machine as a byte of {large:,}: 512 clocks of start-up are shared by fewer"
        " bytes."
        if ratio > 1
        else f"In this run a byte of {small:,} takes no longer than a byte of"
        f" {large:,}, which start-up should cause."
    )
    if spread <= _FLAT:
        return f"{with_it} Without it, it is flat within {spread:.0%}."
    by = f"{spread:.0%}" if math.isfinite(spread) else "a large multiple"
    return (
        f"{with_it} Without it, it should be flat; in this run it differs by"
        f" {by} between the sizes, and the start-up is no more than a guess."
    )


def start_up_seconds(host: HostTimes) -> float:
    """Return the time before the first bit: the line through two sizes, at none.

    The two are the least, and the one nearest to ten times that: far longer
    messages would hide it.
    """
    small = min(host.seconds)
    large = min(
        (s for s in host.seconds if s != small), key=lambda s: abs(s - 10 * small)
    )
    per_byte = (host.seconds[large] - host.seconds[small]) / (large - small)
    return max(host.seconds[small] - small * per_byte, 0.0)


def _device_rows(name: str, by_size: dict[int, Result]) -> Iterator[Row]:
    device = devices.device(name)
    if not by_size:
        cells = [words(name), NOTHING, NOTHING, *[NOT_MEASURED] * 6]
        yield Row(cells, emphasis=True)
    for size, result in sorted(by_size.items()):
        kind = result.origin
        start_up = device.time_us(result.set_up_cycles) / 1e3
        seal = device.time_us(result.protect_cycles) / 1e3
        opening = start_up + device.time_us(result.unprotect_cycles) / 1e3
        yield Row(
            [
                words(name),
                words(result.compiled),
                number(size, kind),
                significant(start_up + seal, kind, 4),
                significant((start_up + seal) / 1e3 / size * MBYTE, kind, 4),
                significant(start_up, kind, 4),
                significant(seal / 1e3 / size * MBYTE, kind, 4),
                significant(opening, kind, 4),
                significant(opening / 1e3 / size * MBYTE, kind, 4),
            ],
            emphasis=True,
        )


def _memory_table(chosen: _Chosen) -> Table:
    rows = []
    for record in published.table("grain128ple_other.csv"):
        if record.text("unit") == "kbyte":
            what = record.text("quantity").partition("_")[0]
            printed = number(1e3 * record.value("value"), Origin.PUBLISHED)
            head = words(f"paper, {what}", record.text("note"))
            rows.append(Row([head, NOTHING, printed, NOTHING, NOTHING]))
    for name, by_size in chosen.items():
        if by_size:
            result = max(by_size.values(), key=lambda r: r.stack_bytes or 0)
            figures = [
                number(size, Origin.MEASURED)
                for size in (
                    result.static_ram_bytes,
                    result.stack_bytes,
                    result.code_bytes,
                )
            ]
            flags = words(result.compiled)
            rows.append(Row([words(name), flags, *figures], emphasis=True))
    return Table("grain128ple-memory", "Memory", _MEMORY_COLUMNS, rows)


def _missing(chosen: _Chosen) -> Iterator[Missing]:
    """Name the devices that lack the same sizes together."""
    lacking: dict[tuple[int, ...], list[str]] = {}
    for name, by_size in chosen.items():
        absent = tuple(size for size in DEVICE_SIZES if size not in by_size)
        if absent:
            lacking.setdefault(absent, []).append(name)
    for absent, names in lacking.items():
        options = [f"--device {name}" for name in names]
        options += [f"--message {size}" for size in absent]
        listed = ", ".join(f"{size:,}" for size in absent)
        yield Missing(
            f"messages of {listed} bytes on {', '.join(names)}.",
            f"samara bench run --suite {SUITE} {' '.join(options)}",
        )


def _plot(chosen: _Chosen, host: HostTimes) -> Plot:
    records = published.table("grain128ple_time.csv")
    lines = [
        charts.line(
            "paper, encrypt",
            [record.value("message_bytes") for record in records],
            [record.value("encrypt_s_per_mbyte") for record in records],
            4,
            Origin.PUBLISHED,
        ),
        charts.line(
            "this machine",
            list(host.seconds),
            [seconds / size * MBYTE for size, seconds in host.seconds.items()],
            2,
            Origin.HOST_CLOCK,
        ),
    ]
    shown = {name: by_size for name, by_size in chosen.items() if by_size}
    for colour, (name, by_size) in enumerate(shown.items()):
        device = devices.device(name)
        xs = sorted(by_size)
        ys = [device.time_us(by_size[x].total_cycles) / 1e6 / x * MBYTE for x in xs]
        lines.append(charts.line(name, xs, ys, (0, 1, 3, 5, 6, 7)[colour % 6]))
    title = "Overhead over message length (Fig. 5 of the paper)"
    across, up = charts.Axis("message", "bytes"), charts.Axis("overhead", "s/Mbyte")
    chart = charts.Chart(title, across, up, lines)
    return Plot("grain128ple-plot", title, [chart], "Start-up included.")
