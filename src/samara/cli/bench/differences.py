# SPDX-License-Identifier: Apache-2.0
"""Figures that differ from the committed ones, for two commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.cli.shared.diagnostics import say
from samara.cli.shared.json_lines import print_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.bench.checking import Difference

_SHOWN = 40
"""Lines of one kind that are printed; the others are counted."""


def print_difference(difference: Difference) -> None:
    """Print a figure as a line of JSON."""
    program, sizes = difference.program, difference.sizes
    print_json(
        "difference",
        {
            **program._asdict(),
            "message_bytes": sizes.message,
            "ad_bytes": sizes.ad,
            "figure": difference.figure,
            "committed": difference.committed,
            "found": difference.found,
            "better": difference.is_better,
        },
    )


def say_differences(differences: Sequence[Difference]) -> None:
    """Say which figures differ, the worse ones first."""
    worst_first = sorted(differences, key=lambda each: each.is_better)
    say_some(list(map(str, worst_first)))


def say_some(lines: Sequence[str]) -> None:
    """Say the first of many sentences, and how many more there are."""
    for each in lines[:_SHOWN]:
        say(each)
    if len(lines) > _SHOWN:
        say(f"... and {len(lines) - _SHOWN} more")
