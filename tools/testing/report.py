# SPDX-License-Identifier: Apache-2.0
"""What a person sees of a run, line by line."""

import io
import sys
import threading
from dataclasses import dataclass, field
from typing import TextIO

from testing.tally import Tally

# Lines of a failed command's output that are shown; the rest is in its log.
_SHOWN_LINES = 40


@dataclass(frozen=True)
class Spent:
    """What a stage took: seconds on the clock, and of all processors together."""

    elapsed_s: float
    busy_s: float
    #: Whether all of it ran, and nothing was taken from a record.
    is_whole: bool = True

    def __str__(self) -> str:
        return f"{self.elapsed_s:6.1f} s {self.busy_s:7.1f} s"


@dataclass
class Report:
    """Prints results as they come, and remembers what to repeat at the end."""

    sink: TextIO = field(default_factory=lambda: sys.stdout)
    notable: list[str] = field(default_factory=list)
    stages: list[tuple[str, Tally, Spent]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def line(self, text: str = "") -> None:
        """Print one line at once, also into a pipe."""
        print(text, file=self.sink, flush=True)

    def heading(self, name: str, summary: str) -> None:
        """Begin a stage."""
        self.line(f"\n== {name}: {summary}")

    def passed(self, what: str, detail: str) -> None:
        """Print a check that passed."""
        with self._lock:
            self.line(f"  ok       {what}{_bracketed(detail)}")

    def failed(self, stage: str, what: str, reason: str, output: str = "") -> None:
        """Print a check that failed, and the end of its output."""
        with self._lock:
            self.line(f"  FAILED   {what}: {reason}")
            self.excerpt(output)
            self.notable.append(f"FAILED   {_where(stage, what)}: {reason}")

    def skipped(self, stage: str, what: str, reason: str) -> None:
        """Print a check that could not be made."""
        with self._lock:
            self.line(f"  SKIPPED  {what}: {reason}")
            self.notable.append(f"SKIPPED  {_where(stage, what)}: {reason}")

    def left(self, what: str, reason: str) -> None:
        """Print checks that are left to another run, and to which."""
        with self._lock:
            self.line(f"  LEFT     {what}: {reason}")
            self.notable.append(f"LEFT     {what}: {reason}")

    def end_of_stage(self, name: str, tally: Tally, spent: Spent) -> None:
        """Print what a stage came to, and remember it for the table of times."""
        self.line(f"   {name}: {tally} in {spent.elapsed_s:.1f} s")
        self.stages.append((name, tally, spent))

    def take(self, other: "Report") -> None:
        """Print what a stage reported that ran beside another, and remember it."""
        assert isinstance(other.sink, io.StringIO)
        self.line(other.sink.getvalue().rstrip("\n"))
        self.notable += other.notable
        self.stages += other.stages

    def end(self, tally: Tally, elapsed_s: float) -> None:
        """Repeat what needs attention; the tally is the very last line."""
        self.line()
        self._times(elapsed_s)
        for text in self.notable:
            self.line(text)
        self.line(str(tally))

    def _times(self, elapsed_s: float) -> None:
        """Print how long each stage took, and how long it kept processors busy.

        The time of all is less than the sum: some stages run beside others.
        """
        busy_s = sum(spent.busy_s for _, _, spent in self.stages)
        self.line(f"{'stage':15} {'time':>8} {'CPU time':>9}  checks")
        for name, tally, spent in self.stages:
            self.line(f"{name:15} {spent}  {tally}")
        self.line(f"{'all':15} {Spent(elapsed_s, busy_s)}")

    def excerpt(self, output: str) -> None:
        """Print the end of a command's output."""
        lines = output.rstrip().splitlines()
        if len(lines) > _SHOWN_LINES:
            self.line(f"    | ... {len(lines) - _SHOWN_LINES} lines before")
        for text in lines[-_SHOWN_LINES:]:
            self.line(f"    | {text}")


def _bracketed(detail: str) -> str:
    return f"  ({detail})" if detail else ""


def _where(stage: str, what: str) -> str:
    return stage if what == stage else f"{stage}: {what}"
