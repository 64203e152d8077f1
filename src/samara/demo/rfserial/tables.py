# SPDX-License-Identifier: Apache-2.0
"""The tables of the paper on AES over a serial radio, with ours beside them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import mean
from typing import TYPE_CHECKING

from samara.bench import published
from samara.demo import clock
from samara.demo.cells import cell_of
from samara.figure import Figure, Origin
from samara.records.tables import NOTHING, Cell, Column, Row, Table, number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from samara.demo.exchange import Exchange

SIZES = (14, 26, 40, 50, 62, 74, 86, 98, 112, 126)
"""Bytes of the paper's ten messages."""
FRAMINGS = ("plain", "cbc-hex", "cbc-hex-padded", "sealed")
"""How each is sent: as the paper did, and as we do."""

_CLOCK_CAPTION = (
    "How much later than by the rates a message was at the other node, through"
    " emulated modems. Only a sealed message tells its length: after the others the"
    " node waits for a silence."
)


@dataclass(frozen=True, slots=True)
class _Metric:
    """One of the paper's tables."""

    slug: str
    title: str
    unit: str
    file: str
    columns: Mapping[str, str]
    """The file's column for each framing that the paper has."""
    scale: float
    """What makes the file's unit ours."""
    ours: Callable[[Exchange], Figure | None]
    """In the table's unit."""
    caption: str

    def of_paper(self, framing: str, message: int) -> Cell:
        """Return what the paper has for a framing and a message."""
        record = published.table(self.file)[message]
        value = record.value(self.columns[framing])
        if self.scale == 1:
            printed = record.text(self.columns[framing])
            return Cell(value, printed, Origin.PUBLISHED)
        return number(value * self.scale, Origin.PUBLISHED)


def _size(exchange: Exchange) -> Figure:
    return _counted(exchange.sent.link_bytes, "byte")


def _expansion(exchange: Exchange) -> Figure | None:
    factor = exchange.sent.expansion
    return None if factor is None else _counted(factor, "")


def _counted(value: float, unit: str) -> Figure:
    return Figure(value, unit, Origin.MEASURED, "counted")


def _time(exchange: Exchange) -> Figure | None:
    delivery = delivery_time(exchange)
    return None if delivery is None else replace(delivery, value=delivery.value * 1e3)


def _throughput(exchange: Exchange) -> Figure | None:
    delivery = delivery_time(exchange)
    if delivery is None or not delivery.value:
        return None
    return replace(delivery, value=exchange.sent.link_bytes / delivery.value / 1e3)


def delivery_time(exchange: Exchange) -> Figure | None:
    """Return how long a message takes by line, modems and radio, in seconds."""
    return exchange.sent.figures.get("delivery_time")


_METRICS = (
    _Metric(
        "rf-serial-size",
        "Size",
        "bytes",
        "rf_serial_size.csv",
        {
            "plain": "plaintext_kb",
            "cbc-hex": "ciphertext_kb",
            "cbc-hex-padded": "padded_ciphertext_kb",
        },
        1000,
        _size,
        "Bytes handed to the modem.",
    ),
    _Metric(
        "rf-serial-time",
        "Time",
        "ms",
        "rf_serial_time.csv",
        {
            "plain": "plaintext_ms",
            "cbc-hex": "ciphertext_ms",
            "cbc-hex-padded": "padded_ciphertext_ms",
        },
        1,
        _time,
        "Ours until the last byte has left the other modem, by the rates of line,"
        " modems and radio; nobody has published what a modem sends around a packet.",
    ),
    _Metric(
        "rf-serial-throughput",
        "Throughput",
        "kB/s",
        "rf_serial_throughput.csv",
        {
            "plain": "plaintext_kb_s",
            "cbc-hex": "ciphertext_kb_s",
            "cbc-hex-padded": "padded_ciphertext_kb_s",
        },
        1,
        _throughput,
        "Bytes handed to the modem by that time, as the paper counts.",
    ),
    _Metric(
        "rf-serial-expansion",
        "Expansion",
        "",
        "rf_serial_expansion.csv",
        {
            "cbc-hex": "ciphertext_factor",
            "cbc-hex-padded": "padded_ciphertext_factor",
        },
        1,
        _expansion,
        "Bytes handed to the modem for each byte of message.",
    ),
)


def tables(exchanges: Sequence[Exchange]) -> list[Table]:
    """Return one table a metric, with a row for each of the ten messages."""
    found = {(e.case, len(e.message)): e for e in exchanges}
    groups = {
        framing: [each for each in exchanges if each.case == framing]
        for framing in FRAMINGS
    }
    return [
        *(_table(metric, found) for metric in _METRICS),
        clock.table("rf-serial-clock", "delivery_time", groups, _CLOCK_CAPTION),
    ]


def _table(metric: _Metric, found: Mapping[tuple[str, int], Exchange]) -> Table:
    columns = [Column("bytes of message")]
    for framing in FRAMINGS:
        if framing in metric.columns:
            columns.append(Column(f"{_spaced(framing)}, paper", metric.unit))
        columns.append(Column(f"{_spaced(framing)}, ours", metric.unit))
    rows = [
        Row([number(size, Origin.PUBLISHED), *_cells(metric, index, found)])
        for index, size in enumerate(SIZES)
    ]
    return Table(metric.slug, metric.title, columns, rows, metric.caption)


def _spaced(framing: str) -> str:
    return framing.replace("-padded", " padded")


def _cells(
    metric: _Metric, index: int, found: Mapping[tuple[str, int], Exchange]
) -> list[Cell]:
    cells = []
    for framing in FRAMINGS:
        if framing in metric.columns:
            cells.append(metric.of_paper(framing, index))
        exchange = found.get((framing, SIZES[index]))
        cells.append(_cell(None if exchange is None else metric.ours(exchange)))
    return cells


def _cell(figure: Figure | None) -> Cell:
    if figure is None:
        return NOTHING
    if figure.unit == "byte":
        return number(figure.value, figure.origin)
    return cell_of(figure)


def message(size: int) -> bytes:
    """Return so many bytes of text: the paper does not tell its own."""
    return (b"See the quick brown fox jump over the lazy dogs. " * 3)[:size]


def mean_expansion(exchanges: Sequence[Exchange], framing: str) -> float | None:
    """Return a framing's mean expansion over the messages; None without any."""
    values = [
        e.sent.expansion for e in exchanges if e.case == framing and e.sent.expansion
    ]
    return mean(values) if values else None


# --- Reading ------------------------------------------------------------------


def reading(exchanges: Sequence[Exchange]) -> str:
    """Return the result of the tables in sentences."""
    factors = {framing: mean_expansion(exchanges, framing) for framing in FRAMINGS}
    hexed, padded = factors["cbc-hex"], factors["cbc-hex-padded"]
    sealed = factors["sealed"]
    if hexed is None or padded is None or sealed is None:
        return "Too few messages arrived to say more."
    suite = next(e.sent.suite for e in exchanges if e.case == "sealed")
    sizes = (
        "Encrypted as in the paper (AES-256-CBC, sent as hex digits), messages become"
        f" {hexed:.2f} times as long on average, {padded:.2f} times with padding to"
        " whole packets, and changes are not detected. Sealed"
        f" with {suite} and sent as bytes they are {sealed:.2f} times as long,"
        " and authenticated: hex digits and padding cost more than AES."
    )
    return " ".join([sizes, *_time_reading(exchanges)])


def _time_reading(exchanges: Sequence[Exchange]) -> Iterator[str]:
    found = {e.case: e for e in reversed(exchanges)}
    if not {"plain", "sealed"} <= set(found):
        return
    plain, sealed = found["plain"], found["sealed"]
    uart_s = _seconds(plain.sent.figures.get("uart_time"))
    wait_s = _seconds(plain.sent.figures.get("wait_time"))
    paper = published.table("rf_serial_time.csv")[0].value("plaintext_ms")
    yield (
        f"The paper's {paper:g} ms for {len(plain.message)} bytes cannot include the"
        f" transmission: the serial line alone takes {uart_s * 1e3:.2f} ms. By the"
        " rates of line, modem and radio, the bytes have left the other modem after"
        f" {_seconds(delivery_time(plain)) * 1e3:.0f} ms: the modem waits"
        f" {wait_s * 1e3:.0f} ms for the rest of a packet. A sealed message fills its"
        f" packets; they take {_seconds(delivery_time(sealed)) * 1e3:.1f} ms."
    )


def _seconds(figure: Figure | None) -> float:
    return 0.0 if figure is None else figure.value
