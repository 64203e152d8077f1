# SPDX-License-Identifier: Apache-2.0
"""The demonstration's tables of exchanges that are made up, worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from demo_exchanges import PLAIN, SEALED, exchange, receipt, seconds

from samara.demo import samples
from samara.demo.exchange import Exchange
from samara.demo.ieee802154 import tables as ieee802154_tables
from samara.demo.rfserial import tables as rf_serial_tables
from samara.demo.sdr import tables as sdr_tables
from samara.figure import Figure, Origin

if TYPE_CHECKING:
    from samara.records.tables import Cell, Table


def rows(table: Table) -> list[list[object]]:
    return [[cell.value for cell in row.cells] for row in table.rows]


# --- IEEE 802.15.4 ------------------------------------------------------------


def test_frames_at_two_levels() -> None:
    found, _longest, costs, clock = ieee802154_tables.tables([PLAIN, SEALED])
    # 95 bytes in 3.584 ms are 26.5 kB/s, in 4.256 ms 22.3.
    assert rows(found) == [
        ["0 nothing", 95, 0, 106, 1.12, 3.58, 26.5],
        ["7 ENC-MIC-128", 95, 21, 127, 1.34, 4.26, 22.3],
    ]
    ours = rows(costs)[4:]
    assert ours == [
        ["level 7, seal", "atmega128rfa1", 20_000, 1.25, 15.0, 150.0],
        ["level 7, open", "atmega128rfa1", 20_000, 1.25, 15.0, 150.0],
    ]
    # 2 and 4 ms later than the air time.
    assert rows(clock) == [["all levels", 2, 3.0, 4.0]]


def test_the_papers_costs_are_the_papers() -> None:
    costs = ieee802154_tables.tables([PLAIN, SEALED])[2]
    assert rows(costs)[:4] == [
        ["level 7, seal", "paper, engine", 46_080, 1.44, 114.0, 480.0],
        ["level 7, seal", "paper, software", 921_600, 28.8, 2280.0, 480.0],
        ["level 7, open", "paper, engine", 48_000, 1.5, 119.0, None],
        ["level 7, open", "paper, software", 934_400, 29.2, 2310.0, None],
    ]


def test_what_the_frames_tables_say() -> None:
    said = ieee802154_tables.reading([PLAIN, SEALED])
    assert "security takes 21 of the 127 bytes" in said
    # 133 bytes on the air for 112.
    assert ": 19 % more time on the air" in said
    assert "15 µJ on the atmega128rfa1 (assumed), 10 % of the 150 µJ" in said
    # 114.05 and 2,280.96 of 480 uJ.
    assert "it is 24 % with the AES engine and 4.8 times" in said
    assert ieee802154_tables.reading([PLAIN]) == "Too few messages arrived to say more."


# --- The serial radio ---------------------------------------------------------


def serial(case: str, delivery_s: float, **parts: float) -> Exchange:
    times = {"uart_time": 14 * 10 / 115_200, "wait_time": 0.1}
    figures = {name: seconds(value) for name, value in times.items()}
    delivery = seconds(delivery_s, Origin.ASSUMED)
    return exchange(
        case, receipt("rf-serial", parts, delivery_time=delivery, **figures)
    )


SERIAL = [
    serial("plain", 0.1, message=14),
    serial("cbc-hex", 0.1, message=14, cipher=18),
    serial("cbc-hex", 0.1, message=26, cipher=52),
    serial("cbc-hex-padded", 0.1, message=14, cipher=18, fill=4),
    serial("sealed", 0.005, message=14, tag=8, framing=1, counter=4, fill=9),
]


def test_a_message_over_the_serial_radio() -> None:
    size, time, throughput, expansion, _ = rf_serial_tables.tables(SERIAL)
    names = [column.name for column in size.columns]

    def ours(table: Table, framing: str) -> Cell:
        heads = [column.name for column in table.columns]
        return table.rows[0].cells[heads.index(f"{framing}, ours")]

    assert names[0] == "bytes of message"
    assert [ours(size, f).value for f in ("plain", "cbc-hex", "sealed")] == [14, 32, 36]
    assert ours(time, "plain").value == 100.0
    assert ours(time, "sealed").value == 5.0
    assert ours(time, "sealed").origin is Origin.ASSUMED
    # 36 bytes in 5 ms, 32 in 100.
    assert ours(throughput, "sealed").value == 7.2
    assert ours(throughput, "cbc-hex").value == 0.32
    assert ours(expansion, "cbc-hex").value == pytest.approx(2.29)


def test_what_the_serial_tables_say() -> None:
    said = rf_serial_tables.reading(SERIAL)
    # (32 / 14 + 78 / 26) / 2 = 2.64; 36 / 14 = 2.57.
    assert "2.64 times as long on average, 2.57 times with padding" in said
    assert "with aes128-ccm-16 and sent as bytes they are 2.57 times" in said
    assert "0.99 ms for 14 bytes" in said
    assert "the serial line alone takes 1.22 ms" in said
    assert "have left the other modem after 100 ms: the modem waits 100 ms" in said
    assert "take 5.0 ms" in said
    assert (
        rf_serial_tables.reading(SERIAL[:1]) == "Too few messages arrived to say more."
    )


def test_messages_are_as_long_as_asked_for() -> None:
    assert [len(rf_serial_tables.message(n)) for n in rf_serial_tables.SIZES] == [
        *(14, 26, 40, 50, 62, 74, 86, 98, 112, 126)
    ]
    assert [len(samples.reading(size)) for size in sdr_tables.SIZES] == [
        *(100, 128, 1024, 10240, 102400)
    ]


# --- Software-defined radio ---------------------------------------------------


def burst(size: int, microseconds: float) -> Exchange:
    sent = receipt(
        "sdr",
        {"message": size, "framing": 10, "coding": 2 * size + 2, "radio": 20},
        air_time=seconds(0.01),
        cipher_time_by_clock=seconds(microseconds * 1e-6, Origin.HOST_CLOCK),
        delivery_time_by_clock=seconds(0.02, Origin.EMULATED),
        cipher_state=Figure(40, "byte", Origin.MEASURED, "made up"),
    )
    return exchange("physical layer", sent, runs=3)


BURSTS = [burst(size, size / 10) for size in sdr_tables.SIZES]
HEARD = [sdr_tables.Overheard(1, 800, 200) for _ in BURSTS]


def test_times_and_rates_of_bursts() -> None:
    times, air = sdr_tables.tables(BURSTS, HEARD)
    # 100 bytes in 10 us: 0.1 us a byte, 2^20 times that a Mbyte.
    assert rows(times)[1] == [100, "ours", 0.01, 0.105, 0.01, 0.105, 3]
    assert rows(times)[0][:4] == [100, "paper", 0.9, 9.44]
    # 100 bytes in 20 ms; 200 of 800 bits wrong.
    assert rows(air)[0] == [100, 1, 0, 10.0, 20.0, 5.0, 3, 25.0]


def test_what_the_bursts_tables_say() -> None:
    said = sdr_tables.reading(BURSTS, HEARD)
    assert "rises 28-fold; samara's is multiplied by 1," in said
    assert "Encryption added 0 bits" in said
    assert "Without the key 25.0% of 4,000 bits were wrong" in said
    assert "takes 40 bytes; the paper's program used 14.31 kbyte" in said


def test_what_was_overheard_is_compared_bit_by_bit() -> None:
    sent = receipt("sdr", {"message": 4, "framing": 4})
    two = Exchange(
        "physical layer", b"\x00\xff\x0f\xf0", None, b"", replace(sent, packets=2), None
    )
    # Two bytes of the node's own in front of each frame's two of the message.
    heard = [b"??\x00\xff", b"??\x00\xf1"]
    found = sdr_tables.compared(two, heard)
    assert (found.bursts, found.bits, found.wrong) == (2, 32, 5)
    assert found.share_wrong == 5 / 32
    assert sdr_tables.compared(two, heard[:1]).bits == 0
    assert not two.crossed
    assert not replace(two, arrived=b"other").crossed
    assert replace(two, arrived=two.message).crossed
