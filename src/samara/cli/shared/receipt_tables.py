# SPDX-License-Identifier: Apache-2.0
"""Receipts as tables, and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from samara.cli.shared.tables import Column, marked, print_table, print_text
from samara.figure import Origin
from samara.link.node.receipt import ACKNOWLEDGEMENT, FIGURES, MESSAGE, PARTS, RADIO

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from samara.link.node.receipt import Figure, Receipt

_PREFIXES = ((1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))
_DIGITS = 3


def text_of(figure: Figure) -> str:
    """Return value and unit as a person reads them.

    >>> from samara.figure import Figure, Origin
    >>> text_of(Figure(0.004256, "s", Origin.ESTIMATED, "")), \\
    ... text_of(Figure(16343, "cycle", Origin.MEASURED, ""))
    ('4.26 ms', '16,343 cycles')
    """
    if figure.unit in {"s", "J"}:
        return f"{scaled(figure.value, figure.unit)}"
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


def print_receipt(receipt: Receipt, screen: Console) -> None:
    """Print a receipt: its parts, its figures, and its notes."""
    screen.print(f"[bold]{escape(heading(receipt))}", highlight=False)
    screen.print(_parts_table(receipt))
    _print_figures(receipt, screen)
    for note in receipt.notes:
        screen.print(f"note: {escape(note)}", highlight=False)


def heading(receipt: Receipt) -> str:
    """Return one line that says what a receipt is for."""
    suite = f", {receipt.suite}" if receipt.suite else ""
    device = f"; {receipt.device}" if receipt.device else ""
    radio = f" with {receipt.radio}" if receipt.radio else ""
    return (
        f"{receipt.message_bytes:g} bytes {receipt.direction} over {receipt.link},"
        f" {receipt.protection}{suite}{device}{radio}"
    )


def _parts_table(receipt: Receipt) -> Table:
    table = Table("part", "bytes")
    table.columns[1].justify = "right"
    for name, meaning in PARTS.items():
        value = receipt.parts.get(name, 0)
        behind = name in (ACKNOWLEDGEMENT, RADIO)
        if not behind and (value or name == MESSAGE):
            table.add_row(meaning.label, f"{value:g}")
    table.add_section()
    table.add_row("handed to the radio", f"{receipt.link_bytes:g}")
    if answers := receipt.parts.get(ACKNOWLEDGEMENT, 0):
        table.add_row(PARTS[ACKNOWLEDGEMENT].label, f"{answers:g}")
    table.add_row(PARTS[RADIO].label, f"{receipt.parts.get(RADIO, 0):g}")
    table.add_section()
    table.add_row("on the air", f"{receipt.air_bytes:g}")
    table.caption = _sums(receipt)
    return table


def _sums(receipt: Receipt) -> str:
    factor = "" if receipt.expansion is None else f", expansion {receipt.expansion:.3f}"
    return f"in {_packets(receipt)}{factor}"


def _packets(receipt: Receipt) -> str:
    return f"{receipt.packets} packet{'' if receipt.packets == 1 else 's'}"


def _bytes(value: float) -> str:
    return f"{value:g} byte{'' if value == 1 else 's'}"


_FIGURE_COLUMNS = (
    Column("figure"),
    Column("value", numeric=True, rank=0),
    Column("origin", rank=2),
    Column("from", rank=1, wraps=True),
)


def _print_figures(receipt: Receipt, screen: Console) -> None:
    rows = [
        (
            FIGURES[name].label,
            escape(text_of(figure)),
            marked(figure.origin),
            escape(figure.source),
        )
        for name, figure in _figures(receipt)
    ]
    if rows:
        print_table(screen, _FIGURE_COLUMNS, rows, empty="")


def _figures(receipt: Receipt) -> Iterator[tuple[str, Figure]]:
    for name in FIGURES:
        if name in receipt.figures:
            yield name, receipt.figures[name]


def print_explanation(receipt: Receipt, screen: Console) -> None:
    """Print every line of a receipt, what it means and where it comes from."""
    screen.print(f"[bold]{escape(heading(receipt))}", highlight=False)
    for name, meaning in PARTS.items():
        if value := receipt.parts.get(name, 0):
            _print_line(screen, meaning.label, _bytes(value), meaning.text)
    packets = f"The sum of these, in {_packets(receipt)}."
    _print_line(screen, "on the air", _bytes(receipt.air_bytes), packets)
    if receipt.expansion is not None:
        text = (
            f"{_bytes(receipt.link_bytes)} handed to the radio, divided by the "
            f"{_bytes(receipt.message_bytes)} of the message."
        )
        _print_line(screen, "expansion", f"{receipt.expansion:.3f}", text)
    for name, figure in _figures(receipt):
        source = f"{marked(figure.origin)}: {escape(figure.source)}."
        text = f"{FIGURES[name].text} {source}"
        _print_line(screen, FIGURES[name].label, escape(text_of(figure)), text)
    for note in receipt.notes:
        print_text(screen, f"\nnote: {escape(note)}")
    screen.print("\n[bold]origins", highlight=False)
    for origin in Origin:
        screen.print(f"  {marked(origin)}: {origin.meaning}", highlight=False)


def _print_line(screen: Console, label: str, value: str, text: str) -> None:
    screen.print(f"\n[bold]{label}[/]: {value}", highlight=False)
    print_text(screen, text)
