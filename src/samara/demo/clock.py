# SPDX-License-Identifier: Apache-2.0
"""Times by the clock of this machine, beside times computed from rates.

Emulated modems and media wait as long as their settings say. The programs need some
more time, which depends on this machine and on its load, not on the link. So tables
show the times computed from rates, and once how much later messages arrived here.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from samara.demo.cells import DIGITS
from samara.figure import Origin
from samara.records.tables import (
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
    from collections.abc import Iterator, Mapping, Sequence

    from samara.demo.exchange import Exchange

BY_CLOCK = "delivery_time_by_clock"

_COLUMNS = (
    label("sent as"),
    Column("messages"),
    Column("later, median", "ms"),
    Column("later, most", "ms"),
)
_MS = 1e3


def table(
    slug: str, by_rates: str, groups: Mapping[str, Sequence[Exchange]], caption: str
) -> Table:
    """Return how much later than by rates messages were at the other node.

    Parameters
    ----------
    by_rates
        The figure of receipts that they are compared with.
    """
    rows = [
        Row(list(_cells(name, delays_s(exchanges, by_rates))))
        for name, exchanges in groups.items()
    ]
    return Table(slug, "By the clock of this machine", _COLUMNS, rows, caption)


def delays_s(exchanges: Sequence[Exchange], by_rates: str) -> list[float]:
    """Return how much later than by rates each message was there, in seconds."""
    return [
        exchange.received.figures[BY_CLOCK].value
        - exchange.received.figures[by_rates].value
        for exchange in exchanges
        if exchange.received is not None
        and {BY_CLOCK, by_rates} <= set(exchange.received.figures)
    ]


def _cells(name: str, delays: Sequence[float]) -> Iterator[Cell]:
    yield words(name)
    yield number(len(delays), Origin.MEASURED)
    for value in (median(delays), max(delays)) if delays else (None, None):
        scaled = None if value is None else value * _MS
        yield significant(scaled, Origin.EMULATED, DIGITS)
