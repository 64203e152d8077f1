# SPDX-License-Identifier: Apache-2.0
"""What the processor at hand can run: checks of other code are skipped, and told."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_CPU = Path("/proc/cpuinfo")
# Sets of instructions for which core/arch/x86_64 has code of its own, and a flag of
# Linux that a processor without them lacks.
_SETS = {
    "AES-NI": "aes",
    "AVX2": "avx2",
    "VAES": "vaes",
    "AVX-512": "avx512vl",
    "VBMI2": "avx512_vbmi2",
}


def sets_missing() -> list[str]:
    """Return the sets of instructions of x86-64 that this processor lacks."""
    return [name for name, flag in _SETS.items() if not has(flag)]


def has(flag: str) -> bool:
    """Tell whether this processor has what a flag of /proc/cpuinfo stands for."""
    return flag in _flags(_CPU)


@cache
def _flags(path: Path) -> frozenset[str]:
    lines = path.read_text().splitlines() if path.exists() else ()
    found = (line.partition(":")[2] for line in lines if line.startswith("flags"))
    return frozenset(next(found, "").split())
