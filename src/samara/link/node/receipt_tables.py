# SPDX-License-Identifier: Apache-2.0
"""Receipts for people: as tables, and explained line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.figure import Origin
from samara.link.node.receipt import ACKNOWLEDGEMENT, FIGURES, MESSAGE, PARTS, RADIO
from samara.records import Remark
from samara.records.tables import Cell, Column, Row, Table, label, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.link.node.receipt import Figure, Receipt

_PREFIXES = ((1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))
_DIGITS = 3


def text_of(figure: Figure) -> str:
    """Return value and unit as a person reads them.

    >>> from samara.figure import Figure, Origin
    >>> text_of(Figure(0.004256, "s", Origin.ESTIMATED, ""))
    '4.26 ms'
    >>> text_of(Figure(16343, "cycle", Origin.MEASURED, ""))
    '16,343 cycles'
    """
    if figure.unit in {"s", "J"}:
        return scaled(figure.value, figure.unit)
    plural = "" if figure.value == 1 else "s"
    return f"{figure.value:,.10g} {figure.unit}{plural}"


def scaled(value: float, unit: str) -> str:
    """Return a value with the prefix that leaves one to three digits in front."""
    if value == 0:
        return f"0 {unit}"
    for factor, prefix in _PREFIXES:
        if value >= factor:
            return f"{_three_digits(value / factor)} {prefix}{unit}"
    factor, prefix = _PREFIXES[-1]
    return f"{_three_digits(value / factor)} {prefix}{unit}"


def _three_digits(value: float) -> str:
    whole = len(str(int(value)))
    return f"{value:,.{max(_DIGITS - whole, 0)}f}"


def tables_of(receipt: Receipt) -> Iterator[Table | Remark]:
    """Yield a receipt's parts, its figures if it has some, and its remarks."""
    yield _parts_table(receipt)
    if receipt.figures:
        yield _figures_table(receipt)
    for note in receipt.remarks:
        yield Remark(f"note: {note}", is_above=True)


def heading(receipt: Receipt) -> str:
    """Return one line that says what a receipt is for."""
    suite = f", {receipt.suite}" if receipt.suite else ""
    device = f"; {receipt.device}" if receipt.device else ""
    radio = f" with {receipt.radio}" if receipt.radio else ""
    return (
        f"{receipt.message_bytes:g} bytes {receipt.direction} over {receipt.link},"
        f" {receipt.protection}{suite}{device}{radio}"
    )


_PART_COLUMNS = (label("part", rank=0), Column("bytes", rank=0))
_FIGURE_COLUMNS = (
    label("figure", rank=0),
    Column("value", rank=0),
    label("origin", rank=2),
    Column("from", numeric=False, wraps=True),
)


def _parts_table(receipt: Receipt) -> Table:
    factor = "" if receipt.expansion is None else f", expansion {receipt.expansion:.3f}"
    return Table(
        "receipt-parts",
        heading(receipt),
        _PART_COLUMNS,
        list(_part_rows(receipt)),
        f"in {_packets(receipt)}{factor}",
    )


def _part_rows(receipt: Receipt) -> Iterator[Row]:
    """Yield what is handed to the radio and its sum, then the air's and its sum."""
    behind = (ACKNOWLEDGEMENT, RADIO)
    for name, meaning in PARTS.items():
        value = receipt.parts.get(name, 0)
        if name not in behind and (value or name == MESSAGE):
            yield _part(meaning.label, value)
    yield _part("handed to the radio", receipt.link_bytes, is_sum=True)
    if answers := receipt.parts.get(ACKNOWLEDGEMENT, 0):
        yield _part(PARTS[ACKNOWLEDGEMENT].label, answers)
    yield _part(PARTS[RADIO].label, receipt.parts.get(RADIO, 0))
    yield _part("on the air", receipt.air_bytes, is_sum=True)


def _part(name: str, value: float, *, is_sum: bool = False) -> Row:
    return Row([words(name), Cell(value, f"{value:g}")], emphasis=is_sum)


def _figures_table(receipt: Receipt) -> Table:
    rows = [
        Row(
            [
                words(FIGURES[name].label),
                Cell(figure.value, text_of(figure)),
                _origin(figure.origin),
                words(figure.source),
            ]
        )
        for name, figure in _figures(receipt)
    ]
    return Table("receipt-figures", "", _FIGURE_COLUMNS, rows)


def _origin(origin: Origin) -> Cell:
    return Cell(str(origin), str(origin), colour=origin.colour)


def _figures(receipt: Receipt) -> Iterator[tuple[str, Figure]]:
    for name in FIGURES:
        if name in receipt.figures:
            yield name, receipt.figures[name]


def _packets(receipt: Receipt) -> str:
    return f"{receipt.packets} packet{'' if receipt.packets == 1 else 's'}"


def _bytes(value: float) -> str:
    return f"{value:g} byte{'' if value == 1 else 's'}"


def explained(receipt: Receipt) -> Iterator[Remark]:
    """Yield every line of a receipt, what it means and where it comes from."""
    yield Remark(heading(receipt), is_above=True, emphasis=True)
    for name, value, text in _lines_of(receipt):
        yield Remark(f"\n{name}: {value}", is_above=True, emphasis=True)
        yield Remark(text, is_above=True)
    for note in receipt.remarks:
        yield Remark(f"\nnote: {note}", is_above=True)
    yield Remark("\norigins", is_above=True, emphasis=True)
    for origin in Origin:
        yield Remark(f"{origin}: {origin.meaning}", is_above=True)


def _lines_of(receipt: Receipt) -> Iterator[tuple[str, str, str]]:
    """Yield name, value and meaning of each line."""
    for name, meaning in PARTS.items():
        if value := receipt.parts.get(name, 0):
            yield meaning.label, _bytes(value), meaning.text
    packets = f"The sum of these, in {_packets(receipt)}."
    yield "on the air", _bytes(receipt.air_bytes), packets
    if receipt.expansion is not None:
        text = (
            f"{_bytes(receipt.link_bytes)} handed to the radio, divided by the "
            f"{_bytes(receipt.message_bytes)} of the message."
        )
        yield "expansion", f"{receipt.expansion:.3f}", text
    for name, figure in _figures(receipt):
        text = f"{FIGURES[name].text} {figure.origin}: {figure.source}."
        yield FIGURES[name].label, text_of(figure), text
