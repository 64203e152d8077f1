# SPDX-License-Identifier: Apache-2.0
"""What a verdict says in words, and tests with many p-values as one row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.randomness import sts
from samara.randomness.judging import FAMILY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.randomness.described import Summary
    from samara.randomness.judging import Judged, Verdict

NOT_PROVED = (
    "Passing does not prove that a source is secure, or even hard to predict: these"
    " tests know neither cipher nor key. samara randomness run predictable:mt19937"
    " passes, and anyone predicts it from 624 of its numbers."
)
_NAMED = 6


@dataclass(frozen=True, slots=True)
class Group:
    """One test: the worst of its p-values."""

    name: str
    section: str
    parts: tuple[Judged, ...]

    @property
    def count(self) -> int:
        """Number of p-values of a sequence."""
        return len(self.parts)

    @property
    def sequences(self) -> int:
        """That the test applies to."""
        return max(part.sequences for part in self.parts)

    @property
    def _worst(self) -> Judged:
        return min(self.parts, key=lambda part: (part.proportion or 0.0, part.test))

    @property
    def proportion(self) -> float:
        """The least share of sequences that pass."""
        return self._worst.proportion or 0.0

    @property
    def low(self) -> float:
        """Lower end of NIST's interval for that share."""
        return self._worst.low

    @property
    def high(self) -> float:
        """Upper end of it."""
        return self._worst.high

    @property
    def uniformity(self) -> float | None:
        """The least uniformity of p-values."""
        known = [p.uniformity for p in self.parts if p.uniformity is not None]
        return min(known, default=None)

    @property
    def missed(self) -> int:
        """NIST's criteria that are not kept."""
        return sum(len(part.missed) for part in self.parts)

    @property
    def fails(self) -> bool:
        """Whether one of its p-values fails by the rule of the whole run."""
        return any(part.failed for part in self.parts)

    @property
    def histogram(self) -> list[int]:
        """Of the p-values of all parts, in ten classes."""
        return [
            sum(ones) for ones in zip(*(p.histogram for p in self.parts), strict=True)
        ]


def grouped(verdict: Verdict) -> list[Group]:
    """Return a row for each test of `samara.randomness.sts`."""
    by_name = {test.test: test for test in verdict.tests}
    return [
        Group(test.name, test.section, tuple(by_name[name] for name in test.names))
        for test in sts.TESTS
        if all(name in by_name for name in test.names)
    ]


def failing(summary: Summary) -> list[str]:
    """Return the names of the tests that fail: those of `sts`, or of a program."""
    groups = grouped(summary.verdict)
    if groups:
        return [group.name for group in groups if group.fails]
    return [test.test for test in summary.verdict.tests if test.failed]


def sentences(summary: Summary) -> Iterator[str]:
    """Yield what follows from a run."""
    verdict = summary.verdict
    found = failing(summary)
    if found:
        names = ", ".join(found[:_NAMED])
        more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        yield f"FAILS: {names}{more}."
    else:
        yield (
            f"PASSES: no test fails by the rule of the whole run, which a good source"
            f" passes with a probability of {1 - FAMILY:.1%}."
        )
    if grouped(verdict):
        yield (
            f"Of NIST's {verdict.decisions} criteria, test by test, {verdict.missed}"
            f" are not kept; a good source misses {verdict.expected:.2g} on average."
        )
        idle = [group.name for group in grouped(verdict) if not group.sequences]
        if idle:
            yield f"Not judged, because they do not apply: {', '.join(idle)}."
    if not found:
        yield NOT_PROVED
