# SPDX-License-Identifier: Apache-2.0
"""What `samara energy` shows: tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.cli.tables import Column, console, print_table, print_text
from samara.energy.parts import Part
from samara.energy.ranges import QUANTILES_IN_WORDS
from samara.records.numbers import digits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from samara.energy.message import Message
    from samara.energy.scenario import Scenario

_DAY_S = 86_400.0


def print_message(scenario: Scenario, told: Message) -> None:
    """Print what one message takes, part by part."""
    total_j = float(told.energy_j.total)
    rows = [
        [str(part), f"{joules * 1e6:,.2f}", f"{digits(joules / total_j * 100)}%"]
        for part in Part
        if (joules := float(told.energy_j[part]))
    ]
    rows.append(["total", f"{total_j * 1e6:,.2f}", ""])
    columns = [
        Column("part"),
        Column("µJ", numeric=True),
        Column("share", numeric=True),
    ]
    screen = console()
    print_table(
        screen,
        columns,
        rows,
        title="One message, with all until the next",
        caption=scenario.in_words(),
        empty="nothing",
    )
    spread = told.range_j
    print_text(
        screen,
        f"Range: {spread.low * 1e6:,.0f}, {spread.middle * 1e6:,.0f}, "
        f"{spread.high * 1e6:,.0f} µJ. {QUANTILES_IN_WORDS}",
    )
    print_text(screen, f"Mean latency of a hop: {told.latency_s * 1e3:,.1f} ms.")
    _print_unchecked(screen, told.unchecked)


def _print_unchecked(screen: Console, names: Sequence[str]) -> None:
    if names:
        print_text(
            screen,
            f"Assumed, since not checked in their sources: {', '.join(names)}.",
        )
