# SPDX-License-Identifier: Apache-2.0
"""Table 1 of the Grain-128AEAD note: balanced choices on AVR and MSP430."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from samara.bench import best_known, devices, published
from samara.bench.report import leastwork
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
    words,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from samara.bench.best_known import BestKnown
    from samara.bench.published import Record
    from samara.bench.report.selecting import Results
    from samara.bench.results import Result

SLUG = "grain128aead"
MESSAGE, HEADER = 1224, 40

_DEVICES = {"ATmega128": "atmega128", "MSP430F1611": "msp430f1611"}
_GRAIN = "Grain-128AEAD"

_OURS = {
    "Grain-128AEAD": ("grain128aead", "Grain-128AEADv2"),
    "ASCON": ("ascon-aead128", "Ascon-AEAD128"),
    "AES-GCM": ("aes128-gcm", "AES-128-GCM"),
    "ACORN": ("acorn128", "ACORN-128 v3"),
    "Ketje-Jr": ("ketje-jr", "Ketje Jr v2"),
    "NORX": ("norx32", "NORX32-4-1 v3"),
    "AES-CCM": ("aes128-ccm-16", "AES-128-CCM, 16-byte tag"),
}
"""Samara's suites, and the cipher of the note that each is compared with."""

_COLUMNS = (
    label("device"),
    label("cipher"),
    label("by"),
    label("flags"),
    Column("state", "bytes"),
    Column("code", "bytes"),
    Column("stack", "bytes"),
    Column("cycles"),
    Column("code x cycles", "log2"),
)

_FINDING = (
    "The note's ASCON is Ascon-128 of the competition, which takes more work a byte"
    " than Ascon-AEAD128, and its Grain-128AEAD the first version; ours are"
    " Ascon-AEAD128 of SP 800-232 and Grain-128AEADv2, so that only orders of"
    " magnitude can be compared. The note does not say which versions of ACORN, Ketje"
    " Jr and NORX it measured: ours are the last ones, and NORX is NORX32, because"
    " its state has 64 bytes."
)
_PROCESSORS = {"atmega128": leastwork.AVR, "msp430f1611": leastwork.MSP430}
_TOO_FEW = 0.2
"""Cycles that are doubted are fewer than this times the best public code's: no
compiler and no trick of a program that nobody has found makes so much."""
_DOUBT = "‡"


def section(results: Results) -> Section:
    """Return the note's table beside ours."""
    paper = published.paper(SLUG)
    found = Section(
        slug=f"paper-{SLUG}",
        title=f"{paper.name}: Table 1",
        intro=(
            f"Authenticated encryption of {MESSAGE:,} bytes with {HEADER} bytes of"
            " associated data. Balanced: the flags with the least code size times"
            " cycles, set-up included. State: what is kept between calls."
        ),
        group="Papers",
        name=paper.name,
        source=paper.citation,
    )
    found.parts = [
        *_missing(results),
        Table(
            "grain128aead-table1",
            "Balanced choices",
            _COLUMNS,
            list(_rows(results)),
            caption=f"{_DOUBT}: doubted, see below.",
            groups=True,
        ),
        *_doubts(),
        Remark(_FINDING),
        _plot(results),
    ]
    return found


def ours(results: Results, device: str, suite: str) -> Result | None:
    """Return our balanced result of a suite in the note's scenario."""
    return balanced(
        results.matching(
            device=device, suite=suite, message_bytes=MESSAGE, ad_bytes=HEADER
        )
    )


def _records(processor: str) -> Iterator[Record]:
    for record in published.table("grain128aead_mcu.csv"):
        if record.text("processor") == processor:
            yield record


def _rows(results: Results) -> Iterator[Row]:
    for processor, device in _DEVICES.items():
        records = list(_records(processor))
        # Ours goes below the last of the cipher's published rows.
        below = {_counterpart(r.text("cipher")): i for i, r in enumerate(records)}
        for i, record in enumerate(records):
            yield _published_row(device, record)
            for name, (suite, title) in _OURS.items():
                if below.get(name, len(records) - 1) == i:
                    yield _our_row(results, device, suite, title)


def doubted(device: str, record: Record) -> BestKnown | None:
    """Return the public code that makes a published count incredible, if any.

    A count is doubted that is less than a fifth of what the best public code
    takes for the same message.
    """
    cycles = record.number("total_cycles")
    suite, _ = _OURS.get(_counterpart(record.text("cipher")), ("", ""))
    best = best_known.best(devices.device(device), suite, (MESSAGE, HEADER))
    if cycles is None or best is None or cycles >= _TOO_FEW * best.count:
        return None
    return best


def _impossible(device: str, record: Record) -> str:
    """Return why no program can have a published count, or nothing."""
    cycles = record.number("total_cycles")
    if record.text("cipher") != "NORX" or cycles is None:
        return ""
    processor = _PROCESSORS[device]
    if cycles >= leastwork.least_cycles(processor, MESSAGE, HEADER):
        return ""
    return leastwork.explanation(processor, MESSAGE, HEADER)


def _doubt(device: str, record: Record) -> str:
    """Return why a published count cannot be that of the scenario, or nothing."""
    best = doubted(device, record)
    if best is None:
        return _impossible(device, record)
    return (
        f"the best public code that is known, {best.title}, takes {best.count:,} in a"
        f" simulator, {best.count / record.value('total_cycles'):.1f} times as many"
    )


def _doubts() -> Iterator[Remark]:
    for processor, device in _DEVICES.items():
        for record in _records(processor):
            reason = _doubt(device, record)
            if reason:
                yield Remark(
                    f"The published {record.value('total_cycles'):,.0f} cycles of"
                    f" {record.text('cipher')} on the {processor} cannot be those of"
                    f" this scenario: {reason}."
                )


def _counterpart(cipher: str) -> str:
    """Return the cipher that a published name is a variant of."""
    return cipher.removesuffix(" (alt.)")


def _published_row(device: str, record: Record) -> Row:
    numbers = [
        number(record.number(name), Origin.PUBLISHED)
        for name in ("state_bytes", "code_bytes", "stack_bytes", "total_cycles")
    ]
    reason = _doubt(device, record)
    if reason:
        *others, cycles = numbers
        text = f"{cycles.text} {_DOUBT}"
        numbers = [*others, replace(cycles, text=text, remark=reason)]
    power = number(record.number("log2_code_times_cycles"), Origin.PUBLISHED, 2)
    texts = (words(device), words(record.text("cipher")), words("note"), NOTHING)
    return Row([*texts, *numbers, power])


def _our_row(results: Results, device: str, suite: str, title: str) -> Row:
    result = ours(results, device, suite)
    head = [words(device), words(title, suite), words("samara")]
    if result is None:
        return Row([*head, NOTHING, *[NOT_MEASURED] * 5], emphasis=True)
    kept, kind = Origin.MEASURED, result.origin
    return Row(
        [
            *head,
            words(result.compiled),
            number(result.static_ram_bytes, kept),
            number(result.code_bytes, kept),
            number(result.stack_bytes, kept),
            number(result.total_cycles, kind),
            number(math.log2(result.cost), kind, 2),
        ],
        emphasis=True,
    )


def _missing(results: Results) -> Iterator[Missing]:
    for device in _DEVICES.values():
        absent = [s for s, _ in _OURS.values() if ours(results, device, s) is None]
        if absent:
            suites = " ".join(f"--suite {suite}" for suite in absent)
            yield Missing(
                f"{', '.join(absent)} on {device}, {MESSAGE:,} + {HEADER} bytes.",
                f"samara bench run --device {device} {suites}"
                f" --message {MESSAGE} --ad {HEADER}",
            )


def _plot(results: Results) -> Plot:
    title = "Code against cycles, the note's figures hollow"
    x, y = charts.Axis("code", "bytes"), charts.Axis("cycles")
    drawn = [
        charts.Chart(
            device,
            x,
            y,
            [
                *_spots("note", _printed(processor), _GRAIN, 7),
                *_spots("samara", _measured(results, device), _OURS[_GRAIN][1], 2),
            ],
        )
        for processor, device in _DEVICES.items()
    ]
    return Plot("grain128aead-plot", title, drawn)


def _spots(
    whose: str, points: Iterable[charts.Point], chief: str, colour: int
) -> Iterator[charts.Series]:
    """Yield the points of the chief cipher, and those of all others."""
    parts: dict[bool, list[charts.Point]] = {True: [], False: []}
    for point in points:
        parts[point.label == chief].append(point)
    for is_chief, some in parts.items():
        name = f"{whose}: {chief if is_chief else 'others'}"
        if some:
            own = 1 if is_chief else colour
            yield charts.Series(name, some, charts.Draws.POINTS, own)


def _printed(processor: str) -> Iterator[charts.Point]:
    for record in _records(processor):
        cycles = record.number("total_cycles")
        if cycles is not None:
            code, name = record.value("code_bytes"), record.text("cipher")
            yield charts.Point(code, cycles, label=name, origin=Origin.PUBLISHED)


def _measured(results: Results, device: str) -> Iterator[charts.Point]:
    for suite, title in _OURS.values():
        result = ours(results, device, suite)
        if result is not None:
            build = f"{result.implementation}, -{result.opt}"
            yield charts.Point(
                result.code_bytes or 0,
                result.total_cycles,
                label=title,
                origin=result.origin,
                source=build,
            )
