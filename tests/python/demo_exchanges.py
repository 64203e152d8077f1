# SPDX-License-Identifier: Apache-2.0
"""Exchanges of a demonstration that are made up, worked out by hand."""

from __future__ import annotations

from samara.demo.exchange import Exchange
from samara.figure import Figure, Origin
from samara.link.node.receipt import Direction, Receipt


def seconds(value: float, origin: Origin = Origin.ESTIMATED) -> Figure:
    return Figure(value, "s", origin, "made up")


def receipt(link: str, parts: dict[str, float], **figures: Figure) -> Receipt:
    return Receipt(
        link=link,
        direction=Direction.SENT,
        protection="made up",
        suite="aes128-ccm-16",
        parts=parts,
        packets=1,
        payloads=1,
        figures=figures,
        device="atmega128rfa1",
        radio="at86rf231",
    )


def exchange(case: str, sent: Receipt, runs: int = 1) -> Exchange:
    message = bytes(int(sent.message_bytes))
    return Exchange(case, message, message, b"", sent, sent, runs=runs)


PLAIN = exchange(
    "level 0",
    receipt(
        "ieee802154",
        {"message": 95, "header": 9, "check": 2, "radio": 6},
        air_time=seconds(3.584e-3),
        delivery_time_by_clock=seconds(5.584e-3, Origin.EMULATED),
    ),
)
SEALED = exchange(
    "level 7",
    receipt(
        "ieee802154",
        {
            "message": 95,
            "header": 9,
            "security": 1,
            "counter": 4,
            "tag": 16,
            "check": 2,
            "radio": 6,
        },
        air_time=seconds(4.256e-3),
        delivery_time_by_clock=seconds(8.256e-3, Origin.EMULATED),
        crypto_cycles=Figure(20_000, "cycle", Origin.MEASURED, "made up"),
        crypto_time=seconds(1.25e-3),
        crypto_energy=Figure(15e-6, "J", Origin.ASSUMED, "made up"),
        radio_energy=Figure(150e-6, "J", Origin.ESTIMATED, "made up"),
    ),
)
