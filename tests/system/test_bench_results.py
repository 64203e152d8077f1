# SPDX-License-Identifier: Apache-2.0
import pytest
from programs import JOBS, VENV, run

CHECK = (VENV / "samara", "bench", "check", f"--jobs={JOBS}")
# One device of each core; the others have the same code and the same simulators. That
# no committed result is of other sources, a test of tests/python/bench looks at.
ONE_OF_EACH_CORE = ("atmega328p", "cortex-m0", "cortex-m4", "msp430f1611")


def test_part_of_the_results_is_measured_again(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--all"):
        pytest.skip("part of the test of all results")
    run(*CHECK, *(f"--device={name}" for name in ONE_OF_EACH_CORE))


@pytest.mark.thorough
def test_all_results_are_measured_again() -> None:
    run(*CHECK, "--all")
