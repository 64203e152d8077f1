# SPDX-License-Identifier: Apache-2.0
"""What `samara energy` shows: tables."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from samara.cli.tables import Column, console, print_table, print_text
from samara.energy.parts import Part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from samara.energy.lives import Life, Message
    from samara.energy.scenario import Scenario

_DAY_S = 86_400.0
_TOLD = "10 %, 50 % and 90 % of draws from the tolerances of data sheets are below."


def about(scenario: Scenario) -> str:
    """Return what a node is taken to be, defaults among it."""
    secured = "without security"
    if scenario.calls:
        secured = f"{scenario.added_bytes} of them by {scenario.calls[0].suite}"
    count = sum(each.count for each in scenario.frames)
    frames = "frames of" if count == 1 else f"{count:,} frames for each message, of"
    return (
        f"Node: {scenario.device}, {scenario.radio}, {scenario.mac}; {frames} "
        f"{scenario.frame_bytes + scenario.added_bytes} bytes, {secured}."
    )


def digits(value: float) -> str:
    """Return a number with three digits or more, never none of them.

    >>> [digits(value) for value in (0.0, 0.00987, 1.5, 12.345, 1234.5)]
    ['0', '0.00987', '1.50', '12.3', '1,234']
    """
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    decimals = max(2 - math.floor(math.log10(abs(value))), 0)
    return f"{value:,.{decimals}f}"


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
        caption=about(scenario),
        empty="nothing",
    )
    spread = told.range_j
    print_text(
        screen,
        f"Range: {spread.low * 1e6:,.0f}, {spread.middle * 1e6:,.0f}, "
        f"{spread.high * 1e6:,.0f} µJ. {_TOLD}",
    )
    print_text(screen, f"Mean latency of a hop: {told.latency_s * 1e3:,.1f} ms.")
    _print_unchecked(screen, told.unchecked)


def _print_unchecked(screen: Console, names: Sequence[str]) -> None:
    if names:
        print_text(
            screen,
            f"Assumed, since not checked in their sources: {', '.join(names)}.",
        )


def print_lives(told: Sequence[Life], given: Scenario, interval_s: float) -> None:
    """Print how long a battery lasts, for each that is compared with what is given."""
    rows = [
        [
            each.name,
            str(each.frame_bytes),
            *map(digits, (each.years.low, each.years.middle, each.years.high)),
            digits(each.taken_hours.middle),
            f"{digits(each.taken * 100)}%",
        ]
        for each in told
    ]
    columns = [
        Column("security"),
        *(
            Column(name, numeric=True)
            for name in (
                "frame,\nbytes",
                "years,\n10 %",
                "years,\n50 %",
                "years,\n90 %",
                "taken,\nhours",
                "taken,\nshare",
            )
        ),
    ]
    screen = console()
    print_table(
        screen,
        columns,
        rows,
        title=f"Life of {given.battery}, a message every {interval_s:g} s",
        caption=_TOLD,
        empty="nothing to compare",
    )
    print_text(screen, about(given))
    for doubt in sorted({text for each in told for text in each.doubts}):
        print_text(screen, doubt)
    _print_unchecked(screen, sorted({name for each in told for name in each.unchecked}))
