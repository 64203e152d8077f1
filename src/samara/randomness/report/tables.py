# SPDX-License-Identifier: Apache-2.0
"""The tables of the report."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from samara.figure import Origin
from samara.randomness.reading import Group, failing, grouped
from samara.randomness.settings import Battery
from samara.records.tables import (
    NOTHING,
    Cell,
    Column,
    Row,
    Table,
    label,
    number,
    significant,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.randomness.described import Summary
    from samara.randomness.judging import Judged
    from samara.randomness.settings import Settings

_COUNTED = Origin.MEASURED
_EXPECTED = Origin.ESTIMATED


def slug_of(settings: Settings) -> str:
    """Return a name of a run for files and links."""
    plain = re.sub(r"[^a-z0-9]+", "-", settings.source.lower()).strip("-")
    return f"randomness-{plain or 'stdin'}-{settings.battery}"


def _verdict(summary: Summary) -> Cell:
    return words("passes" if summary.verdict.passes else "fails")


def overview(summaries: Sequence[Summary]) -> Table:
    """Return a row for each run."""
    return Table(
        slug="randomness-runs",
        title="Sources and verdicts",
        columns=(
            label("source"),
            label("battery"),
            Column("sequences"),
            Column("bits each"),
            label("verdict"),
            Column("tests that fail", numeric=False, wraps=True),
            Column("NIST's criteria"),
            Column("missed"),
            Column("missed by a good source"),
        ),
        rows=[_overview_row(one) for one in summaries],
        caption="Missed by a good source: on average, computed from the binomial"
        " distribution.",
    )


def _overview_row(summary: Summary) -> Row:
    verdict, settings = summary.verdict, summary.settings
    sts = settings.battery is Battery.STS
    return Row(
        (
            words(settings.source),
            words(settings.battery),
            number(verdict.sequences, _COUNTED) if sts else NOTHING,
            number(settings.bits, _COUNTED) if sts else NOTHING,
            _verdict(summary),
            words(", ".join(failing(summary)) or "none"),
            number(verdict.decisions, _COUNTED) if sts else NOTHING,
            number(verdict.missed, _COUNTED) if sts else NOTHING,
            significant(verdict.expected, _EXPECTED, 2) if sts else NOTHING,
        )
    )


def planted(summaries: Sequence[Summary]) -> Table:
    """Return by which tests each bad source was found."""
    rows = [
        Row(
            (
                words(one.settings.source),
                words(one.settings.battery),
                number(one.verdict.sequences, _COUNTED),
                words(", ".join(failing(one)) or "no test: missed"),
            )
        )
        for one in summaries
    ]
    columns = label("source"), label("battery"), Column("sequences"), label("found by")
    return Table("randomness-planted", "Which tests found them", columns, rows)


def groups(summary: Summary) -> Table:
    """Return a row for each of NIST's 15 tests: the worst of its p-values."""
    return Table(
        slug=f"{slug_of(summary.settings)}-tests",
        title="NIST's 15 tests",
        columns=(
            label("test"),
            label("SP 800-22"),
            Column("p-values"),
            Column("sequences"),
            Column("passed, least"),
            Column("NIST's interval from"),
            Column("to"),
            Column("uniformity, least"),
            Column("criteria missed"),
            label("result"),
        ),
        rows=[_group_row(group) for group in grouped(summary.verdict)],
        caption="Of tests with several p-values, the worst. Passed: share of sequences"
        " with p >= 0.01.",
    )


def _group_row(group: Group) -> Row:
    judged = bool(group.sequences)
    result = "fails" if group.fails else "passes" if judged else "not judged"
    return Row(
        (
            words(group.name),
            words(group.section),
            number(group.count, _COUNTED),
            number(group.sequences, _COUNTED),
            number(group.proportion if judged else None, _COUNTED, 4),
            number(group.low if judged else None, _EXPECTED, 4),
            number(group.high if judged else None, _EXPECTED, 4),
            significant(group.uniformity, _COUNTED, 2),
            number(group.missed, _COUNTED),
            words(result),
        )
    )


def everything(summary: Summary) -> Table:
    """Return a row for each p-value of a sequence."""
    return Table(
        slug=f"{slug_of(summary.settings)}-all",
        title="All p-values",
        columns=(
            label("test"),
            label("defined in, or measured"),
            Column("sequences"),
            Column("passed"),
            Column("NIST's interval from"),
            Column("to"),
            Column("uniformity"),
            Column("smallest p-value"),
            label("criteria missed"),
            label("fails by"),
        ),
        rows=[_row(test) for test in summary.verdict.tests],
        folded=True,
    )


def _row(test: Judged) -> Row:
    return Row(
        (
            words(test.test),
            words(test.section),
            number(test.sequences, _COUNTED),
            number(test.proportion, _COUNTED, 4),
            number(test.low, _EXPECTED, 4),
            number(test.high, _EXPECTED, 4),
            significant(test.uniformity, _COUNTED, 2),
            significant(test.smallest, _COUNTED, 2),
            words(", ".join(test.missed) or "none"),
            words(", ".join(test.failed) or "nothing"),
        )
    )
