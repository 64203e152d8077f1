# SPDX-License-Identifier: Apache-2.0
"""A run of statistical tests as people are shown it: a table, and what follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.randomness.reading import grouped, sentences
from samara.randomness.settings import Battery
from samara.records import Remark
from samara.records.tables import NOTHING, Cell, Column, Row, Table, label, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.randomness.described import Summary
    from samara.randomness.judging import Judged
    from samara.randomness.reading import Group

_STS = (
    label("test"),
    label("SP\N{NO-BREAK SPACE}800-22", rank=2),
    Column("p-values", rank=3),
    Column("sequences"),
    Column("passed,\nleast"),
    Column("NIST's interval", rank=2),
    Column("uniformity,\nleast"),
    Column("criteria missed"),
    label("result"),
)
_PROGRAM = (
    label("test"),
    Column("p-value"),
    Column("measured", numeric=False, wraps=True, rank=2),
    label("result"),
)


def parts_of(summary: Summary) -> Iterator[Table | Remark]:
    """Yield the tests of a run as a table, and what follows from them."""
    settings, verdict = summary.settings, summary.verdict
    title = f"{settings.source}: {settings.battery}"
    if settings.battery is Battery.STS:
        rows = [Row(_of_group(group)) for group in grouped(verdict)]
        yield Table("randomness-run", title, _STS, rows)
    else:
        rows = [Row(_of_program(test)) for test in verdict.tests]
        yield Table("randomness-run", title, _PROGRAM, rows)
    for sentence in sentences(summary):
        yield Remark(sentence)


def _of_group(group: Group) -> list[Cell]:
    """Return the cells of one of NIST's tests."""
    head = [group.name, group.section, str(group.count), str(group.sequences)]
    if not group.sequences:
        return [*map(words, head), *[NOTHING] * 4, words("not judged")]
    found = [
        f"{group.proportion:.4f}",
        f"{group.low:.4f}..{group.high:.4f}",
        "-" if group.uniformity is None else f"{group.uniformity:.2g}",
        str(group.missed),
    ]
    return [*map(words, [*head, *found]), _result(fails=group.fails)]


def _of_program(test: Judged) -> list[Cell]:
    p_value = "-" if test.smallest is None else f"{test.smallest:.3g}"
    found = (test.test, p_value, test.section)
    return [*map(words, found), _result(fails=bool(test.failed))]


def _result(*, fails: bool) -> Cell:
    text = "fails" if fails else "passes"
    return Cell(text, text, colour="red" if fails else "green")
