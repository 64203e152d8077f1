# SPDX-License-Identifier: Apache-2.0
"""Frames of IEEE 802.15.4 at every level, and the link-security paper's costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.bench import published
from samara.demo import clock
from samara.demo.cells import DIGITS, cell_of
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
    from collections.abc import Iterator, Sequence

    from samara.bench.published import Record
    from samara.demo.exchange import Exchange
    from samara.link.node.receipt import Receipt

PAYLOAD = 95
"""Bytes of the paper's payload: the most that fits at level 7."""
LEVELS = {
    0: "nothing",
    1: "MIC-32",
    2: "MIC-64",
    3: "MIC-128",
    4: "ENC",
    5: "ENC-MIC-32",
    6: "ENC-MIC-64",
    7: "ENC-MIC-128",
}
_MS, _US = 1e3, 1e6
_SECURITY_PARTS = ("security", "counter", "tag")

_FRAME_COLUMNS = (
    label("level"),
    Column("payload", "bytes"),
    Column("security", "bytes"),
    Column("frame", "bytes"),
    Column("expansion"),
    Column("on the air", "ms"),
    Column("rate", "kB/s"),
)
_COST_COLUMNS = (
    label("what"),
    label("by"),
    Column("cycles"),
    Column("time", "ms"),
    Column("energy", "µJ"),
    Column("radio", "µJ"),
)

_CLOCK_CAPTION = (
    "How much later than the air time says a message was at the other node, over an"
    " emulated medium: what the programs took. It does not depend on the level."
)
_COST_CAPTION = (
    "Paper: ENC-MIC-128 on an ATxmega at 32 MHz; its radio energy is for sending a"
    " packet. Ours: cycles by the bench, the key being set up."
)


def level_of(exchange: Exchange) -> int:
    """Return the level that a message was secured with."""
    return int(exchange.case.removeprefix("level "))


def tables(exchanges: Sequence[Exchange]) -> list[Table]:
    """Return the frames of both payloads, and what securing them costs."""
    levels = list(_by_level(exchanges))
    # Where the paper's payload is the longest, too, there are two of it.
    paper = [min(of, key=lambda e: abs(len(e.message) - PAYLOAD)) for of in levels]
    longest = [max(of, key=lambda e: len(e.message)) for of in levels]
    return [
        _frames(
            "ieee802154-payload", f"{PAYLOAD} bytes of payload at every level", paper
        ),
        _frames("ieee802154-longest", "The longest payload of every level", longest),
        _costs(paper),
        clock.table(
            "ieee802154-clock", "air_time", {"all levels": exchanges}, _CLOCK_CAPTION
        ),
    ]


def _by_level(exchanges: Sequence[Exchange]) -> Iterator[list[Exchange]]:
    for level in LEVELS:
        found = [e for e in exchanges if level_of(e) == level]
        if found:
            yield found


def _frames(slug: str, title: str, exchanges: Sequence[Exchange]) -> Table:
    return Table(
        slug,
        title,
        _FRAME_COLUMNS,
        [Row(list(_frame_cells(e))) for e in exchanges],
        "Rate: payload by the time on the air, which follows from the bytes.",
    )


def _frame_cells(exchange: Exchange) -> Iterator[Cell]:
    level, receipt = level_of(exchange), exchange.sent
    yield words(f"{level} {LEVELS[level]}")
    security = security_bytes(receipt)
    for size in (receipt.message_bytes, security, receipt.link_bytes):
        yield number(size, Origin.MEASURED)
    yield significant(receipt.expansion, Origin.MEASURED, DIGITS)
    yield cell_of(receipt.figures.get("air_time"), _MS)
    air_time = receipt.figures["air_time"]
    rate = receipt.message_bytes / air_time.value / 1e3
    yield significant(rate, air_time.origin, DIGITS)


def security_bytes(receipt: Receipt) -> float:
    """Return what securing adds to a frame."""
    return sum(receipt.parts.get(name, 0) for name in _SECURITY_PARTS)


# --- Costs --------------------------------------------------------------------


def _costs(exchanges: Sequence[Exchange]) -> Table:
    remarks = {note: None for e in exchanges for note in e.sent.remarks}
    return Table(
        "ieee802154-costs",
        f"What securing {PAYLOAD} bytes costs, beside the radio",
        _COST_COLUMNS,
        [*_paper_rows(), *_cost_rows(exchanges)],
        " ".join([_COST_CAPTION, *remarks]),
    )


def _paper_rows() -> Iterator[Row]:
    for operation, verb in (("CCM* forward", "seal"), ("CCM* inverse", "open")):
        record = _record("ieee802154_ccm.csv", "operation", operation)
        for name, column in (("engine", "hw_opt"), ("software", "sw_opt")):
            radio = packet_energy_uj() if verb == "seal" else None
            values = (record.number(f"{column}_{unit}") for unit in ("ms", "uj"))
            yield Row(
                [
                    words(f"level 7, {verb}"),
                    words(f"paper, {name}"),
                    number(record.number(f"{column}_ticks"), Origin.PUBLISHED),
                    *(significant(v, Origin.PUBLISHED, DIGITS) for v in values),
                    significant(radio, Origin.PUBLISHED, DIGITS),
                ]
            )


def packet_energy_uj() -> float:
    """Return what the paper takes the sending of a packet to cost."""
    name = "packet_transmission_energy"
    return _record("ieee802154_other.csv", "quantity", name).value("value")


def _record(table: str, column: str, name: str) -> Record:
    return next(r for r in published.table(table) if r.text(column) == name)


def _cost_rows(exchanges: Sequence[Exchange]) -> Iterator[Row]:
    for exchange in exchanges:
        for verb, receipt in (("seal", exchange.sent), ("open", exchange.received)):
            if receipt is not None and "crypto_cycles" in receipt.figures:
                yield _cost_row(f"{exchange.case}, {verb}", receipt)


def _cost_row(what: str, receipt: Receipt) -> Row:
    figures = receipt.figures
    cycles = figures["crypto_cycles"]
    return Row(
        [
            words(what),
            words(receipt.device or ""),
            number(cycles.value, cycles.origin, remark=cycles.source),
            cell_of(figures.get("crypto_time"), _MS),
            cell_of(figures.get("crypto_energy"), _US),
            cell_of(figures.get("radio_energy"), _US),
        ],
        emphasis=True,
    )


# --- Reading ------------------------------------------------------------------


def reading(exchanges: Sequence[Exchange]) -> str:
    """Return the result of the tables in sentences."""
    found = {level_of(e): e.sent for e in exchanges if len(e.message) == PAYLOAD}
    if not {0, 7} <= set(found):
        return "Too few messages arrived to say more."
    plain, sealed = found[0], found[7]
    sizes = (
        f"At level 7 security takes {security_bytes(sealed):g} of the"
        f" {sealed.link_bytes:g} bytes of a frame with {PAYLOAD} of payload:"
        f" {_more(plain.air_bytes, sealed.air_bytes)} time on the air than without."
    )
    return " ".join([sizes, *_energy_reading(sealed)])


def _more(before: float, after: float) -> str:
    return f"{(after / before - 1) * 100:.0f} % more"


def _energy_reading(sealed: Receipt) -> Iterator[str]:
    crypto = sealed.figures.get("crypto_energy")
    radio = sealed.figures.get("radio_energy")
    if crypto is None or radio is None:
        yield from sealed.remarks
        return
    yield (
        f"Sealing it costs {crypto.value * _US:.3g} µJ on the {sealed.device}"
        f" ({crypto.origin}), {crypto.value / radio.value * 100:.0f} % of the"
        f" {radio.value * _US:.3g} µJ that the {sealed.radio} needs to send it"
        f" ({radio.origin})."
    )
    record = _record("ieee802154_ccm.csv", "operation", "CCM* forward")
    engine, software = (
        record.value(f"{name}_opt_uj") / packet_energy_uj() for name in ("hw", "sw")
    )
    yield (
        f"By the paper's figures, it is {engine * 100:.0f} % with the AES engine and"
        f" {software:.1f} times the radio's energy in software: the radio does not"
        " always need the most energy."
    )
