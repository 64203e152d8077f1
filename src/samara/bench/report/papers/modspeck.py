# SPDX-License-Identifier: Apache-2.0
"""Table 2 and figures 3 to 5 of the ModSpeck paper: block ciphers on Arduino."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from samara.bench import best_known, devices, published
from samara.bench.report import merit
from samara.bench.results import Operation
from samara.figure import Origin
from samara.records import charts
from samara.records.answers import Remark
from samara.records.charts import Chart
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
    from collections.abc import Callable, Iterator, Sequence

    from samara.bench.devices import Device
    from samara.bench.published import Record
    from samara.bench.report.selecting import Results
    from samara.bench.results import Result

SLUG = "modspeck"
BLOCK_BITS = 128
CLOCK_HZ = 16_000_000
"""Of both boards."""

_BOARDS = {"uno": "atmega328p", "mega": "atmega2560"}
_CIPHERS = {
    "ModSpeck": "modspeck128-{}",
    "Speck": "speck128-{}",
    "Simon": "simon128-{}",
    "AES": "aes{}",
}
_COLUMNS = (
    label("key"),
    label("cipher"),
    label("by"),
    label("flags"),
    Column("RAM", "bits"),
    Column("code", "kbit"),
    Column("cycles", "a block, with set-up"),
    Column("cycles", "a block, without"),
    Column("throughput", "Mbit/s, with set-up"),
    Column("throughput", "Mbit/s, without"),
    Column("energy", "nJ/bit"),
    Column("energy", "a bit, as printed"),
)
_MERIT_COLUMNS = (
    label("key"),
    label("cipher"),
    Column("as printed"),
    Column("by (3), (4)", "of the printed figures"),
    Column("samara", "by (3), (4)"),
)

_FINDINGS = (
    (
        "AES's 68.624 “kb” of code cannot be kilobytes, because the Uno has 32 kB of"
        " flash memory: read as kilobits, as here, it is 8.6 kB, which fits."
    ),
    (
        "Simon's printed cycles fall from 10,787 to 10,234 (Uno) as the key grows,"
        " although its rounds grow from 68 to 72."
    ),
    (
        "The printed energy per bit has no unit and was taken with jRAPL, which reads"
        " counters of the laptop's Intel processor: it says nothing about an Arduino,"
        " so ours, from the chip's own current, is not to be compared with it."
    ),
)
_MERIT_FINDING = (
    "The printed figure of merit is not what equations (3) and (4) give for the"
    " printed RAM, code and cycles (7.38, not 18.51, for AES-128): all twelve are met"
    " within 0.01 when RAM counts eight-fold and code a 128th, as when bits are"
    " divided by bytes."
)


@dataclass(frozen=True, slots=True)
class Contestant:
    """A cipher with a key size, in the paper's order."""

    key_bits: int
    cipher: str

    @property
    def suite(self) -> str:
        """Our name for it."""
        return _CIPHERS[self.cipher].format(self.key_bits)

    @property
    def title(self) -> str:
        """What plots call it."""
        return f"{self.cipher}-{self.key_bits}"


def section(results: Results) -> Section:
    """Return the paper's table and figures beside ours."""
    paper = published.paper(SLUG)
    found = Section(
        slug=f"paper-{SLUG}",
        title=f"{paper.name}: Table 2, Figs. 3 to 5",
        intro=(
            "One block of 128 bits on an Arduino Uno and a Mega at 16 MHz. Of each"
            " cipher we show the flags with the least performance parameter by"
            " equation (3). RAM: variables and stack. The paper does not say whether"
            " its cycles include the key's set-up; they grow with the key as if so."
        ),
        group="Papers",
        name=paper.name,
        source=paper.citation,
    )
    ours = {board: _best(results, board) for board in _BOARDS}
    found.parts = [
        *_missing(ours),
        *(_table(board, ours[board]) for board in _BOARDS),
        *(Remark(text) for text in _FINDINGS),
        _merit_table(ours),
        Remark(_MERIT_FINDING),
        *_slow_speck(results, ours),
        *_plots(ours),
    ]
    return found


def contestants() -> list[tuple[Contestant, Record]]:
    """Return the paper's rows, and what each is about."""
    return [
        (Contestant(int(record.value("key_bits")), record.text("cipher")), record)
        for record in published.table("modspeck_arduino.csv")
    ]


_Best = dict[str, tuple["Result", float]]
"""By suite: our best result, and its performance parameter."""


def _unchanged(result: Result) -> Result:
    return result


def _best(
    results: Results, board: str, change: Callable[[Result], Result] = _unchanged
) -> _Best:
    """Return the result of each cipher with the least parameter on a board.

    Parameters
    ----------
    change
        Makes another result of one, for what would be.
    """
    suites = {contestant.suite for contestant, _ in contestants()}
    found = [
        change(result)
        for result in results.matching(device=_BOARDS[board])
        if result.suite in suites
    ]
    parameters = merit.parameters([merit.metrics(result) for result in found])
    best: _Best = {}
    for result, parameter in zip(found, parameters, strict=True):
        suite = result.suite
        if suite not in best or parameter < best[suite][1]:
            best[suite] = (result, parameter)
    return best


def _table(board: str, ours: _Best) -> Table:
    rows = []
    for contestant, record in contestants():
        rows.append(_published_row(board, contestant, record))
        rows.append(_our_row(board, contestant, ours))
    device = devices.device(_BOARDS[board])
    return Table(f"modspeck-{board}", device.title, _COLUMNS, rows, groups=True)


def _published_row(board: str, contestant: Contestant, record: Record) -> Row:
    def cell(name: str, digits: int = 0, remark: str = "") -> Cell:
        value = record.number(f"{board}_{name}")
        return number(value, Origin.PUBLISHED, digits, remark)

    return Row(
        [
            words(f"{contestant.key_bits} bits"),
            words(contestant.cipher),
            words("paper"),
            NOTHING,
            cell("ram_bits"),
            cell("code_kb", 3),
            cell("cycles"),
            NOTHING,
            cell("mbit_s", 2),
            NOTHING,
            NOTHING,
            cell("energy_per_bit", 2, "without unit, of a laptop's processor"),
        ]
    )


def _our_row(board: str, contestant: Contestant, ours: _Best) -> Row:
    head = [
        words(f"{contestant.key_bits} bits"),
        words(contestant.cipher, contestant.suite),
        words("samara"),
    ]
    if contestant.suite not in ours:
        return Row([*head, NOTHING, *[NOT_MEASURED] * 7, NOTHING], emphasis=True)
    result, _ = ours[contestant.suite]
    kind = result.origin
    cycles = (result.total_cycles, result.protect_cycles)
    return Row(
        [
            *head,
            words(result.compiled),
            number(8 * result.memory_bytes, Origin.MEASURED),
            number(8 * (result.code_bytes or 0) / 1000, Origin.MEASURED, 3),
            *(number(count, kind) for count in cycles),
            *(number(throughput(count), kind, 2) for count in cycles),
            _energy_cell(board, result),
            NOTHING,
        ],
        emphasis=True,
    )


def _energy_cell(board: str, result: Result) -> Cell:
    device = devices.device(_BOARDS[board])
    nanojoules = energy_per_bit(device, result)
    return significant(nanojoules, device.energy_origin, remark=device.energy_source)


def throughput(cycles: float) -> float:
    """Return Mbit/s for blocks that take so many cycles: the paper's (1).

    >>> round(throughput(11_355), 2)
    0.18
    """
    return BLOCK_BITS * CLOCK_HZ / cycles / 1e6


def energy_per_bit(device: Device, result: Result) -> float:
    """Return nJ for each bit of a block, set-up included: the paper's (2)."""
    return 1e3 * device.energy_uj(result.total_cycles) / BLOCK_BITS


def our_merit(ours: dict[str, _Best], suite: str) -> float | None:
    """Return a cipher's figure of merit by (4); None unless both boards have it."""
    if any(suite not in best for best in ours.values()):
        return None
    return merit.figure([best[suite][1] for best in ours.values()])


def _merit_table(ours: dict[str, _Best]) -> Table:
    rows = []
    recomputed = merit.published()
    for (contestant, record), again in zip(contestants(), recomputed, strict=True):
        own = our_merit(ours, contestant.suite)
        printed = record.value("figure_of_merit")
        rows.append(
            Row(
                [
                    words(f"{contestant.key_bits} bits"),
                    words(contestant.cipher, contestant.suite),
                    number(printed, Origin.PUBLISHED, 2),
                    number(again, Origin.PUBLISHED, 2),
                    NOT_MEASURED if own is None else number(own, Origin.MEASURED, 2),
                ]
            )
        )
    caption = (
        "Less is better. Ours compares our ciphers with one another: the least RAM,"
        " code and cycles among all our results on a board are its ones."
    )
    title = "Figure of merit"
    slug = "modspeck-merit"
    return Table(slug, title, _MERIT_COLUMNS, rows, caption, groups=True)


def _slow_speck(results: Results, ours: dict[str, _Best]) -> Iterator[Remark]:
    """Yield a sentence if AES is before Speck only because of samara's code."""
    speck, aes = (Contestant(BLOCK_BITS, name).suite for name in ("Speck", "AES"))
    merits = our_merit(ours, speck), our_merit(ours, aes)
    if merits[0] is None or merits[1] is None or merits[1] >= merits[0]:
        return
    times = {suite: _times_best(ours, suite) for suite in (speck, aes)}
    if times[speck] <= times[aes]:
        return
    # With the other cycles, the least values that all are compared with change too.
    best = {board: _best(results, board, _as_best_known(speck)) for board in _BOARDS}
    yield Remark(
        f"In our figure of merit AES ({merits[1]:.2f}) is before Speck"
        f" ({merits[0]:.2f}), both with keys of {BLOCK_BITS} bits. That tells of our"
        f" programs: our Speck takes {times[speck]:.1f} times the cycles of the best"
        f" public code for a block, our AES {times[aes]:.1f} times. With that code's"
        f" cycles for a block Speck would have {our_merit(best, speck):.2f}, and our"
        f" AES {our_merit(best, aes):.2f}."
    )


def _times_best(ours: dict[str, _Best], suite: str) -> float:
    """Return how many times as long a block takes as in the best public code.

    The greatest of all boards; 0 where no public code is known.
    """
    found = [0.0]
    for board, best in ours.items():
        row = best_known.best(devices.device(_BOARDS[board]), suite)
        if row is not None:
            found.append(best_known.ratio(best[suite][0], row) or 0.0)
    return max(found)


def _as_best_known(suite: str) -> Callable[[Result], Result]:
    """Return what gives a suite's results the best public code's cycles."""

    def changed(result: Result) -> Result:
        row = best_known.best(devices.device(result.device), suite)
        if row is None or result.suite != suite:
            return result
        fewer = min(row.count, result.protect_cycles)
        return replace(result, cycles={**result.counts, Operation.ENCRYPT: fewer})

    return changed


def _missing(ours: dict[str, _Best]) -> Iterator[Missing]:
    for board, best in ours.items():
        wanted = [contestant.suite for contestant, _ in contestants()]
        absent = [suite for suite in wanted if suite not in best]
        if absent:
            device = _BOARDS[board]
            suites = " ".join(f"--suite {suite}" for suite in absent)
            yield Missing(
                f"{', '.join(absent)} on {device}.",
                f"samara bench run --device {device} {suites}",
            )


def _plots(ours: dict[str, _Best]) -> list[Plot]:
    return [_fig3(ours), _fig4(ours), _fig5(ours)]


def _titles() -> list[str]:
    return [contestant.title for contestant, _ in contestants()]


def _ours_or_none(
    best: _Best, compute: Callable[[Result], float]
) -> list[float | None]:
    suites = [contestant.suite for contestant, _ in contestants()]
    return [compute(best[s][0]) if s in best else None for s in suites]


def _printed(name: str) -> Sequence[float | None]:
    return [record.number(name) for _, record in contestants()]


def _titled(title: str, across: charts.Axis, series: list[charts.Series]) -> Chart:
    """Return a chart with a line for each contestant."""
    return Chart(title, across, charts.Axis("", names=_titles()), series)


def _fig3(ours: dict[str, _Best]) -> Plot:
    axis = charts.Axis("throughput", "Mbit/s")
    drawn = [
        _titled(
            devices.device(device).title,
            axis,
            [
                _theirs("paper", _printed(f"{board}_mbit_s"), 4),
                charts.dots("samara, with set-up", _with_set_up(ours[board]), 2),
                charts.dots("samara, without", _without_set_up(ours[board]), 0),
            ],
        )
        for board, device in _BOARDS.items()
    ]
    return Plot("modspeck-fig3", "Throughput at 16 MHz (Fig. 3)", drawn)


def _theirs(name: str, values: Sequence[float | None], colour: int) -> charts.Series:
    return charts.dots(name, values, colour, Origin.PUBLISHED)


def _with_set_up(best: _Best) -> list[float | None]:
    return _ours_or_none(best, lambda result: throughput(result.total_cycles))


def _without_set_up(best: _Best) -> list[float | None]:
    return _ours_or_none(best, lambda r: throughput(r.protect_cycles))


def _fig4(ours: dict[str, _Best]) -> Plot:
    drawn = []
    for board, name in _BOARDS.items():
        device = devices.device(name)
        own = _ours_or_none(ours[board], partial(energy_per_bit, device))
        printed = _printed(f"{board}_energy_per_bit")
        series = [
            _theirs("paper, no unit", printed, 4),
            charts.dots("samara, nJ/bit", own, 2, device.energy_origin),
        ]
        drawn.append(_titled(device.title, charts.Axis("energy per bit"), series))
    title = "Energy per bit (Fig. 4)"
    caption = "The two are not of one unit: only the order within each can be compared."
    return Plot("modspeck-fig4", title, drawn, caption)


def _fig5(ours: dict[str, _Best]) -> Plot:
    own = [our_merit(ours, contestant.suite) for contestant, _ in contestants()]
    series = [
        _theirs("paper, printed", _printed("figure_of_merit"), 4),
        _theirs("paper, by (3) and (4)", merit.published(), 0),
        charts.dots("samara, by (3) and (4)", own, 2),
    ]
    title = "Figure of merit (Fig. 5)"
    chart = _titled(title, charts.Axis("figure of merit"), series)
    return Plot("modspeck-fig5", title, [chart])
