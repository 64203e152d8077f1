# SPDX-License-Identifier: Apache-2.0
import pytest

from testing.counts import count_case
from testing.junit import Case
from testing.tally import Tally, last_line_tally


@pytest.mark.parametrize(
    ("output", "tally"),
    [
        ("3 passed, 0 failed\n", Tally(3, 0)),
        ("noise\n3 passed, 2 failed, 1 skipped\n\n", Tally(3, 2, 1)),
        ("3 passed, 0 failed\nnoise after\n", None),
        ("about 3 passed, 0 failed", None),
        ("", None),
    ],
)
def test_only_the_last_line_counts(output: str, tally: Tally | None) -> None:
    assert last_line_tally(output) == tally


def test_skipped_is_named_only_when_there_is_some() -> None:
    assert str(Tally(2, 1)) == "2 passed, 1 failed"
    assert str(Tally(2, 1) + Tally(skipped=4)) == "2 passed, 1 failed, 4 skipped"


@pytest.mark.parametrize(
    ("failed", "output", "tally"),
    [
        (False, "5 passed, 0 failed", Tally(5, 0)),
        (True, "5 passed, 2 failed", Tally(5, 2)),
        (False, "5 passed, 2 failed", Tally(5, 2)),
        (True, "5 passed, 0 failed", Tally(5, 1)),
        (False, "0 passed, 0 failed", Tally(0, 1)),
        (False, "no count", Tally(1, 0)),
        (True, "Segmentation fault", Tally(0, 1)),
    ],
)
def test_a_program_that_ends_badly_or_runs_nothing_has_failed(
    failed: bool,  # noqa: FBT001
    output: str,
    tally: Tally,
) -> None:
    case = Case("test", failed=failed, skipped=False, output=output)
    assert count_case(case) == tally
