# SPDX-License-Identifier: Apache-2.0
"""Simulations, receipts and statistics in tables and --json are what was counted.

Expected values are worked out here from counts, not by the code that shows them.
"""

from __future__ import annotations

import math
import re
import statistics
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self

import pytest
from printed import (
    assert_cell,
    assert_digits,
    assert_shown,
    objects,
    output,
    tables,
    value_in,
)
from scipy.stats import binomtest  # type: ignore[import-untyped]

from samara.link.ieee802154.air import serving as medium_serving
from samara.link.ieee802154.air.statistics import LinkStatistics, Statistics
from samara.link.node.receipt import FIGURES, PARTS
from samara.link.rfserial import serial_radio
from samara.link.rfserial import serving as modem_serving
from samara.link.rfserial.modem import Pair, Side
from samara.phy.curves import NAMES

ROOT = Path(__file__).parents[2]


# Error rates and searches

BER = "phy ber --ebn0 2:9:7 --errors 3 --frames 60 --workers 1"
SYNC = "phy sync --window 1024 --ebn0 1:3:2 --frames 20"


def test_error_rates() -> None:
    records = objects(BER)
    (rows,) = tables(output(BER))
    shown = iter(rows)
    without_errors = 0
    for point in records:
        for receiver, counts in point["receivers"].items():
            row = next(shown)
            assert_shown(row["Eb/N0, dB"], point["ebn0_db"])
            assert row["receiver"] == NAMES[receiver]
            assert_shown(row["frames"], counts["frames"])
            for name, wrong, of in (
                ("fer", counts["frame_errors"], counts["frames"]),
                ("ber", counts["bit_errors"], counts["bits"]),
            ):
                rate = counts[name]
                assert value_in(rate, "1") == pytest.approx(wrong / of)
                assert 0 <= rate["low"] <= rate["value"] <= rate["high"] <= 1
                _assert_interval(row, name.upper(), rate)
                without_errors += wrong == 0
            exact = binomtest(counts["frame_errors"], counts["frames"])
            ends = exact.proportion_ci(point["confidence"], method="exact")
            found = counts["fer"]["low"], counts["fer"]["high"]
            assert found == pytest.approx((ends.low, ends.high))
    assert next(shown, None) is None
    assert [point["ebn0_db"] for point in records] == [2, 9]
    assert without_errors > 2


def _assert_interval(row: dict[str, str], name: str, rate: dict[str, Any]) -> None:
    interval = row[f"{name} 95 %"]
    if rate["value"] == 0:
        assert row[name] == "0"
        assert_digits(interval.removeprefix("< "), rate["high"], digits=2)
        return
    assert_digits(row[name], rate["value"])
    low, high = interval.split(" to ")
    assert_digits(low, rate["low"])
    assert_digits(high, rate["high"])


def test_searches_for_counters(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(i**2 * 1e-5 for i in range(10_000))
    clock = SimpleNamespace(thread_time=lambda: next(ticks))
    monkeypatch.setattr("samara.phy.searching.time", clock)
    records = objects(SYNC)
    ticks = iter(i**2 * 1e-5 for i in range(10_000))
    (rows,) = tables(output(SYNC))
    assert len(rows) == len(records) == 2
    for row, one in zip(rows, records, strict=True):
        assert_shown(row["Eb/N0, dB"], one["ebn0_db"])
        assert_shown(row["frames"], one["frames"])
        assert_shown(row["wrong"], one["wrong"])
        for name in ("found", "decodable"):
            rate = one[f"{name}_rate"]
            assert value_in(rate, "1") == one[name] / one["frames"]
            assert rate["low"] <= rate["value"] <= rate["high"]
            assert_shown(row[name], rate["value"])
            low, high = row[f"{name} 95 %"].split(" to ")
            assert_shown(low, rate["low"])
            assert_shown(high, rate["high"])
        for where in ("present", "absent"):
            per_s = value_in(one[f"candidates_per_second_{where}"], "1/s")
            assert_shown(row[f"million/s if {where}"], per_s / 1e6)
    # Of three readings of the clock, 1, 3, 5, ... times 10 µs apart.
    searches = [range(3 * i, 3 * i + 3) for i in range(40)]
    for one, of_point in zip(records, (searches[:20], searches[20:]), strict=True):
        tried = 1024 * 20
        for where, step in (("present", 0), ("absent", 1)):
            seconds = sum(2 * each[step] + 1 for each in of_point) * 1e-5
            found = one[f"candidates_per_second_{where}"]["value"]
            assert found == pytest.approx(tried / seconds)


# Randomness

RUN = "randomness run {} --sequences 60 --bits 2000 --workers 1"


@pytest.mark.parametrize(
    ("source", "code"), [("modspeck128-128-ctr", 0), ("bad:counter", 1)]
)
def test_tests_of_randomness(source: str, code: int) -> None:
    command = RUN.format(source)
    records = objects(command, code=code)
    (rows,) = tables(output(command, code=code))
    tests = [one for one in records if one["type"] == "randomness_test"]
    groups: dict[str, list[dict[str, Any]]] = {}
    for one in tests:
        groups.setdefault(one["section"], []).append(one)
    assert len(rows) == len(groups) == 15
    judged = 0
    for row in rows:
        of_row = groups[row["SP 800-22"]]
        assert_shown(row["p-values"], len(of_row))
        sequences = max(one["sequences"] for one in of_row)
        assert_shown(row["sequences"], sequences)
        if not sequences:
            assert row["result"] == "not judged"
            continue
        judged += 1
        shares = [one["passed"] / one["sequences"] for one in of_row]
        assert [one["proportion"] for one in of_row] == pytest.approx(shares)
        assert_shown(row["passed, least"], min(shares))
        # SP 800-22, 4.2.1.
        half = 3 * math.sqrt(0.99 * 0.01 / sequences)
        low, high = row["NIST's interval"].split("..")
        assert_shown(low, 0.99 - half)
        assert_shown(high, min(0.99 + half, 1))
        least = min(one["uniformity"] for one in of_row)
        assert_digits(row["uniformity, least"], least, digits=2)
        assert_shown(row["criteria missed"], sum(len(one["missed"]) for one in of_row))
        fails = any(one["failed"] for one in of_row)
        assert row["result"] == ("fails" if fails else "passes")
        for one in of_row:
            assert sum(one["histogram"]) == one["sequences"]
    assert judged > 5


def test_what_flips_change() -> None:
    command = "randomness avalanche speck64-96 --samples 10"
    records = objects(command)
    (rows,) = tables(output(command))
    assert [one["flipped"] for one in records] == ["key", "plaintext"]
    assert len(rows) == len(records[0]["steps"]) == 26
    for i, row in enumerate(rows):
        assert_shown(row["round"], records[0]["steps"][i])
        for one in records:
            shares = one["shares"][i]
            for name, share in (
                ("least", min(shares)),
                ("mean", statistics.fmean(shares)),
                ("most", max(shares)),
            ):
                # Shares of JSON have six decimals.
                text = row[f"{one['flipped']} {name}"]
                assert float(text) == pytest.approx(share, abs=0.5e-3 + 1e-6)
    assert 0.4 < float(rows[-1]["key mean"]) < 0.6


# Receipts

EXPLAINED = (
    "receipt explain --link ieee802154 --level 6 --bytes 300 --device atmega128rfa1",
    "receipt explain --link rf-serial --bytes 5 --device atmega328p",
)


@pytest.mark.parametrize("device", ["", " --device msp430f1611"])
@pytest.mark.parametrize("explained", EXPLAINED)
def test_receipts_that_are_shown(explained: str, device: str, tmp_path: Path) -> None:
    file = tmp_path / "receipt.json"
    file.write_text(output(f"{explained} --json"), encoding="utf-8")
    command = f"receipt show {file}{device}"
    (record,) = objects(command)
    text = output(command)
    counted, figures = tables(text)
    shown = {row["part"]: row["bytes"] for row in counted}
    parts = {PARTS[name].label: size for name, size in record["parts"].items() if size}
    assert len(parts) >= 4
    for label, size in parts.items():
        assert_shown(shown.pop(label), size, label)
    assert_shown(shown.pop("handed to the radio"), record["link_bytes"])
    assert_shown(shown.pop("on the air"), record["air_bytes"])
    assert not {name for name, size in shown.items() if size != "0"}
    behind = record["parts"]["radio"] + record["parts"]["acknowledgement"]
    assert sum(record["parts"].values()) == record["air_bytes"]
    assert record["link_bytes"] + behind == record["air_bytes"]
    packets, expansion = re.findall(r"in (\d+) packets?, expansion ([\d.]+)", text)[0]
    assert int(packets) == record["packets"]
    assert_shown(expansion, record["link_bytes"] / record["parts"]["message"])
    by_label = {row["figure"]: row for row in figures}
    assert len(by_label) == len(record["figures"]) >= 5
    for name, figure in record["figures"].items():
        row = by_label[FIGURES[name].label]
        number, unit = row["value"].split(" ")
        assert_cell(number, unit, figure)
        assert row["origin"].startswith(figure["origin"])


# Media and modems


class Served:
    """Stands in for a medium or the ports of modems, and ends at once."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def run(self, over: object) -> None:
        pass


LINKS = {
    ("0a0a", "0b0b"): LinkStatistics(5001, 202, 33),
    ("0b0b", "0a0a"): LinkStatistics(44, 1055, 6),
}
COUNTS = {
    one.name: 1201 + 1111 * i
    for i, one in enumerate(fields(Statistics))
    if one.name != "links"
}


class Counted(Served):
    """A medium that has counted something else of each kind."""

    port = 17754
    statistics = Statistics(**COUNTS, links=LINKS)

    def __init__(self, *_: object) -> None:
        pass


def test_statistics_of_a_medium(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(medium_serving, "Medium", Counted)
    (statistics,) = objects("medium")
    counts, links = tables(output("medium"))
    assert len(counts) == len(COUNTS) >= 14
    for row, (name, count) in zip(counts, COUNTS.items(), strict=True):
        assert row["packets of the medium"] == name.replace("_", " ")
        assert statistics[name] == count
        assert_shown(row["count"], count)
    assert len(links) == len(statistics["links"]) == 2
    for row, one, (ends, record) in zip(
        links, statistics["links"], LINKS.items(), strict=True
    ):
        assert (row["sender"], row["receiver"]) == ends
        assert (one["sender"], one["receiver"]) == ends
        for name in ("delivered", "lost", "collided"):
            assert_shown(row[name], getattr(record, name))
            assert one[name] == getattr(record, name)


def test_statistics_of_modems(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = {
        (side, one.name): 1201.25 + 1111 * i + 17 * ord(side.name)
        if one.name == "air_s"
        else 1201 + 1111 * i + 17 * ord(side.name)
        for side in Side
        for i, one in enumerate(fields(serial_radio.Statistics))
    }

    class Ports(Served):
        overruns = 7

        def __init__(self, pair: Pair, _: object) -> None:
            self.pair = pair
            self.paths = dict.fromkeys(Side, "/dev/pts/9")
            for (side, name), value in counted.items():
                setattr(pair.statistics(side), name, value)

    monkeypatch.setattr(modem_serving, "Ports", Ports)
    asked = "modem --timeout-ms 40 --baud 9600"
    described, records = objects(asked)
    assert (described["timeout_s"], described["baud"]) == (0.04, 9600)
    (rows,) = tables(output(asked))
    assert len(rows) >= 10
    for row in rows:
        name = row["count"].replace(" ", "_")
        for side in Side:
            letter = side.name.lower()
            assert records[letter][name] == counted[side, name]
            assert_shown(row[f"modem {letter}"], counted[side, name])
    assert records["overruns"] == 7
