# SPDX-License-Identifier: Apache-2.0
"""The stages in their order: what is quick to fail comes first."""

from collections.abc import Sequence

from testing import (
    amalgamation,
    bench,
    c_tests,
    constant_time,
    crash,
    fuzz,
    gnuradio,
    lint,
    mutations,
    package,
    python_tests,
    real_time,
    residue,
    sanitizers,
    vectors,
)
from testing.session import Stage

_TESTING: Sequence[Stage] = (
    lint.STAGE,
    vectors.STAGE,
    c_tests.STAGE,
    sanitizers.STAGE,
    constant_time.STAGE,
    fuzz.STAGE,
    amalgamation.STAGE,
    package.STAGE,
    python_tests.STAGE,
    crash.STAGE,
    real_time.STAGE,
    gnuradio.STAGE,
    bench.STAGE,
    residue.STAGE,
)

STAGES: Sequence[Stage] = (*_TESTING, mutations.stage_for(_TESTING))
