# SPDX-License-Identifier: Apache-2.0
"""The results that are compared with those of the link-security paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.bench.results import SEALING_PARTS

if TYPE_CHECKING:
    from samara.bench.report.selecting import FieldValues, Results
    from samara.bench.results import Operation, Result

DEVICE = "atmega128rfa1"
PAYLOAD, HEADER = 95, 14
PAPER_HZ = 32_000_000
BLOCK_CYCLES = 384
"""Of the engine: 24 µs at 16 MHz by the data sheet."""

AES = "aes128"
CCM = "aes128-ccm-16"
PHASES_SUITE = "aes128-ccm-16-phases"
"""CCM* in three parts that are timed one by one."""
PHASES = SEALING_PARTS
ENGINE = "engine"
"""The implementation that uses the AES engine."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A result that is shown, and its flags."""

    result: Result

    @property
    def flags(self) -> str:
        """Its optimisation."""
        return f"-{self.result.opt}"


def choices(
    results: Results,
    suite: str,
    implementation: str,
    sizes: tuple[int, int] | None = None,
) -> list[Choice]:
    """Return the smallest (-Os, as the paper has it) and the fastest result.

    Parameters
    ----------
    sizes
        Bytes of message and associated data. Default: any.
    """
    wanted: FieldValues = {
        "device": DEVICE,
        "suite": suite,
        "implementation": implementation,
    }
    if sizes is not None:
        wanted["message_bytes"], wanted["ad_bytes"] = sizes
    found = results.matching(**wanted)
    if not found:
        return []
    fastest = min(found, key=_speed)
    small = [result for result in found if result.opt == "Os"]
    shown = small[:1] + [fastest] * (fastest not in small[:1])
    return [Choice(result) for result in shown]


def _speed(result: Result) -> int:
    return sum(result.counts.values())


def cycles_of(result: Result, operation: Operation) -> int:
    """Return the cycles of an operation, with the set-up that it needs."""
    alone = result.cycles_of(operation)
    return alone if operation in PHASES else result.set_up_cycles + alone
