# SPDX-License-Identifier: Apache-2.0
"""The charts of the report: p-values in classes, and proportions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.figure import Origin
from samara.randomness.described import RandomnessTest, records_of_run
from samara.randomness.judging import ALPHA
from samara.randomness.report.tables import slug_of
from samara.records.charts import Axis, Chart, Draws, Point, Series, View
from samara.records.parts import Plot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.randomness.described import Summary
    from samara.randomness.judging import Judged


def histograms(summary: Summary) -> Plot:
    """Return how the p-values of NIST's tests are distributed."""
    tests = [
        each for each in records_of_run(summary) if isinstance(each, RandomnessTest)
    ]
    return Plot(
        f"{slug_of(summary.settings)}-histograms",
        "Distribution of p-values",
        [View("p-values", tests)],
        "Share of a test's p-values in each tenth from 0 to 1. Those of random bits are"
        " uniform: 0.1 each, the line. Tests that apply to fewer sequences are in the"
        " table alone.",
    )


def proportions(summary: Summary) -> Plot:
    """Return the share of sequences that passes, a point for each p-value."""
    tests = [test for test in summary.verdict.tests if test.sequences]
    title = "Share of sequences that passes"
    chart = Chart(
        title, Axis("number of the p-value", counts=True), Axis("share"), _shares(tests)
    )
    return Plot(
        f"{slug_of(summary.settings)}-proportions",
        title,
        [chart],
        "One point for each p-value, in the order of the table of all p-values. Band:"
        " NIST's interval around 0.99, three standard deviations, wider for the random"
        " excursions, which apply to fewer sequences.",
    )


def _shares(tests: Sequence[Judged]) -> list[Series]:
    """Return NIST's interval, the tests that pass, and those that fail."""
    expected = [
        Point(number, 1 - ALPHA, test.low, test.high, origin=Origin.ESTIMATED)
        for number, test in enumerate(tests, 1)
    ]
    series = [Series("NIST's interval", expected, Draws.LINE, 7, size=0)]
    for fails, name, colour in ((False, "passes", 0), (True, "fails", 1)):
        points = [
            _share(number, test)
            for number, test in enumerate(tests, 1)
            if bool(test.failed) is fails
        ]
        if points:
            series.append(Series(name, points, Draws.POINTS, colour))
    return series


def _share(number: int, test: Judged) -> Point:
    share = test.passed / test.sequences
    source = f"{test.sequences:,} sequences"
    return Point(number, share, label=test.test, source=source)
