# SPDX-License-Identifier: Apache-2.0
"""Tables and sentences about a run of `samara randomness run`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.markup import escape

from samara.cli.shared.printable import printable_text
from samara.cli.shared.tables import Column, console, print_table, print_text
from samara.randomness.reading import Group, grouped, sentences
from samara.randomness.settings import Battery

if TYPE_CHECKING:
    from samara.randomness.storing import Summary

_STS = (
    Column("test"),
    Column("SP 800-22", rank=2),
    Column("p-values", numeric=True, rank=3),
    Column("sequences", numeric=True),
    Column("passed,\nleast", numeric=True),
    Column("NIST's\ninterval", numeric=True, rank=2),
    Column("uniformity,\nleast", numeric=True),
    Column("criteria\nmissed", numeric=True),
    Column("result"),
)
_PROGRAM = (
    Column("test"),
    Column("p-value", numeric=True),
    Column("measured", wraps=True, rank=2),
    Column("result"),
)


def print_summary(summary: Summary) -> None:
    """Print a run: a table of its tests, and what follows from them."""
    screen = console()
    title = printable_text(f"{summary.settings.source}: {summary.settings.battery}")
    if summary.settings.battery is Battery.STS:
        rows = [_sts_row(group) for group in grouped(summary.verdict)]
        print_table(screen, _STS, rows, title=title, empty="no test applies")
    else:
        rows = [
            (
                escape(test.test),
                "-" if test.smallest is None else f"{test.smallest:.3g}",
                escape(test.section),
                _result(bool(test.failed)),
            )
            for test in summary.verdict.tests
        ]
        print_table(screen, _PROGRAM, rows, title=title, empty="no test applies")
    for sentence in sentences(summary):
        print_text(screen, escape(printable_text(sentence)))


def _sts_row(group: Group) -> tuple[str, ...]:
    if not group.sequences:
        none = ["-"] * 4
        return (group.name, group.section, str(group.count), "0", *none, "not judged")
    return (
        group.name,
        group.section,
        str(group.count),
        str(group.sequences),
        f"{group.proportion:.4f}",
        f"{group.low:.4f}..{group.high:.4f}",
        "-" if group.uniformity is None else f"{group.uniformity:.2g}",
        str(group.missed),
        _result(group.fails),
    )


def _result(fails: bool) -> str:  # noqa: FBT001 - one of two words
    return "[red]fails[/]" if fails else "[green]passes[/]"
