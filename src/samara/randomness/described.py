# SPDX-License-Identifier: Apache-2.0
"""A run of statistical tests as records: the run, its tests and its verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeAlias

from samara.randomness.settings import Battery, Settings
from samara.records import Field, Record, record_class

if TYPE_CHECKING:
    from samara.randomness.judging import Verdict


class Summary(NamedTuple):
    """What is reported of a run."""

    settings: Settings
    verdict: Verdict
    origin: str
    """When and with what it was measured."""


@record_class
class RandomnessRun(Record):
    """What was tested, and how; the first line."""

    source: Annotated[str, Field("Name of the source.")]
    battery: Annotated[Battery, Field("The set of tests.")]
    sequences: Annotated[int, Field("Sequences that were asked for.")]
    bits: Annotated[int, Field("Size of a sequence.", unit="bit")]
    seed: Annotated[int, Field("What keys and nonces are made of.")]
    facts: Annotated[Mapping[str, str], Field("Key, nonce and so on.")]
    origin: Annotated[str, Field("When and with what it was measured.")]


@record_class
class RandomnessTest(Record):
    """One test, or one of several p-values of a test."""

    test: Annotated[str, Field("Its name.")]
    section: Annotated[str, Field("Of SP 800-22; of a program what it measured.")]
    sequences: Annotated[int, Field("Sequences that it applies to.")]
    passed: Annotated[int, Field("Of these, with p >= 0.01.")]
    low: Annotated[float, Field("Lower end of NIST's interval for the proportion.")]
    high: Annotated[float, Field("Upper end of it.")]
    uniformity: Annotated[
        float | None, Field("p-value of the distribution of p-values.")
    ]
    histogram: Annotated[
        tuple[int, ...], Field("Number of p-values in each of ten classes.")
    ]
    smallest: Annotated[float | None, Field("The smallest p-value.")]
    missed: Annotated[tuple[str, ...], Field("NIST's criteria that are not kept.")]
    failed: Annotated[
        tuple[str, ...], Field("What fails by the rule of the whole run.")
    ]
    proportion: Annotated[float | None, Field("Share of the sequences that pass.")]


@record_class
class RandomnessVerdict(Record):
    """What follows from all tests of a run; the last line."""

    passes: Annotated[bool, Field("Whether no test fails.")]
    sequences: Annotated[int, Field("Sequences that were tested.")]
    decisions: Annotated[int, Field("Number of NIST's criteria.")]
    level: Annotated[float, Field("Probability below which a decision fails.")]
    missed: Annotated[int, Field("NIST's criteria that are not kept.")]
    expected: Annotated[
        float, Field("How many of these a good source misses on average.")
    ]
    failed: Annotated[tuple[str, ...], Field("Tests that fail.")]


RunParts: TypeAlias = RandomnessRun | RandomnessTest | RandomnessVerdict


def records_of_run(summary: Summary) -> Iterator[RunParts]:
    """Yield the run, its tests, and its verdict."""
    verdict = summary.verdict
    yield RandomnessRun(**asdict(summary.settings), origin=summary.origin)
    for test in verdict.tests:
        yield RandomnessTest(**asdict(test), proportion=test.proportion)
    yield RandomnessVerdict(
        passes=verdict.passes,
        sequences=verdict.sequences,
        decisions=verdict.decisions,
        level=verdict.level,
        missed=verdict.missed,
        expected=verdict.expected,
        failed=tuple(test.test for test in verdict.tests if test.failed),
    )
