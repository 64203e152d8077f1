# SPDX-License-Identifier: Apache-2.0
import pytest
from programs import JOBS, VENV, run

CHECK = (VENV / "samara", "bench", "check", f"--jobs={JOBS}")


def test_part_of_the_results_is_measured_again(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--all"):
        pytest.skip("part of the test of all results")
    run(*CHECK)


@pytest.mark.thorough
def test_all_results_are_measured_again() -> None:
    run(*CHECK, "--all")
