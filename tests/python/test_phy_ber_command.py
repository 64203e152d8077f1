# SPDX-License-Identifier: Apache-2.0
"""What `samara phy ber` takes and shows: sweeps, tables, pictures, records."""

from __future__ import annotations

import json
import subprocess
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from shell import PROGRAM, TIMEOUT_S, assert_done, assert_misuse, environment, samara

from samara.errors import MisuseError
from samara.phy import curves, error_rates
from samara.phy.intervals import Tally
from samara.phy.parameters import values_of
from samara.phy.rate_charts import charts_of_rates
from samara.phy.sweep import Point
from samara.phy.trial import (
    Case,
    Receiver,
)
from samara.records.answers import Written
from samara.records.json_lines import plain

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
def test_pictures_and_table(tmp_path: Path) -> None:
    arguments = ["--ebn0", "1:2:0.5", "--frames", "250", "--workers", "1"]
    done = samara("phy", "ber", *arguments, "-o", "out", folder=tmp_path)
    assert done.returncode == 0, done
    assert "Grain-128PLE, soft" in done.stdout.decode()
    assert (tmp_path / "out" / "ber.png").read_bytes().startswith(b"\x89PNG")
    # A line for bits, with a legend, and one for frames.
    svg = (tmp_path / "out" / "ber.svg").read_bytes()
    assert b"union bound of the code" in svg
    assert svg.count(b"stroke-dasharray: 3.7,1.6") >= 3
    assert {each.name for each in (tmp_path / "out").iterdir()} == {
        "ber.png", "ber.svg"
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "kept", "left_out"),
    [
        (
            "phy ber --workers 1 --ebn0 1 --frames 250 --modulation o-qpsk-dsss",
            "FER 95 %",
            "BER 95 %. To see them: --wide, a wider terminal, or --json.",
        ),
        ("phy sync --ebn0 4 --frames 5", "found 95 %", "frames, decodable 95 %"),
        ("phy reuse --frames 10", "parity checks", "Not shown in 80 columns: bits"),
        ("phy speed --code none", "chain, Mbit/s", ""),
    ],
)
def test_tables_have_80_columns_at_most(
    command: str, kept: str, left_out: str, tmp_path: Path
) -> None:
    done = subprocess.run(
        [PROGRAM, *command.split()],
        cwd=tmp_path,
        env=environment() | {"COLUMNS": "80"},
        capture_output=True,
        timeout=TIMEOUT_S,
        check=True,
    )
    shown = done.stdout.decode()
    assert max(map(len, shown.splitlines())) <= 80, shown
    assert kept in shown
    assert left_out in " ".join(shown.split())


@pytest.mark.parametrize(
    "ebn0", ["", "x", "5:1", "0:9:-1", "0:9:1e-9", "nan", "1:2:3:4"]
)
def test_a_sweep_that_is_none(ebn0: str, tmp_path: Path) -> None:
    answer = samara("phy", "ber", "--ebn0", ebn0, folder=tmp_path)
    assert_misuse(answer, "is not valid: expected FIRST:LAST:STEP or values")


def test_a_modulation_that_is_none(tmp_path: Path) -> None:
    answer = samara("phy", "ber", "--modulation", "fsk", folder=tmp_path)
    assert_misuse(
        answer,
        "unknown modulation 'fsk': expected one of bpsk, qpsk, 16-qam, o-qpsk-dsss",
    )


@pytest.mark.slow
def test_speed_and_search_are_figures(tmp_path: Path) -> None:
    speed = samara("phy", "speed", "--code", "conv", "--json", folder=tmp_path)
    plain, encrypted = map(json.loads, assert_done(speed).splitlines())
    assert (plain["encrypts"], encrypted["encrypts"]) == (False, True)
    assert encrypted["chain"]["value"] > 0
    assert (encrypted["chain"]["unit"], encrypted["chain"]["origin"]) == (
        "bit/s",
        "host clock",
    )
    arguments = ["--ebn0", "4", "--frames", "60", "--window", "2000", "--json"]
    point = json.loads(assert_done(samara("phy", "sync", *arguments, folder=tmp_path)))
    assert point["type"] == "counter_search"
    assert point["found"] == 60
    assert point["wrong"] == 0
    assert point["found_rate"]["low"] > 0.9
    assert point["candidates_per_second_present"]["value"] > 0


def test_rows_and_json_have_the_figures() -> None:
    point = Point(Case(), 2.0)
    point.add({Receiver.PLE: Tally(250, 20, 120_000, 300, 9000)})
    point.add({Receiver.PLAIN: Tally(250, 0, 120_000, 0, 0)})
    tallies = point.tallies
    assert curves.cells(tallies[Receiver.PLE].frame_error_rate) == (
        *("0.08", "0.0495 to 0.121"),
    )
    assert curves.cells(tallies[Receiver.PLAIN].frame_error_rate) == ("0", "< 0.015")
    bits, frames = charts_of_rates(Written([], [SimpleNamespace(point=point)]))
    shown = {each.name: each.points for each in frames.series if each.size is None}
    ((ple,),) = shown.values()
    assert list(shown) == ["Grain-128PLE, soft"]
    assert (ple.x, ple.y) == (2, 0.08)
    assert (ple.low, ple.high) == pytest.approx((0.0495, 0.121), rel=0.01)
    (measured,) = [each for each in bits.series if each.size is None]
    assert measured.points[0].y == 0.0025
    # The bound of the code in theory is a curve, from the first point to the last.
    assert [each.name for each in bits.series if each.size == 0] == [
        "union bound of the code"
    ]
    written = plain(error_rates.record_of(point, 1))["receivers"]["ple"]
    assert written["fer"]["value"] == 0.08
    assert written["ber"]["value"] == 0.0025
    assert written["ber"]["low"] == tallies[Receiver.PLE].bit_error_rate.low


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("0:6:2", [0, 2, 4, 6]),
        ("0:3", [0, 1, 2, 3]),
        ("1:2:0.3", [1, 1.3, 1.6, 1.9]),
        ("0:1:0.1", [round(i / 10, 6) for i in range(11)]),
        ("5,-1.5", [5, -1.5]),
        ("100", [100]),
    ],
)
def test_a_sweep(text: str, values: list[float]) -> None:
    assert values_of(text) == values


@pytest.mark.parametrize("text", ["100.1", "-101", "0:1001:1", "inf"])
def test_a_sweep_that_goes_too_far(text: str) -> None:
    with pytest.raises(MisuseError, match="is not valid"):
        values_of(text)
