# SPDX-License-Identifier: Apache-2.0
"""Equations (1), (3) and (4) of the ModSpeck paper, on its own figures."""

from __future__ import annotations

import pytest
from bench.results import result

from samara.bench import published
from samara.bench.report import merit
from samara.bench.report.merit import Metrics
from samara.bench.report.papers import modspeck

RECORDS = published.table("modspeck_arduino.csv")
BOARDS = ("uno", "mega")


def printed(column: str) -> list[float]:
    return [record.value(column) for record in RECORDS]


def over_least(column: str) -> list[float]:
    values = printed(column)
    return [value / min(values) for value in values]


def test_the_least_of_everything_has_three() -> None:
    assert merit.parameters([Metrics(1, 2, 3), Metrics(2, 4, 6)]) == [3, 6]


def test_nothing_has_no_parameters() -> None:
    assert merit.parameters([]) == []


def test_the_papers_figures_by_its_equations() -> None:
    """The least of everything, on both boards, is Simon's with 256-bit keys."""
    found = dict(
        zip(
            [(int(r.value("key_bits")), r.text("cipher")) for r in RECORDS],
            merit.published(),
            strict=True,
        )
    )
    assert found[256, "Simon"] == 3
    # By hand, Uno then Mega: RAM, code, cycles.
    uno = 6544 / 3040 + 68.624 / 16.917 + 13445 / 10234
    mega = 6544 / 3040 + 68.600 / 17.683 + 12321 / 10221
    assert found[128, "AES"] == pytest.approx((uno + mega) / 2)


def test_the_printed_figure_of_merit_weighs_ram_eightfold_and_hardly_code() -> None:
    """What the report says of the printed column."""
    boards = [
        [
            8 * ram + code / 128 + cycles
            for ram, code, cycles in zip(
                over_least(f"{board}_ram_bits"),
                over_least(f"{board}_code_kb"),
                over_least(f"{board}_cycles"),
                strict=True,
            )
        ]
        for board in BOARDS
    ]
    found = [merit.figure(pair) for pair in zip(*boards, strict=True)]
    assert found == pytest.approx(printed("figure_of_merit"), abs=0.01)


@pytest.mark.parametrize("board", BOARDS)
def test_throughput_is_that_of_the_printed_cycles(board: str) -> None:
    found = [modspeck.throughput(cycles) for cycles in printed(f"{board}_cycles")]
    assert found == pytest.approx(printed(f"{board}_mbit_s"), abs=0.006)


def test_memory_has_the_stack_and_cycles_the_set_up() -> None:
    """Made-up results: 40 bytes of variables and 60 of stack, a set-up of 100."""
    made = result("atmega328p", "speck128-128", code=1000, cycles=16_000)
    assert merit.metrics(made) == Metrics(ram=100, code=1000, cycles=16_100)
