# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of modulations is also that of the Python enumeration and of GRC."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from gnuradio import samara

GRC = Path(__file__).resolve().parents[2] / "grc"
ROWS = samara.burst_modulations()


def test_the_enumeration_is_made_from_the_table() -> None:
    assert list(samara.burst_modulation.__members__.items()) == [
        (row.identifier, row.modulation) for row in ROWS
    ]
    assert [int(row.modulation) for row in ROWS] == list(range(len(ROWS)))


@pytest.mark.parametrize("block", ["burst_rx", "burst_tx"])
def test_companion_offers_the_rows(block: str) -> None:
    about = yaml.safe_load((GRC / f"samara_{block}.block.yml").read_text())
    (parameter,) = (p for p in about["parameters"] if p["id"] == "modulation")
    assert parameter["options"] == [
        f"samara.burst_modulation.{row.identifier}" for row in ROWS
    ]
    assert parameter["option_labels"] == [row.label for row in ROWS]
    assert parameter["option_attributes"]["multiple"] == [
        row.bits_per_symbol for row in ROWS
    ]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_burst_carries_a_multiple_of_the_bits_of_a_symbol(row: object) -> None:
    waveform = samara.burst_waveform(row.modulation, 480)
    assert waveform.bits_per_symbol() == row.bits_per_symbol
    if row.bits_per_symbol > 1:
        with pytest.raises(ValueError, match="multiple"):
            samara.burst_waveform(row.modulation, 481)
