# SPDX-License-Identifier: Apache-2.0
"""Runs of NIST's tests on few sequences, in this process."""

from __future__ import annotations

import numpy as np

from samara.randomness import running, sts
from samara.randomness.described import Summary
from samara.randomness.judging import judge
from samara.randomness.settings import Battery, Settings

SECTIONS = [test.section for test in sts.TESTS for _ in test.names]


def summary_of(source: str, sequences: int, bits: int) -> Summary:
    """Return what a run with seed 1 finds."""
    rows = [running.of_sequence(source, 1, i, bits) for i in range(sequences)]
    verdict = judge(sts.NAMES, SECTIONS, np.array(rows))
    return Summary(Settings(source, Battery.STS, sequences, bits, 1), verdict, "")
