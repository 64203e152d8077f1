# SPDX-License-Identifier: Apache-2.0
"""Counting: `N passed, N failed, N skipped`."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LINE = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$")


@dataclass(frozen=True)
class Tally:
    """How many checks ended in which way."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    @property
    def total(self) -> int:
        """All that ran; a skipped check did not."""
        return self.passed + self.failed

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.passed + other.passed,
            self.failed + other.failed,
            self.skipped + other.skipped,
        )

    def __str__(self) -> str:
        text = f"{self.passed} passed, {self.failed} failed"
        return f"{text}, {self.skipped} skipped" if self.skipped else text


def last_line_tally(output: str) -> Tally | None:
    """Read the tally from a program's last line, or None when it has none there."""
    lines = output.rstrip().splitlines()
    match = _LINE.match(lines[-1].strip()) if lines else None
    if match is None:
        return None
    return Tally(*(int(number or 0) for number in match.groups()))
