# SPDX-License-Identifier: Apache-2.0
"""Counting what a test program did, by its last line and how it ended."""

from testing.junit import Case
from testing.session import Session
from testing.tally import Tally, last_line_tally


def count_case(case: Case) -> Tally:
    """Count the checks of one test case.

    A program without a line of the form `N passed, N failed` is one check. One
    that counts no check, or no failure and yet ends badly, has failed.
    """
    if case.skipped:
        return Tally(skipped=1)
    tally = last_line_tally(case.output)
    if tally is None:
        return Tally(failed=1) if case.failed else Tally(passed=1)
    if tally.total == 0 or (tally.failed == 0 and case.failed):
        return tally + Tally(failed=1)
    return tally


def report_case(session: Session, case: Case, where: str = "") -> Tally:
    """Count a case; report what failed or was skipped, not what passed."""
    tally = count_case(case)
    what = f"{where} {case.name}".strip()
    if tally.failed:
        reason = case.reason or str(tally)
        session.failed(what, reason, case.output, count=tally.failed)
    if tally.skipped:
        session.skipped(what, case.reason or _example(case.output), tally.skipped)
    return tally


def _example(output: str) -> str:
    """Return the last line that says what was skipped, and why."""
    lines = [line for line in output.splitlines() if line.startswith("skipped")]
    return lines[-1] if lines else "the program gives no reason"
