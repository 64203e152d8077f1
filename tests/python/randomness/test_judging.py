# SPDX-License-Identifier: Apache-2.0
"""The rule of the whole run, and NIST's criteria, on p-values that are made up."""

from __future__ import annotations

import math

import numpy as np
import pytest

from samara.errors import MisuseError
from samara.randomness import judging

NAMES = [f"test {i}" for i in range(188)]


def judged(p_values: np.ndarray) -> judging.Verdict:  # type: ignore[type-arg]
    names = NAMES[: p_values.shape[1]]
    return judging.judge(names, [""] * len(names), p_values)


def uniform(sequences: int, tests: int = 188, seed: int = 1) -> np.ndarray:  # type: ignore[type-arg]
    return np.random.default_rng(seed).random((sequences, tests))


@pytest.mark.slow
def test_uniform_p_values_pass_and_miss_as_often_as_is_said() -> None:
    verdicts = [judged(uniform(1000, seed=seed)) for seed in range(100)]
    assert all(verdict.passes for verdict in verdicts)
    expected = verdicts[0].expected
    found = np.mean([verdict.missed for verdict in verdicts])
    # Some 60 misses in all: within five deviations.
    assert abs(found - expected) < 5 * math.sqrt(expected / len(verdicts))
    assert verdicts[0].decisions == 376


@pytest.mark.slow
@pytest.mark.parametrize("sequences", [1, 4, 54, 55, 200])
def test_uniform_p_values_pass_for_few_sequences(sequences: int) -> None:
    # 50 runs of an error of 0.1 % each: one in twenty choices of seeds would fail.
    verdicts = [judged(uniform(sequences, seed=seed)) for seed in range(200, 250)]
    assert all(verdict.passes for verdict in verdicts)
    kinds = 2 if sequences >= 55 else 1
    assert verdicts[0].decisions == 188 * kinds
    assert (verdicts[0].tests[0].uniformity is None) == (kinds == 1)


def test_nist_s_interval_for_1000_sequences() -> None:
    low, high = judging.interval(1000)
    # 4.2.1 has 0.99 +- 0.0094392.
    assert (low, high) == pytest.approx((0.9805608, 0.9994392), abs=1e-7)


def test_a_proportion_outside_is_missed_and_far_outside_fails() -> None:
    values = uniform(1000, 3)
    # Uniform from 0.01 to 1, so that the failures are the ones counted here.
    values = 0.01 + 0.99 * values
    values[:19, 0], values[:20, 1], values[:40, 2] = 0.009, 0.009, 0.009
    found = judged(values).tests
    assert found[0].missed == ()
    assert found[1].missed == (judging.PROPORTION,)
    assert found[1].failed == ()
    assert judging.PROPORTION in found[2].failed
    assert [one.passed for one in found] == [981, 980, 960]


def test_p_values_that_are_not_uniform_fail() -> None:
    values = uniform(1000, 2)
    values[:, 0] = values[:, 0] ** 2 * 0.99 + 0.01
    found = judged(values).tests
    assert found[0].failed == (judging.UNIFORMITY,)
    assert found[1].failed == ()


def test_one_impossible_p_value_fails() -> None:
    values = uniform(30)
    values[3, 5] = 1e-30
    verdict = judged(values)
    assert verdict.tests[5].failed == (judging.SMALLEST,)
    assert not verdict.passes


def test_what_does_not_apply_is_not_counted() -> None:
    values = uniform(100, 2)
    values[:40, 0] = math.nan
    values[:, 1] = math.nan
    verdict = judged(values)
    assert [test.sequences for test in verdict.tests] == [60, 0]
    assert verdict.tests[1].proportion is None
    assert verdict.decisions == 2
    with pytest.raises(MisuseError, match="no test applies"):
        judged(values[:, 1:])
