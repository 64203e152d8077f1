# SPDX-License-Identifier: Apache-2.0
"""Choices: candidates with a build that the bench has measured, and what they give."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.crypto import Standing
from samara.energy import catalogue
from samara.energy.airtime import airtime
from samara.energy.cryptography import NotMeasuredError, builds, memory_of
from samara.energy.parts import Part
from samara.energy.quantity import Sampled
from samara.energy.ranges import quantiles
from samara.energy.supply import YEAR_S
from samara.energy.topology import chain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from samara.energy.candidates import Candidate
    from samara.energy.cryptography import Build
    from samara.energy.ranges import Range
    from samara.energy.scenario import Scenario
    from samara.energy.security import Call

LIFE_STEP = math.log(1.01)
"""Lives that differ by less are equal: it is below what is known."""
_STANDINGS = tuple(Standing)
_COUNTERS = 2**32
"""Frame counters before a key has to be changed, on all links."""
_OF_SECURITY = (Part.SECURITY, Part.CIPHER, Part.COUNTER)


@dataclass(frozen=True, slots=True)
class Choice:
    """A candidate with one build, and what it gives."""

    candidate: Candidate
    build: Build
    years: Range
    energy_j: float
    """A message, with listening and sleep until the next."""
    security_j: float
    """What of it security takes."""
    latency_s: float
    flash_bytes: int
    ram_bytes: int
    flags: str
    """Arguments of the compiler for this build."""
    forgery: float
    """Chance that, in the years asked for, one forged frame is accepted, when forged
    frames fill all of the radio's time."""
    forgeries_per_year: float
    """As many as the radio can carry."""
    counters_years: float
    """How long the frame counters of a key last."""
    messages_per_hour: float
    """That the band allows; infinite without one."""

    @property
    def air_bytes(self) -> int:
        """All frames of a message."""
        first = self.candidate.frame_bytes + self.candidate.added_bytes
        return first + sum(each.whole_bytes for each in self.candidate.more)

    @property
    def rank(self) -> tuple[Any, ...]:
        """The order of choices: the smallest is the best."""
        return (
            -math.floor(math.log(self.years.low) / LIFE_STEP),
            _STANDINGS.index(self.candidate.standing),
            self.flash_bytes,
            self.ram_bytes,
            self.energy_j,
            self.candidate.layer,
            self.candidate.suite,
            self.build,
        )


@dataclass(frozen=True, slots=True)
class Use:
    """What a product does with its node."""

    interval_s: float
    """From one message to the next."""
    years: float = 1.0
    """In which forged frames are tried."""
    band: str | None = None
    """Whose duty cycle counts."""
    draws: int = 1000
    seed: int = 0


def weighed(scenario: Scenario, candidate: Candidate, use: Use) -> list[Choice]:
    """Return a candidate with each build that the bench has measured.

    A build whose results do not tell the cycles of these sizes is left out.

    Parameters
    ----------
    scenario
        The node; the candidate sets its frame and what secures it.

    Raises
    ------
    NotMeasuredError
        When the bench has not measured the candidate on the device.
    samara.crypto.UnknownNameError
        When a name of the scenario is unknown.
    """
    slug = candidate.calls[0].suite
    found = []
    for build in builds(scenario.device, slug):
        secured = replace(
            scenario,
            frame_bytes=candidate.frame_bytes,
            added_bytes=candidate.added_bytes,
            calls=_of_build(candidate.calls, build),
            more=tuple(
                replace(each, calls=_of_build(each.calls, build))
                for each in candidate.more
            ),
            plain=candidate.plain,
            secures_control=candidate.layer != "payload",
        )
        with suppress(NotMeasuredError):
            found.append(_weighed(secured, candidate, build, use))
    if not found:
        message = (
            f"{slug} has not been measured on {scenario.device} yet: run `samara bench "
            f"run --device {scenario.device} --suite {slug}`"
        )
        raise NotMeasuredError(message)
    return found


def _of_build(calls: Iterable[Call], build: Build) -> tuple[Call, ...]:
    return tuple(replace(call, build=build) for call in calls)


def _weighed(
    scenario: Scenario, candidate: Candidate, build: Build, use: Use
) -> Choice:
    node = scenario.node()
    memory = memory_of(scenario.device, candidate.calls[0].suite, build)
    parts = node.message(use.interval_s)
    lives_s = scenario.life_s(chain(1), use.interval_s, Sampled(use.draws, use.seed))
    per_year = YEAR_S / float(node.hop().frame_s)
    allowed = math.inf
    if use.band is not None:
        of_band = airtime(node, catalogue.band_for(scenario.radio, use.band))
        allowed = float(of_band.messages_per_hour)
    return Choice(
        candidate=candidate,
        build=build,
        years=quantiles(np.asarray(lives_s) / YEAR_S),
        energy_j=float(parts.total),
        security_j=float(sum(parts[part] for part in _OF_SECURITY)),
        latency_s=float(node.latency_s()),
        flash_bytes=int(memory.flash.value),
        ram_bytes=int(memory.ram.value),
        flags=memory.flags,
        forgery=forgery(per_year * use.years, candidate.tag_bytes),
        forgeries_per_year=per_year,
        counters_years=_COUNTERS * use.interval_s / YEAR_S / node.frame_count,
        messages_per_hour=allowed,
    )


def forgery(attempts: float, tag_bytes: int) -> float:
    """Return the chance that one of many forged frames is accepted.

    >>> forgery(1e12, 0)
    1.0
    >>> f"{forgery(2**32, 8):.2e}"
    '2.33e-10'
    """
    if not tag_bytes:
        return 1.0
    return -math.expm1(-attempts * 2.0 ** (-8 * tag_bytes))
