# SPDX-License-Identifier: Apache-2.0
"""Which results stand beside those of the link-security paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from samara.bench.report.results import total

if TYPE_CHECKING:
    from samara.bench.report.results import Results
    from samara.bench.store import Result

DEVICE = "atmega128rfa1"
PAYLOAD, HEADER = 95, 14
PAPER_HZ = 32_000_000
BLOCK_CYCLES = 384
"""Of the engine: 24 µs at 16 MHz by the data sheet."""

AES = "aes128"
CCM = "aes128-ccm-16"
PHASES_SUITE = "aes128-ccm-16-phases"
"""CCM* in three parts that are timed one by one."""
PHASES = ("input_transformation", "authentication", "encryption")
ENGINE = "engine"
"""The implementation that uses the AES engine."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A result that is shown, and its flags."""

    result: Result

    @property
    def flags(self) -> str:
        """How it was compiled."""
        return f"-{self.result['opt']}"


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
        Bytes of message and header; any when None.
    """
    fields: dict[str, object] = {
        "device": DEVICE,
        "suite": suite,
        "implementation": implementation,
    }
    if sizes is not None:
        fields |= {"message_bytes": sizes[0], "ad_bytes": sizes[1]}
    found = results.matching(**fields)
    if not found:
        return []
    fastest = min(found, key=_speed)
    small = [result for result in found if result["opt"] == "Os"]
    shown = small[:1] + [fastest] * (fastest not in small[:1])
    return [Choice(result) for result in shown]


def _speed(result: Result) -> int:
    return int(sum(result["cycles"].values()))


def cycles_of(result: Result, verb: str) -> int:
    """Return the cycles of an operation, with the set-up that it needs."""
    cycles = result["cycles"]
    if verb in PHASES:
        return int(cycles[verb])
    if verb in {"seal", "encrypt"}:
        return total(result)
    return int(cycles["set_up"]) + int(cycles[verb])
