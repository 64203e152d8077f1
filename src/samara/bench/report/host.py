# SPDX-License-Identifier: Apache-2.0
"""Timing of Grain-128PLE on the machine that makes a report."""

from __future__ import annotations

import platform
import re
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from samara import crypto

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SLICE_NS = 4_000_000
_ROUNDS = 15


@dataclass(frozen=True, slots=True)
class HostTimes:
    """How long messages take on a machine."""

    processor: str
    seconds: Mapping[int, float]
    """By the bytes of a message."""


def measure(suite: str, sizes: Sequence[int]) -> HostTimes:
    """Time a suite on this machine, key set-up included: the median of 15 rounds."""
    chosen = crypto.suite(suite)
    repetitions = {size: _repetitions(chosen, size) for size in sizes}
    rounds: dict[int, list[float]] = {size: [] for size in sizes}
    # All sizes take turns: a processor changes its clock in between.
    for _ in range(_ROUNDS):
        for size, count in repetitions.items():
            elapsed_ns = chosen.time_seal(size, count).nanoseconds
            rounds[size].append(elapsed_ns / count / 1e9)
    medians = {size: statistics.median(times) for size, times in rounds.items()}
    return HostTimes(processor(), medians)


def _repetitions(suite: crypto.Suite, size: int) -> int:
    repetitions = 1
    while True:
        elapsed_ns = suite.time_seal(size, repetitions).nanoseconds
        if elapsed_ns > _SLICE_NS // 10:
            return max(repetitions * _SLICE_NS // elapsed_ns, 1)
        repetitions *= 4


def processor() -> str:
    """Return what this machine calls its processor."""
    cpu_info = Path("/proc/cpuinfo")
    if cpu_info.is_file():
        found = re.search(
            r"^model name\s*:\s*(.+)$", cpu_info.read_text(), re.MULTILINE
        )
        if found:
            return found.group(1).strip()
    return platform.processor() or platform.machine()
