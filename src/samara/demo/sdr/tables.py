# SPDX-License-Identifier: Apache-2.0
"""The table of the Grain-128PLE paper, with ours beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.bench import published
from samara.demo.cells import DIGITS, cell_of
from samara.figure import Origin
from samara.records.tables import (
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
    from collections.abc import Iterator, Sequence

    from samara.demo.exchange import Exchange
    from samara.link.node.receipt import Receipt

SIZES = (100, 128, 1024, 10240, 102400)
"""Bytes of the paper's messages."""
RUNS = 3
"""How often each is sent: what the clock says is the median."""

_MS = 1e3
_MBYTE = 2**20
_PAPER = "grain128ple_time.csv"

_TIME_COLUMNS = (
    Column("message", "bytes"),
    label("by"),
    Column("encrypt", "ms"),
    Column("encrypt", "s/Mbyte"),
    Column("decrypt", "ms"),
    Column("decrypt", "s/Mbyte"),
    Column("runs"),
)
_AIR_COLUMNS = (
    Column("message", "bytes"),
    Column("frames"),
    Column("bits added by encryption"),
    Column("on the air", "ms"),
    Column("delivery", "ms"),
    Column("rate", "kB/s"),
    Column("runs"),
    Column("bits wrong without key", "%"),
)


@dataclass(frozen=True, slots=True)
class Overheard:
    """What somebody without the key got of a message."""

    bursts: int
    bits: int
    """Bits of the message that could be compared."""
    wrong: int

    @property
    def share_wrong(self) -> float | None:
        """How many of them are wrong: one half is as good as a coin."""
        return self.wrong / self.bits if self.bits else None


def compared(exchange: Exchange, heard: Sequence[bytes]) -> Overheard:
    """Compare what the eavesdropper decoded with the message, frame by frame.

    Each frame begins with bytes of the node's own; all but the last are full.
    """
    frames = exchange.sent.packets
    begin = int(exchange.sent.parts["framing"]) // frames
    bits = wrong = 0
    place = 0
    for content in heard if len(heard) == frames else []:
        guess = content[begin:]
        truth = exchange.message[place:][: len(guess)]
        place += len(guess)
        bits += 8 * len(truth)
        wrong += sum((a ^ b).bit_count() for a, b in zip(truth, guess, strict=False))
    return Overheard(len(heard), bits, wrong)


def tables(
    exchanges: Sequence[Exchange], overheard: Sequence[Overheard]
) -> list[Table]:
    """Return the paper's Table I beside ours, and what was on the air."""
    return [_times(exchanges), _air(exchanges, overheard)]


# --- Time in the cipher -------------------------------------------------------


def _times(exchanges: Sequence[Exchange]) -> Table:
    rows = [row for exchange in exchanges for row in _time_rows(exchange)]
    return Table(
        "sdr-time",
        "Time in the cipher, by the length of the message",
        _TIME_COLUMNS,
        rows,
        "Paper: Table I, LabVIEW on a laptop. Ours: by the clock of this machine, the"
        " median of some runs: keystream, adding it, and the tag of every frame."
        " 1 Mbyte is 2^20 bytes, as in the paper.",
        groups=True,
    )


def _time_rows(exchange: Exchange) -> Iterator[Row]:
    size = len(exchange.message)
    for record in published.table(_PAPER):
        if record.number("message_bytes") == size:
            values = [
                record.number(f"{verb}_{unit}")
                for verb in ("encrypt", "decrypt")
                for unit in ("ms", "s_per_mbyte")
            ]
            cells = (significant(v, Origin.PUBLISHED, DIGITS) for v in values)
            yield Row([number(size, Origin.PUBLISHED), words("paper"), *cells, NOTHING])
    ends = (exchange.sent, exchange.received)
    cells = (cell for end in ends for cell in _time_cells(end, size))
    runs = number(exchange.runs, Origin.MEASURED)
    first = number(size, Origin.MEASURED)
    yield Row([first, words("ours"), *cells, runs], emphasis=True)


def _time_cells(receipt: Receipt | None, size: int) -> Iterator[Cell]:
    time = None if receipt is None else receipt.figures.get("cipher_time_by_clock")
    if time is None:
        yield from (NOTHING, NOTHING)
        return
    for value in (time.value * _MS, time.value * _MBYTE / size):
        yield significant(value, time.origin, DIGITS, time.source)


# --- On the air ---------------------------------------------------------------


def _air(exchanges: Sequence[Exchange], overheard: Sequence[Overheard]) -> Table:
    return Table(
        "sdr-air",
        "On the air, and what somebody without the key gets",
        _AIR_COLUMNS,
        [
            Row(list(_air_cells(exchange, heard)))
            for exchange, heard in zip(exchanges, overheard, strict=True)
        ],
        "Rate: the message by the time until the other node had it, through a"
        " simulated channel; the median of some runs. Without key: an eavesdropper on"
        " the same samples decodes every burst; a coin has 50 %.",
    )


def _air_cells(exchange: Exchange, heard: Overheard) -> Iterator[Cell]:
    receipt = exchange.sent
    yield number(receipt.message_bytes, Origin.MEASURED)
    yield number(receipt.packets, Origin.MEASURED)
    yield number(8 * receipt.parts.get("cipher", 0), Origin.MEASURED)
    yield cell_of(receipt.figures.get("air_time"), _MS)
    delivery = (exchange.received or receipt).figures.get("delivery_time_by_clock")
    yield cell_of(delivery, _MS)
    if delivery is None or not delivery.value:
        yield NOTHING
    else:
        rate = receipt.message_bytes / delivery.value / 1e3
        yield significant(rate, delivery.origin, DIGITS)
    yield number(exchange.runs, Origin.MEASURED)
    share = heard.share_wrong
    percent = None if share is None else 100 * share
    remark = f"{heard.bursts} bursts heard, {heard.bits} bits compared"
    yield significant(percent, Origin.MEASURED, DIGITS, remark)


# --- Reading ------------------------------------------------------------------


def reading(exchanges: Sequence[Exchange], overheard: Sequence[Overheard]) -> str:
    """Return the result of the tables in sentences."""
    rates = [
        time.value / len(exchange.message)
        for exchange in exchanges
        if (time := exchange.sent.figures.get("cipher_time_by_clock")) is not None
    ]
    if len(rates) < len(SIZES):
        return "Too few messages arrived to say more."
    records = published.table(_PAPER)
    theirs = [record.value("encrypt_s_per_mbyte") for record in records]
    rise = max(theirs) / min(theirs)
    said = [
        (
            f"From {SIZES[0]} to {SIZES[-1]:,} bytes the paper's time per byte rises"
            f" {rise:.0f}-fold; samara's is multiplied by {rates[-1] / rates[0]:.2g},"
            " because the time for a frame does not depend on the frames before it."
        ),
    ]
    added = sum(exchange.sent.parts.get("cipher", 0) for exchange in exchanges)
    said.append(f"Encryption added {8 * added:g} bits to all messages together.")
    bits = sum(heard.bits for heard in overheard)
    if bits:
        wrong = sum(heard.wrong for heard in overheard)
        said.append(
            f"Without the key {wrong / bits:.1%} of {bits:,} bits were wrong (guessing:"
            " 50 %). Anybody can receive that a message is sent, when, and how long it"
            " is."
        )
    state = exchanges[0].sent.figures.get("cipher_state")
    if state is not None:
        record = next(
            each
            for each in published.table("grain128ple_other.csv")
            if each.text("quantity") == "encrypt_memory_max"
        )
        said.append(
            f"The cipher's state takes {state.value:g} bytes; the paper's program used"
            f" {record.value('value'):g} kbyte."
        )
    return " ".join(said)
