# SPDX-License-Identifier: Apache-2.0
"""What the paper on ModSpeck states of its randomness, beside what is found here.

The paper has no table of it, and neither parameters nor numbers of bits: its
statements are all there is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.bench import published
from samara.figure import Origin
from samara.randomness.judging import ALPHA
from samara.randomness.reading import failing
from samara.randomness.settings import Battery
from samara.records.answers import Remark
from samara.records.parts import Section
from samara.records.tables import Column, Row, Table, label, number, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.randomness.described import Summary

_PAPER = "modspeck"
_PROGRAMS = {Battery.DIEHARDER: "Dieharder", Battery.ENT: "ent"}
_STATED = (
    "The paper: ModSpeck “leaves Speck behind in terms of randomness as its three"
    " variations successfully passed all the statistical analysis test of NIST and"
    " DieHarder”, and has a “0.25% higher statistical test compared to NIST standard"
    " accepted success rate”. It gives no table of these tests, no parameters, no"
    " number of sequences or bits, and no result of Speck."
)


def applies(summaries: Sequence[Summary]) -> bool:
    """Tell whether there is a run of ModSpeck by NIST's tests."""
    return any("modspeck" in one.settings.source for one in _own(summaries))


def _own(summaries: Sequence[Summary]) -> list[Summary]:
    return [one for one in summaries if one.settings.battery is Battery.STS]


def section(summaries: Sequence[Summary]) -> Section:
    """Return the paper's statements beside our runs."""
    paper = published.paper(_PAPER)
    found = Section(
        slug="randomness-paper",
        title=f"{paper.name}: its statements",
        intro="Ours are runs that anyone can repeat: keys, nonces and seeds stand in"
        " the results.",
        group="overview",
        name="the paper",
        source=paper.citation,
    )
    found.parts += [Remark(_STATED), _table(summaries)]
    found.parts += [Remark(text) for text in _compared(_own(summaries))]
    found.parts += [Remark(text) for text in _by_programs(summaries)]
    return found


def _mean(summary: Summary) -> float:
    """Return the mean share of sequences that passes, over all p-values."""
    tests = [test for test in summary.verdict.tests if test.sequences]
    return sum(test.passed / test.sequences for test in tests) / len(tests)


def _least(summary: Summary) -> float:
    """Return the least share among the tests that apply to all sequences."""
    whole = summary.verdict.sequences
    tests = [test for test in summary.verdict.tests if test.sequences == whole]
    return min(test.passed / test.sequences for test in tests)


def _table(summaries: Sequence[Summary]) -> Table:
    stated = Row(
        (
            words("ModSpeck, all variants: the paper"),
            words("not stated"),
            words("all passed"),
            words("not stated"),
            words("not stated"),
            words("not stated"),
        )
    )
    return Table(
        slug="randomness-beside-paper",
        title="NIST's tests",
        columns=(
            label("source"),
            Column("sequences"),
            label("tests that fail"),
            Column("mean share that passes"),
            Column("least share"),
            Column("NIST's criteria missed"),
        ),
        rows=[stated, *(_row(one) for one in _own(summaries))],
        caption="Mean share: of sequences with p >= 0.01, over all p-values; random"
        " bits have 0.99. Least share: of the tests that apply to all sequences.",
    )


def _row(summary: Summary) -> Row:
    verdict = summary.verdict
    return Row(
        (
            words(summary.settings.source),
            number(verdict.sequences, Origin.MEASURED),
            words(", ".join(failing(summary)) or "none"),
            number(_mean(summary), Origin.MEASURED, 4),
            number(_least(summary), Origin.MEASURED, 4),
            number(verdict.missed, Origin.MEASURED),
        ),
        emphasis="modspeck" in summary.settings.source,
    )


def _compared(summaries: Sequence[Summary]) -> list[str]:
    """Return what follows for ModSpeck and Speck, where both were run."""

    def of(name: str) -> list[Summary]:
        return [one for one in summaries if one.settings.source.startswith(name)]

    texts = [
        (
            "A share above NIST's least acceptable one says nothing in favour of a"
            f" cipher: random bits have a share of {1 - ALPHA}, which is above it, and"
            " so has every good cipher."
        )
    ]
    pairs = [(mine, his) for mine in of("modspeck") for his in of("speck")]
    for mine, his in pairs:
        if mine.settings.source == f"mod{his.settings.source}":
            off = 100 * (_mean(mine) - _mean(his))
            texts.append(
                f"{mine.settings.source} passes {abs(off):.3f} percentage points"
                f" {'more' if off >= 0 else 'less'} than {his.settings.source}, and"
                f" misses {mine.verdict.missed} of NIST's criteria,"
                f" {his.settings.source} {his.verdict.missed}; a good source"
                f" misses {mine.verdict.expected:.2g} on average. A lead over Speck"
                + (
                    " does not show."
                    if mine.verdict.passes and his.verdict.passes
                    else " is not decided by this: one of them fails."
                )
            )
    return texts


def _by_programs(summaries: Sequence[Summary]) -> list[str]:
    """Return what Dieharder and ent found in ModSpeck."""
    runs = [
        one
        for one in summaries
        if one.settings.battery in _PROGRAMS
        and one.settings.source.startswith("modspeck")
    ]
    return [_by_program(one) for one in runs]


def _by_program(summary: Summary) -> str:
    tests = summary.verdict.tests
    failed = sum(bool(test.failed) for test in tests)
    smallest = min(test.smallest for test in tests if test.smallest is not None)
    return (
        f"By {_PROGRAMS[summary.settings.battery]}, {summary.settings.source}:"
        f" {failed or 'none'} of {len(tests)} p-values fail by the rule of the whole"
        f" run; the smallest is {smallest:.2g}."
    )
