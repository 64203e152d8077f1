# SPDX-License-Identifier: Apache-2.0
"""The experiment with files over rf-serial and sdr: what is told adds up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import nets
import pytest
from shell import assert_misuse, objects, samara

if TYPE_CHECKING:
    from pathlib import Path

LAYERS = ("mac", "security", "6lowpan", "udp", "data")
PACKET_SIZE = 12
"""Bytes that a modem puts into a packet."""
COUNTER_SIZE = 4

Row = dict[str, Any]


def bytes_of(row: Row, layer: str) -> int:
    return int(row[f"{layer} [bytes]"]["value"])


def count(row: Row, name: str) -> int:
    return int(row[name]["value"])


def tables(folder: Path, link: str) -> tuple[list[Row], list[Row]]:
    """Run the experiment; return the rows of both tables."""
    nets.need("tftp", "in.tftpd")
    given = ("--over", "tftp", "--link", link, "--sizes", "300", "--json")
    done = samara("demo", *given, folder=folder)
    assert done.returncode == 0, done
    costs, layers, protection, _ = objects(done.stdout)
    assert {table["link"] for table in (costs, layers, protection)} == {link}
    for cost, layer in zip(costs["rows"], layers["rows"], strict=True):
        # All that the nodes told is all of it.
        assert "(" not in cost["what"]
        total = bytes_of(cost, "on the air")
        assert total == sum(bytes_of(layer, name) for name in LAYERS)
    return costs["rows"], layers["rows"]


@pytest.mark.slow
def test_files_cross_modems_and_are_accounted_for(tmp_path: Path) -> None:
    costs, layers = tables(tmp_path, "rf-serial")
    assert len(layers) == 5 * 2
    plain = {row["what"]: row for row in layers if row["protection"] == "no security"}
    assert plain.keys() == {"PUT 300 B", "GET 300 B"}
    for row in plain.values():
        assert bytes_of(row, "mac") == bytes_of(row, "security") == 0
        assert bytes_of(row, "data") > 300
    for size in (4, 8, 16):
        sealed = [
            row for row in layers if row["protection"] == f"link, tag of {size} B"
        ]
        assert len(sealed) == 2
        for row in sealed:
            packets = count(row, "packets")
            assert bytes_of(row, "security") == packets * (COUNTER_SIZE + size)
            # Units are padded to whole packets of the modem.
            total = sum(bytes_of(row, name) for name in LAYERS)
            assert total == PACKET_SIZE * count(row, "frames")
            if packets == count(plain[row["what"]], "packets"):
                # Encryption below the program does not change what it says.
                assert bytes_of(row, "data") == bytes_of(plain[row["what"]], "data")
    assert all(row["energy [mJ]"]["value"] > 0 for row in costs)


@pytest.mark.slow
def test_files_cross_software_defined_radio(tmp_path: Path) -> None:
    pytest.importorskip("gnuradio", reason="NOT TRIED: GNU Radio is not installed")
    costs, layers = tables(tmp_path, "sdr")
    assert {row["protection"] for row in layers} == {"link", "link, CBC in hex"}
    for row in layers:
        assert bytes_of(row, "security") == 4 * count(row, "frames")
        assert bytes_of(row, "data") > 300
    assert all(row["energy [mJ]"] is None for row in costs)


def test_over_takes_one_link_that_it_knows(tmp_path: Path) -> None:
    over = ("demo", "--over", "tftp", "--link")
    both = (*over, "sdr", "--link", "rf-serial")
    assert_misuse(samara(*both, folder=tmp_path), "one --link")
    assert_misuse(samara(*over, "rfserial", folder=tmp_path), "rf-serial")
